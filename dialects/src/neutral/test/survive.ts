import { expect } from 'bun:test'

import * as fc from 'fast-check'

import { DialectError } from '../../dialect-error'
import { isObject, type JsonObject } from '../../json'
import type { NeutralCall } from '../call'
import type { ChatCodec } from '../codec'
import { anAnswering } from './fixtures'

/** One value of a body replaced, wherever it lies. */
function replaced(value: unknown, path: number, by: unknown): unknown {
  if (path <= 0 || typeof value !== 'object' || value === null) return by
  const entries = Object.entries(value)
  const at = path % Math.max(entries.length, 1)
  const changed = entries.map(([name, member], index) => [
    name,
    index === at ? replaced(member, Math.floor(path / Math.max(entries.length, 1)) - 1, by) : member,
  ])
  return Array.isArray(value) ? changed.map(([, member]) => member) : Object.fromEntries(changed)
}

/** Fifty bodies that differ from a good one in one value each: to make them costs more than to read them. */
export const bodiesLike = (
  good: fc.Arbitrary<unknown>,
  replacement: fc.Arbitrary<unknown>,
): fc.Arbitrary<JsonObject[]> =>
  fc
    .tuple(good, fc.array(fc.tuple(fc.nat(), replacement), { minLength: 50, maxLength: 50 }))
    .map(([body, changes]) => changes.map(([path, by]) => replaced(body, path, by)).filter(isObject))

/** Whatever a body says, as an answer, twice in a stream or as a call for each of these models: nothing throws but what a client is told. */
export function survive(
  codec: ChatCodec,
  body: JsonObject,
  calls: readonly (readonly [model: string, change: Partial<NeutralCall>])[],
): void {
  codec.writeAnswer(codec.readAnswer(body), anAnswering())
  const reader = codec.createReader()
  const event = { name: '', data: JSON.stringify(body) }
  codec.createWriter(anAnswering()).write([...reader.read(event), ...reader.read(event), ...reader.end()])
  for (const [model, change] of calls) {
    try {
      codec.writeCall({ ...codec.readCall(body, { model, isStream: false }), ...change }, () => {})
    } catch (error) {
      expect(error).toBeInstanceOf(DialectError)
    }
  }
}
