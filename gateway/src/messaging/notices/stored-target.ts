import { eventTargets, type EventTarget } from '@tollgate/contract'

/** Deliveries of the site itself have this in place of a user. */
export const siteId = 0
const prefix = 'operator:'

/** Returns what is stored as the address of a delivery: the address itself is a secret of the site. */
export const storedAddress = (target: EventTarget): string => prefix + target

/** Returns the name of the target that a stored address stands for. */
export const targetName = (url: string): string => url.slice(prefix.length)

/** Returns the target that a stored address stands for; undefined where it is one of a user. */
export const targetOf = (url: string, userId: number): EventTarget | undefined =>
  userId === siteId ? eventTargets.find((target) => url === storedAddress(target)) : undefined
