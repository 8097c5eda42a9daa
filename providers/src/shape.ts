import { isObject, type JsonObject, type ThinkingForms, withThinkingForm } from '@tollgate/dialects'

import type { ModeDescription, ShapedBody, Target } from './provider'

/**
 * One change of a body. Pure; the same object comes back when there is nothing to change. `warn` names what is left out, as a short English
 * phrase.
 */
export type Change = (body: JsonObject, target: Target, warn: (what: string) => void) => JsonObject

/** A mode's `shape` from changes that run in order. */
export const composeShape =
  (...changes: readonly Change[]) =>
  (body: JsonObject, target: Target): ShapedBody => {
    const leftOut = new Set<string>()
    const warn = (what: string) => void leftOut.add(what)
    const changed = changes.reduce((current, change) => change(current, target, warn), body)
    return leftOut.size === 0 ? { body: changed } : { body: changed, leftOut: [...leftOut] }
  }

/** The same with changes after a shape. */
export function shapedWith(shape: NonNullable<ModeDescription['shape']>, ...changes: readonly Change[]) {
  const change = composeShape(...changes)
  return (body: JsonObject, target: Target): ShapedBody => {
    const first = shape(body, target)
    const { leftOut = [], ...second } = change(first.body, target)
    const all = [...(first.leftOut ?? []), ...leftOut]
    return { ...first, ...second, ...(all.length > 0 && { leftOut: all }) }
  }
}

/** The same with what the host at the channel's address needs; undefined: nothing. */
export const shapedAtHost =
  (shape: NonNullable<ModeDescription['shape']>, changeAt: (baseUrl: string) => Change | undefined) =>
  (body: JsonObject, target: Target): ShapedBody => {
    const change = changeAt(target.baseUrl)
    return change ? shapedWith(shape, change)(body, target) : shape(body, target)
  }

/** The body with this member, or itself when it has that value already. */
export const withMember = (body: JsonObject, name: string, value: unknown): JsonObject =>
  body[name] === value && name in body ? body : { ...body, [name]: value }

/** The body without these members, or itself when it has none of them. */
export function withoutMembers(body: JsonObject, ...names: readonly string[]): JsonObject {
  if (!names.some((name) => name in body)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
}

/** Says what a chat asks of thinking in the vendor's form. */
export const thinkingAs =
  (forms: ThinkingForms): Change =>
  (body, { model }, warn) =>
    withThinkingForm(body, forms(model), warn)

/** Leaves out members that a model does not take, and names them. */
export function refusing(body: JsonObject, names: readonly string[], warn: (what: string) => void): JsonObject {
  for (const name of names) if (name in body) warn(name)
  return withoutMembers(body, ...names)
}

/** For vendors of embeddings that refuse to be asked for packed vectors. */
export const dropBase64Encoding: Change = (body) =>
  body['encoding_format'] === 'base64' ? withoutMembers(body, 'encoding_format') : body

/** The body with only these members, or itself when it has no others. Those left out are named with `at` before them. */
export function onlyMembers(
  body: JsonObject,
  names: ReadonlySet<string>,
  warn: (what: string) => void = () => {},
  at = '',
): JsonObject {
  const others = Object.keys(body).filter((name) => !names.has(name))
  for (const name of others) warn(at + name)
  return withoutMembers(body, ...others)
}

/** Move a member to another name; a value already under the new name wins, but for null and zero, which say nothing. */
export function renameMember(body: JsonObject, from: string, to: string): JsonObject {
  if (!(from in body)) return body
  const rest = withoutMembers(body, from)
  return body[to] || body[from] === null ? rest : { ...rest, [to]: body[from] }
}

/** Change the objects of a member that is a list, keeping the body and the list when none of them changes. */
export function mapObjects(body: JsonObject, name: string, change: (item: JsonObject) => JsonObject): JsonObject {
  const list = body[name]
  if (!Array.isArray(list)) return body
  let isChanged = false
  const next = list.map((item: unknown) => {
    if (!isObject(item)) return item
    const result = change(item)
    if (result !== item) isChanged = true
    return result
  })
  return isChanged ? { ...body, [name]: next } : body
}
