import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { isObject, type JsonObject } from '../../core/json'
import { PassingTap } from '../../core/streaming/passing-tap'
import { ResponsesObserver } from './observe'
import { fullEvents, fullResponse, wire } from './test/fixtures'
import { inputItems, outputItems, withEarlierItems } from './turns'

const item = fc
  .record({ type: fc.constantFrom('message', 'function_call', 'reasoning'), id: fc.string(), content: fc.string() })
  .map((members): JsonObject => members)
const turn = fc.record({ input: fc.oneof(fc.string({ minLength: 1 }), fc.array(item)), output: fc.array(item) })

describe('a request that goes on from earlier turns', () => {
  test('becomes the request of a client that repeats everything, whatever the turns hold', () => {
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1 }), fc.oneof(fc.string(), fc.array(item)), (turns, input) => {
        const repeated: unknown[] = []
        for (const { input: text, output } of turns) {
          repeated.push(...(typeof text === 'string' ? [{ role: 'user', content: text }] : text), ...output)
        }
        if (typeof input !== 'string') repeated.push(...input)
        else if (input !== '') repeated.push({ role: 'user', content: input })
        const earlier = turns.flatMap((one) => [...inputItems(one), ...outputItems(one)])
        const body = { model: 'm', previous_response_id: 'resp_1', input, instructions: 'Be brief.' }
        const expected = earlier.length === 0 ? input : repeated
        expect(withEarlierItems(body, earlier)).toEqual({ model: 'm', input: expected, instructions: 'Be brief.' })
      }),
    )
  })

  test('names neither the response nor the conversation any more', () => {
    const body = { previous_response_id: 'resp_1', conversation: { id: 'conv_1' }, tools: [] }
    expect(withEarlierItems(body, [{ role: 'user', content: 'a' }])).toEqual({
      tools: [],
      input: [{ role: 'user', content: 'a' }],
    })
  })
})

describe('the whole answer of a stream', () => {
  const encode = (text: string) => new TextEncoder().encode(text)
  function tapAfter(events: readonly JsonObject[], keepsAnswer = true) {
    const tap = new PassingTap(new ResponsesObserver(keepsAnswer))
    tap.push(encode(wire(events)))
    tap.end()
    tap.finish()
    return tap
  }

  test('the whole answer is what the end of its stream repeats', () => {
    expect(tapAfter(fullEvents).wholeAnswer()).toEqual(fullResponse)
  })

  test('an end that leaves out the output has the items that were told before', () => {
    const bare = fullEvents.map((event) =>
      event['type'] === 'response.completed' ? { ...event, response: { ...fullResponse, output: [] } } : event,
    )
    expect(tapAfter(bare).wholeAnswer()).toEqual(fullResponse)
    expect(tapAfter(bare, false).wholeAnswer()).toBeNull()
  })

  test('arguments that came as objects are texts in the whole answer', () => {
    const output = outputItems(fullResponse).map((one) =>
      one['type'] === 'function_call' ? { ...one, arguments: JSON.parse(String(one['arguments'])) } : one,
    )
    const events = fullEvents.map((event) =>
      event['type'] === 'response.completed' ? { ...event, response: { ...fullResponse, output } } : event,
    )
    expect(tapAfter(events).wholeAnswer()).toEqual(fullResponse)
  })

  test('a stream that broke off or failed has no whole answer', () => {
    const failed = { type: 'response.failed', response: { ...fullResponse, status: 'failed', error: { code: 'x' } } }
    expect(tapAfter(fullEvents.slice(0, -1)).wholeAnswer()).toBeNull()
    expect(tapAfter([...fullEvents.slice(0, -1), failed]).wholeAnswer()).toBeNull()
    expect(isObject(tapAfter(fullEvents).wholeAnswer())).toBe(true)
  })
})
