import { isObject, type JsonObject } from '@tollgate/dialects'

/** Each throws TypeError for a reply of another shape. */
export function objectIn(value: unknown): JsonObject {
  if (!isObject(value)) throw new TypeError('The reply is not an object')
  return value
}

export function textIn(value: unknown, name: string): string {
  const text = objectIn(value)[name]
  if (typeof text !== 'string' || text === '') throw new TypeError(`The reply has no ${name}`)
  return text
}

export function listIn(body: unknown, name = 'data'): JsonObject[] {
  const list = objectIn(body)[name]
  if (!Array.isArray(list)) throw new TypeError('The reply has no list')
  return list.filter(isObject)
}

export const textOr = (value: unknown): string => (typeof value === 'string' ? value : '')

export const numberOr0 = (value: unknown): number => (typeof value === 'number' ? value : 0)
