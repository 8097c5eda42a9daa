import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { dialects } from './dialects'
import type { DialectId } from './mode'
import { concat } from './sse-frames'
import { textEventOf } from './text-event'
import { translationOf, type AnswerWish } from './translation/translation'
import { noUsage } from './usage'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe('the form of an event', () => {
  const event = 'data: {"id":"x","delta":{"content":"one"}}\n\n'

  test('is found where its text stands, and tells the text of others like it', () => {
    const form = textEventOf(event, 'one')
    expect(form?.textIn(event)).toBe('one')
    expect(form?.textIn('data: {"id":"x","delta":{"content":"other \x80"}}\n\n')).toBe('other \x80')
  })

  test.each([
    ['has another member', 'data: {"id":"x","delta":{"content":"one"},"n":1}\n\n'],
    ['names another answer', 'data: {"id":"y","delta":{"content":"one"}}\n\n'],
    ['has an escape', 'data: {"id":"x","delta":{"content":"one\\n"}}\n\n'],
    ['has an escape at its end', 'data: {"id":"x","delta":{"content":"one\\"}}\n\n'],
    ['has another string', 'data: {"id":"x","delta":{"content":"one","a":"b"}}\n\n'],
    ['has two lines', 'data: {"id":"x","delta":{"content":"on\ne"}}\n\n'],
    ['says nothing', 'data: {"id":"x","delta":{"content":""}}\n\n'],
    ['is shorter than what surrounds the text', 'data: {"id":"x","delta":{"content":"}}\n\n'],
  ])('is not that of an event which %s', (_what, other) => {
    expect(textEventOf(event, 'one')?.textIn(other)).toBeNull()
  })

  test.each([
    ['nowhere', event, 'two'],
    ['twice', 'data: {"id":"one","delta":{"content":"one"}}\n\n', 'one'],
    ['beside escapes', 'data: {"id":"one","delta":{"content":"\\u006fne"}}\n\n', 'one'],
    ['empty', 'data: {"id":"","delta":{"content":"one"}}\n\n', ''],
  ])('is not known where the text stands %s', (_where, other, text) => {
    expect(textEventOf(other, text)).toBeNull()
  })
})

describe('events that differ in their text alone', () => {
  const text = fc.constantFrom(
    'a',
    'b',
    ' token',
    'content',
    'index',
    'x',
    '冰',
    '🦊',
    'say "hi"',
    'line\n',
    '\\',
    '',
    '0',
  )
  const delta = fc.oneof(
    { weight: 8, arbitrary: text.map((content) => ({ content })) },
    { weight: 3, arbitrary: text.map((content) => ({ reasoning_content: content })) },
    text.map((content) => ({ role: 'assistant', content })),
    text.map((content) => ({ content, reasoning_content: null })),
    text.map((content) => ({ content, reasoning: content })),
    text.map((refusal) => ({ refusal })),
    {
      weight: 3,
      arbitrary: text.map((name) => ({
        tool_calls: [{ index: 0, id: `call_${name}`, function: { name, arguments: '' } }],
      })),
    },
    { weight: 5, arbitrary: text.map((more) => ({ tool_calls: [{ index: 0, function: { arguments: more } }] })) },
    fc.constant({ content: null }),
    fc.constant({ annotations: [{ type: 'url_citation', url_citation: { url: 'https://e.example', title: 'E' } }] }),
  )
  const counted = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
  const chunk = fc.record({
    delta,
    index: fc.constantFrom(0, 0, 0, 1),
    finish: fc.oneof({ weight: 15, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constant('stop') }),
    beside: fc.constantFrom([], [], [], [{ index: 2, delta: {}, finish_reason: null }]),
    rest: fc.constantFrom({}, {}, {}, {}, { usage: null }, { usage: counted }, { error: null }),
  })
  const streams = fc.array(fc.tuple(chunk, fc.integer({ min: 1, max: 4 })), { maxLength: 12 })
  const wish: AnswerWish = {
    model: 'm',
    includeUsage: true,
    promptTokens: 7,
    now: 5,
    newId: (prefix) => `${prefix}1`,
    thoughtsAsText: false,
    taggedThoughts: false,
  }

  /** A member that nobody reads and no two events have the same of makes each event one of its own form. */
  const eventsOf = (said: readonly (readonly [typeof chunk extends fc.Arbitrary<infer C> ? C : never, number])[]) =>
    said
      .flatMap(([one, times]) => Array.from({ length: times }, () => one))
      .map(({ delta: what, index, finish, beside, rest }, number) => ({
        alike: { id: 'x', choices: [...beside, { index, delta: what, finish_reason: finish }], ...rest },
        number,
      }))
  const streamOf = (chunks: readonly object[]) => [
    ...chunks.map((one) => encode(`data: ${JSON.stringify(one)}\n\n`)),
    encode('data: [DONE]\n\n'),
  ]

  test('teach a tap what it would learn from each alone', () => {
    const learned = (chunks: readonly object[]) => {
      const tap = dialects['openai-chat'].createTap({ swallowUsage: false, addUsage: false })
      const stages = streamOf(chunks).map((bytes) => {
        tap.push(bytes)
        return [tap.events, tap.contentEvents, tap.usage, tap.isEmpty, tap.toolCalls, tap.isFinished, tap.isDone]
      })
      return { stages, text: tap.completionText() }
    }
    fc.assert(
      fc.property(streams, (said) => {
        const events = eventsOf(said)
        const unlike = events.map(({ alike, number }) => ({ ...alike, number }))
        expect(learned(events.map(({ alike }) => alike))).toEqual(learned(unlike))
      }),
      { numRuns: 500 },
    )
  })

  test.each(['anthropic-messages', 'openai-responses', 'gemini', 'openai-chat'] as const)(
    'are translated to %s as each alone would be',
    (client: DialectId) => {
      const bodies = {
        gemini: { contents: [{ parts: [{ text: 'hi' }] }] },
        'openai-responses': { model: 'm', input: 'hi' },
      } as Partial<Record<DialectId, object>>
      const body = bodies[client] ?? { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }
      const translated = (chunks: readonly object[]) => {
        const call = translationOf(client, 'openai-chat')?.({ ...body }, { model: 'm', isStream: true }, 'm')
        const tap = call?.createTap?.(wish)
        if (!tap) throw new Error(`No way from ${client}`)
        const output = streamOf(chunks).map((bytes) => tap.push(bytes))
        const counts = [tap.events, tap.contentEvents, tap.usage, tap.toolCalls, tap.completionText()]
        return { text: decode(concat([...output, tap.finish(noUsage)])), counts }
      }
      fc.assert(
        fc.property(streams, (said) => {
          const events = eventsOf(said)
          const unlike = events.map(({ alike, number }) => ({ ...alike, number }))
          expect(translated(events.map(({ alike }) => alike))).toEqual(translated(unlike))
        }),
        { numRuns: 300 },
      )
    },
  )
})
