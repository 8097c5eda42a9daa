import type { OptionValues } from '@tollgate/contract'

type GroupOptions = Pick<OptionValues, 'GroupRatio' | 'UserUsableGroups' | 'GroupGroupRatio'>

/** What a call in a group costs: the group's ratio, and the one of the caller's own group that replaces it, if one is set. */
export interface GroupRatios {
  readonly groupRatio: number
  readonly userGroupRatio: number | null
}

/** Returns the ratios of `group` for a user of `ownGroup`. A group without a ratio counts as 1. */
export function groupRatios(options: GroupOptions, ownGroup: string | null, group: string): GroupRatios {
  return {
    groupRatio: options.GroupRatio[group] ?? 1,
    userGroupRatio: (ownGroup === null ? undefined : options.GroupGroupRatio[ownGroup]?.[group]) ?? null,
  }
}

/** A user's own group is always usable; another one when it is offered to users and exists. */
export const isGroupUsable = (options: GroupOptions, ownGroup: string | null, group: string): boolean =>
  group === ownGroup || (options.UserUsableGroups[group] !== undefined && options.GroupRatio[group] !== undefined)

export interface UsableGroup {
  readonly description: string
  /** What applies to this user. */
  readonly ratio: number
}

/** Describes a user's own group where the operator did not. */
const ownDescription = { zh: '用户分组', en: 'Your group' } as const

type Language = keyof typeof ownDescription

/** The descriptions of a new gateway, translated. An operator's own are shown as they are, in every language. */
const shippedDescriptions: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  默认分组: { zh: '默认分组', en: 'Default group' },
  vip分组: { zh: 'vip分组', en: 'VIP group' },
}

/** Returns the groups a user of `ownGroup` may choose, sorted by name and described in `language`; null is a guest. */
export function usableGroups(
  options: GroupOptions,
  ownGroup: string | null,
  language: Language,
): ReadonlyMap<string, UsableGroup> {
  const names = Object.keys(options.UserUsableGroups).filter((name) => options.GroupRatio[name] !== undefined)
  if (ownGroup !== null && !names.includes(ownGroup)) names.push(ownGroup)
  return new Map(
    names.sort().map((name) => {
      const { groupRatio, userGroupRatio } = groupRatios(options, ownGroup, name)
      const stored = options.UserUsableGroups[name] ?? ownDescription[language]
      const description = shippedDescriptions[stored]?.[language] ?? stored
      return [name, { description, ratio: userGroupRatio ?? groupRatio }]
    }),
  )
}
