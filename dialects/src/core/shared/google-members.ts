import { isObject, type JsonObject } from '../json'
import { objectOf, objectsOf } from '../neutral/read'

const snakeNames = new Map<string, string>()

function snakeOf(name: string): string {
  const known = snakeNames.get(name)
  if (known !== undefined) return known
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  snakeNames.set(name, snake)
  return snake
}

/**
 * The member of this name, given in camel case: Google's APIs take it in snake case too.
 * https://protobuf.dev/programming-guides/json/
 */
export const member = (object: JsonObject, name: string): unknown => object[name] ?? object[snakeOf(name)]

export const memberObject = (object: JsonObject, name: string): JsonObject => objectOf(member(object, name))

/** The objects of a list, or the one that stands in its place. */
export const listOf = (value: unknown): readonly JsonObject[] => (isObject(value) ? [value] : objectsOf(value))

export const memberList = (object: JsonObject, name: string): readonly JsonObject[] => listOf(member(object, name))

/** The name under which the object has this member; the usual one when it has none. */
export const nameIn = (object: JsonObject, name: string): string =>
  object[name] === undefined && object[snakeOf(name)] !== undefined ? snakeOf(name) : name

/** All members but these, given in camel case. */
export function without(object: JsonObject, names: readonly string[]): JsonObject {
  const left = new Set(names.flatMap((name) => [name, snakeOf(name)]))
  return Object.fromEntries(Object.entries(object).filter(([name]) => !left.has(name)))
}
