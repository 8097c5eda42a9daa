import { isObject, type JsonObject } from '@tollgate/dialects'

/** Each throws TypeError for a reply of another shape. */
export function objectIn(value: unknown): JsonObject {
  if (!isObject(value)) throw new TypeError('The reply is not an object')
  return value
}

/** Whatever else a vendor calls an id can be neither stored nor named in an address. */
const fitId = /^[\x21-\x7e]{1,256}$/

export function idIn(value: unknown, name: string): string {
  const id = objectIn(value)[name]
  if (typeof id !== 'string' || !fitId.test(id)) throw new TypeError(`The reply has no ${name}`)
  return id
}

export function listIn(body: unknown, name = 'data'): JsonObject[] {
  const list = objectIn(body)[name]
  if (!Array.isArray(list)) throw new TypeError('The reply has no list')
  return list.filter(isObject)
}

export const textOr = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Returns a count that a vendor reports; 0 for anything else. */
export const countOr0 = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0
