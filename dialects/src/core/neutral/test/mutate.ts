import * as fc from 'fast-check'

import { isObject, type JsonObject } from '../../json'

const odd = [null, true, false, 0, -1, 1.5, 1e99, '', 'x', '{"a":1}', [], {}, [null], [[]], [{}], { type: 'text' }]

const replacement = fc.oneof(fc.constantFrom<unknown>(...odd), fc.jsonValue({ maxDepth: 2 }))

/** What stands at one of the body's places, chosen by a number, replaced or left out. */
function mutate(value: unknown, choice: number, by: unknown): unknown {
  if (typeof value !== 'object' || value === null) return by
  const entries = Object.entries(value)
  const at = choice % (entries.length + 1)
  if (at === entries.length) return by
  const changed = entries.flatMap(([name, member], index): (readonly [string, unknown])[] => {
    if (index !== at) return [[name, member]]
    const next = mutate(member, Math.floor(choice / (entries.length + 1)), by)
    return next === undefined ? [] : [[name, next]]
  })
  return Array.isArray(value) ? changed.map(([, member]) => member) : Object.fromEntries(changed)
}

/** Good bodies with up to three places changed. Ten thousand take about a second. */
export const mutationsOf = (bodies: readonly JsonObject[]): fc.Arbitrary<JsonObject> =>
  fc
    .tuple(
      fc.constantFrom(...bodies),
      fc.array(fc.tuple(fc.nat(), fc.option(replacement, { nil: undefined })), { minLength: 1, maxLength: 3 }),
    )
    .map(([body, changes]) => changes.reduce<unknown>((all, [choice, by]) => mutate(all, choice, by), body))
    .filter(isObject)
