import type { OfferedObject, OptionValues } from '@tollgate/contract'

/** Stands for everything in the account that no user made. */
export const everything = '*'

type Options = Pick<OptionValues, 'VendorObjects' | 'SelfUseModeEnabled'>

/** Returns the operator's own objects that a group may use under this name or id; a channel has its own id for a name. */
export const offeredTo = (group: string, name: string, { VendorObjects: objects }: Options): readonly OfferedObject[] =>
  objects.filter((object) => (object.id === name || object.name === name) && isFor(group, object))

/** Returns the channels of which a group may use everything; `all` where one person or team uses the whole site. */
export function openChannels(group: string, options: Options): ReadonlySet<number> | 'all' {
  if (options.SelfUseModeEnabled) return 'all'
  const open = options.VendorObjects.filter((object) => object.id === everything && isFor(group, object))
  return new Set(open.map(({ channel }) => channel))
}

/** Returns whether a group may name an object by its id where the channel is chosen already. */
export function isOffered(id: string, group: string, options: Options): boolean {
  const open = openChannels(group, options)
  return open === 'all' || open.size > 0 || offeredTo(group, id, options).some((object) => object.id === id)
}

const isFor = (group: string, { groups = '' }: OfferedObject): boolean =>
  groups.trim() === '' || groups.split(',').some((name) => name.trim() === group)
