import type { OptionValues } from '@tollgate/contract'

type GroupOptions = Pick<OptionValues, 'GroupRatio' | 'UserUsableGroups' | 'GroupGroupRatio'>

/** What a call in a group costs: the group's ratio, and the one of the caller's own group that replaces it, if one is set. */
export interface GroupRatios {
  readonly groupRatio: number
  readonly userGroupRatio: number | null
}

/** Ratios of `group` for a user of `ownGroup`. A group without a ratio counts as 1. */
export function groupRatios(options: GroupOptions, ownGroup: string | null, group: string): GroupRatios {
  return {
    groupRatio: options.GroupRatio[group] ?? 1,
    userGroupRatio: (ownGroup === null ? undefined : options.GroupGroupRatio[ownGroup]?.[group]) ?? null,
  }
}

/** The own group is always usable; another one when it is offered to users and exists. */
export const isGroupUsable = (options: GroupOptions, ownGroup: string | null, group: string): boolean =>
  group === ownGroup || (options.UserUsableGroups[group] !== undefined && options.GroupRatio[group] !== undefined)

export interface UsableGroup {
  readonly description: string
  /** What applies to this user. */
  readonly ratio: number
}

/**
 * The groups a user of `ownGroup` may choose, sorted by name; null is a guest.
 * `ownDescription` describes the own group where the operator did not.
 */
export function usableGroups(
  options: GroupOptions,
  ownGroup: string | null,
  ownDescription: string,
): ReadonlyMap<string, UsableGroup> {
  const names = Object.keys(options.UserUsableGroups).filter((name) => options.GroupRatio[name] !== undefined)
  if (ownGroup !== null && !names.includes(ownGroup)) names.push(ownGroup)
  return new Map(
    names.sort().map((name) => {
      const { groupRatio, userGroupRatio } = groupRatios(options, ownGroup, name)
      return [
        name,
        { description: options.UserUsableGroups[name] ?? ownDescription, ratio: userGroupRatio ?? groupRatio },
      ]
    }),
  )
}
