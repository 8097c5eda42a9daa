import { readUpstreamError, type JsonObject } from '@tollgate/dialects'

import type { Refused, TaskReply, TaskReport } from '../tasks'

/** Loose readers for replies: what is not of the kind counts as absent. */

/** Returns a text that is not empty, or a number as text. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined

/** Returns a number that is not negative, also one that is written as a text. */
export function numberIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && number >= 0 && number <= Number.MAX_SAFE_INTEGER ? number : undefined
}

/** Returns the members that are named, where they are there. */
export const pick = (members: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (members[name] === undefined ? [] : [[name, members[name]]])))

/** Returns an object without the members that are undefined or null. */
export const present = (members: Readonly<Record<string, unknown>>): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null))

export const isGood = ({ status }: TaskReply): boolean => status >= 200 && status < 300

/** Reads a refusal, in whatever shape the vendor writes errors. `status` is what a code of the vendor means. */
export function refusedBy(reply: TaskReply, status = reply.status): Refused {
  const { code, message } = readUpstreamError(status, JSON.stringify(reply.body ?? ''))
  return { kind: 'refused', status: status >= 400 ? status : 502, code, message }
}

/** The states of a vendor, by its words. */
export type States = Readonly<Record<string, TaskReport['status']>>

/** Returns what a vendor's word for a state means. A word that no list has is of work that goes on. */
export const stateOf = (states: States, word: unknown): TaskReport['status'] =>
  states[typeof word === 'string' ? word : ''] ?? 'in-progress'

/** Returns the only id of a question about one task. @throws TypeError when there is none. */
export function requireId(ids: readonly string[]): string {
  const [id] = ids
  if (id === undefined) throw new TypeError('A question about tasks needs an id')
  return id
}
