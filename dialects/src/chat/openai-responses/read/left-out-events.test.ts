import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import type { JsonObject } from '../../../core/json'
import type { AnswerEvent } from '../../../core/neutral/events'
import { joinDeltas, serverEvents } from '../../../core/neutral/test/fixtures'
import { openAiResponses } from '../dialect'
import { openAiResponsesCodec as codec } from '../codec'
import { fullEvents, fullResponse, wire } from '../test/fixtures'

/** How events say what an item holds. Each level repeats those before it; the last event of the stream repeats them all. */
const levels: readonly RegExp[] = [
  /\.delta$|annotation\.added$/,
  /_text\.done$|refusal\.done$|_arguments\.done$|_input\.done$/,
  /_part\.done$/,
  /output_item\.done$/,
]
const itemLevel = 3
const typeOf = ({ type }: JsonObject): string => String(type)
const levelOf = (event: JsonObject): number => levels.findIndex((kind) => kind.test(typeOf(event)))
const itemOf = (event: JsonObject): number => Number(event['output_index'] ?? -1)

/** How an item comes: the level that says it first, and which events are left out of those that repeat it or announce it. */
interface Arrival {
  readonly first: number
  readonly isLeftOut: readonly boolean[]
}

/** The levels that an item of the fixture has, and none where only its end stands in the last event. */
const firstsOf = (item: number): number[] => {
  const known = new Set(fullEvents.filter((event) => itemOf(event) === item).map(levelOf))
  return [...levels.keys(), levels.length].filter((level) => known.has(level) || level === levels.length)
}

const items = (fullResponse['output'] as JsonObject[]).map((_, item) => item)
const aChoice = (item: number): fc.Arbitrary<Arrival> =>
  fc.record({
    first: fc.constantFrom(...firstsOf(item)),
    isLeftOut: fc.array(fc.boolean(), { minLength: fullEvents.length, maxLength: fullEvents.length }),
  })
const arrivals = fc.tuple(...items.map(aChoice))

function isReported(event: JsonObject, index: number, { first, isLeftOut }: Arrival): boolean {
  const level = levelOf(event)
  // An item is announced, its end is told, or both.
  const isUnannounced = first === itemLevel && isLeftOut[0] === true
  if (typeOf(event) === 'response.output_item.added') return !isUnannounced
  if (level < 0) return !isLeftOut[index]
  // Sources have no place beside a text: the end of their part has them first.
  const isFirst = level === first || (first === 1 && level === 2)
  return isFirst || (level > first && !isLeftOut[index])
}

const selectReported = (choices: readonly Arrival[]): JsonObject[] =>
  fullEvents.filter((event, index) => {
    const arrival = choices[itemOf(event)]
    return !arrival || isReported(event, index, arrival)
  })

const read = (events: readonly JsonObject[]): AnswerEvent[] => {
  const reader = codec.createReader()
  return [...serverEvents(wire(events)).flatMap((event) => reader.read(event)), ...reader.end()]
}
const isCitation = (event: AnswerEvent): boolean => event.type === 'block-delta' && event.delta.kind === 'citation'
/** Texts in one piece each. Between which pieces a source is named depends on the pieces. */
const shapeOf = (events: readonly AnswerEvent[]) => ({
  said: joinDeltas(events.filter((event) => !isCitation(event))),
  cited: events.filter(isCitation),
})

test('whichever events are left out that repeat others, a response reads the same', () => {
  const whole = shapeOf(read(fullEvents))
  fc.assert(
    fc.property(arrivals, (choices) => {
      expect(shapeOf(read(selectReported(choices)))).toEqual(whole)
    }),
    { numRuns: 500 },
  )
})

test('items beyond the most that are read are left out, even where those before them say nothing', () => {
  const empty = { type: 'message', role: 'assistant', content: [] }
  const endOf = (index: number): JsonObject => ({
    type: 'response.output_item.done',
    output_index: index,
    item: { ...empty, id: `msg_${index}` },
  })
  const last = { type: 'response.output_text.delta', output_index: 5000, delta: 'Too late' }
  const events = [...Array.from({ length: 5000 }, (_, index) => endOf(index)), last]
  expect(JSON.stringify(read(events))).not.toContain('Too late')
})

const texts = ['First search.', 'It freezes', 'No more.', 'harbour', 'ls -l']

test('whichever events are left out that repeat others, a response that passes counts its text once', () => {
  // All items come by one level, as one host sends them.
  for (const [level] of [...levels, /only the last event/].entries()) {
    const tap = openAiResponses.createTap({ swallowUsage: false, addUsage: false })
    const events = fullEvents.filter((event) => levelOf(event) < 0 || levelOf(event) >= level)
    tap.push(new TextEncoder().encode(wire(events)))
    tap.end()
    const text = tap.completionText()
    expect([level, ...texts.map((one) => text.split(one).length - 1)]).toEqual([level, ...texts.map(() => 1)])
    expect([tap.isEmpty, tap.toolCalls]).toEqual([false, 2])
  }
})
