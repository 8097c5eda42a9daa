import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { dialects } from '../../../dialects'
import type { StreamTap } from '../../dialect'
import type { DialectId } from '../../mode'
import { concat } from '../sse-frames'
import type { ResponseOptions } from '../../../translation/translate'
import { translationOf } from '../../../translation/translation'
import { noUsage } from '../../usage'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

const text = fc.constantFrom(
  'a',
  'b',
  ' token',
  ' ',
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

/** Others at each run. `FUZZ_RUNS=10000` tries as many streams. */
const numRuns = Number(Bun.env['FUZZ_RUNS'] ?? 20)

type Template<One> = (text: string) => One

/** Each up to nine times, one after the other, with texts of their own. */
const repeatEvents = <One>(one: fc.Arbitrary<Template<One>>) =>
  fc
    .array(fc.tuple(one, fc.array(text, { minLength: 1, maxLength: 9 })), { maxLength: 12 })
    .map((all) => all.flatMap(([template, texts]) => texts.map(template)))

/** Cuts into pieces of these sizes. */
function cut(whole: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const places = sizes.map((_, index) => sizes.slice(0, index + 1).reduce((sum, size) => sum + size))
  return [0, ...places].map((from, index) => whole.subarray(from, places[index]))
}

const often = <One>(weight: number, template: Template<One>) => ({ weight, arbitrary: fc.constant(template) })

/** As OpenAI numbers and pads its events. */
const padEvents = (events: readonly object[]) =>
  events.map((event, number) => ({ sequence_number: number, ...event, obfuscation: 'aX0'.repeat(number % 4) }))

/** Or not. */
const padding = fc.constantFrom(padEvents, (events: readonly object[]) => events)

/** An unread member that differs in every event gives each of them a form of its own. */
const unlike = (events: readonly object[]) => events.map((event, number) => ({ ...event, number }))

const options: ResponseOptions = {
  model: 'm',
  includeUsage: true,
  promptTokens: 7,
  now: 5,
  newId: (prefix) => `${prefix}1`,
  thoughtsAsText: false,
  taggedThoughts: false,
}

const questions: Partial<Record<DialectId, object>> = {
  gemini: { contents: [{ parts: [{ text: 'hi' }] }] },
  'openai-responses': { model: 'm', input: 'hi' },
}
const question = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }

function translatingTap(client: DialectId, upstream: DialectId): StreamTap {
  const call = translationOf(client, upstream)?.(
    { ...(questions[client] ?? question) },
    { model: 'm', isStream: true },
    'm',
  )
  const tap = call?.createTap?.(options)
  if (!tap) throw new Error(`No way from ${client}`)
  return tap
}

/** All that comes out for a client, and what is learned, asked at the end only and before it, too. */
const translateStream = (client: DialectId, upstream: DialectId, stream: readonly Uint8Array[]) =>
  [false, true].map((isReadEarly) => {
    const tap = translatingTap(client, upstream)
    const counts = () => [tap.events, tap.contentEvents, tap.usage, tap.isEmpty, tap.toolCalls, tap.completionText()]
    const output = stream.map((bytes) => tap.push(bytes))
    const early = isReadEarly ? counts() : []
    tap.end()
    return { early, counts: counts(), text: decode(concat([...output, tap.finish(noUsage)])) }
  })

const tokensOf = ({ usage }: StreamTap) => (usage ? usage.promptTokens + usage.completionTokens : 0)

/** Expects a counter that stays the same to count no less than a tap reads that is asked for the usage of each event. */
function expectCounted(openTap: () => StreamTap, stream: readonly Uint8Array[]) {
  const [counting, reading] = [openTap(), openTap()]
  const stages = stream.map((bytes) => {
    counting.push(bytes)
    reading.push(bytes)
    const { counter } = counting
    return { counter, counted: counter?.counted ?? 0, tokens: tokensOf(reading) }
  })
  for (const [index, { counter, counted, tokens }] of stages.entries()) {
    const before = stages[index - 1]
    if (counter === null || counter !== before?.counter || counted < before.counted) continue
    expect(counted - before.counted).toBeGreaterThanOrEqual(tokens - before.tokens)
  }
}

/** What a stream teaches who passes it through, event by event. */
function observeStream(dialect: DialectId, stream: readonly Uint8Array[]) {
  const tap = dialects[dialect].createTap({ swallowUsage: false, addUsage: false })
  const stages = stream.map((bytes) => {
    tap.push(bytes)
    return [tap.events, tap.contentEvents, tap.usage, tap.isEmpty, tap.toolCalls, tap.isFinished, tap.isDone, tap.error]
  })
  return { stages, text: tap.completionText() }
}

describe('chunks that differ in their text alone', () => {
  const delta = fc.oneof(
    often<object>(8, (content) => ({ content })),
    often<object>(3, (reasoning_content) => ({ reasoning_content })),
    often<object>(1, (content) => ({ role: 'assistant', content })),
    often<object>(1, (content) => ({ content, reasoning_content: null })),
    often<object>(1, (content) => ({ content, reasoning: content })),
    often<object>(1, (refusal) => ({ refusal })),
    often<object>(3, (name) => ({
      tool_calls: [{ index: 0, id: `call_${name}`, function: { name, arguments: '' } }],
    })),
    often<object>(5, (more) => ({ tool_calls: [{ index: 0, function: { arguments: more } }] })),
    often<object>(1, () => ({ content: null })),
    often<object>(1, () => ({
      annotations: [{ type: 'url_citation', url_citation: { url: 'https://e.example', title: 'E' } }],
    })),
  )
  const counted = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
  const chunk = fc.record({
    delta,
    index: fc.constantFrom(0, 0, 0, 1),
    finish: fc.oneof({ weight: 15, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constant('stop') }),
    beside: fc.constantFrom([], [], [], [{ index: 2, delta: {}, finish_reason: null }]),
    rest: fc.constantFrom({}, {}, {}, {}, { usage: null }, { usage: counted }, { error: null }),
  })
  const streams = repeatEvents(
    chunk.map(({ delta: template, index, finish, beside, rest }) => (content: string) => ({
      id: 'x',
      choices: [...beside, { index, delta: template(content), finish_reason: finish }],
      ...rest,
    })),
  ).chain((chunks) => padding.map((pad) => pad(chunks)))
  const streamOf = (chunks: readonly object[]) => [
    ...chunks.map((one) => encode(`data: ${JSON.stringify(one)}\n\n`)),
    encode('data: [DONE]\n\n'),
  ]

  test('teach a tap what it would learn from each alone', () => {
    fc.assert(
      fc.property(streams, (chunks) => {
        expect(observeStream('openai-chat', streamOf(chunks))).toEqual(
          observeStream('openai-chat', streamOf(unlike(chunks))),
        )
      }),
      { numRuns },
    )
  })

  test('teach a tap the same however they are cut, and pass through it as they came', () => {
    const passThrough = (pieces: readonly Uint8Array[]) => {
      const tap = dialects['openai-chat'].createTap({ swallowUsage: false, addUsage: false })
      const output = pieces.map((bytes) => tap.push(bytes))
      const counts = [tap.events, tap.contentEvents, tap.usage, tap.isEmpty, tap.toolCalls, tap.completionText()]
      return { text: decode(concat([...output, tap.finish(noUsage)])), counts }
    }
    fc.assert(
      fc.property(streams, fc.array(fc.integer({ min: 1, max: 300 })), (chunks, sizes) => {
        const whole = concat(streamOf(chunks))
        expect(passThrough(cut(whole, sizes))).toEqual({ ...passThrough(streamOf(chunks)), text: decode(whole) })
      }),
      { numRuns },
    )
  })

  test.each(['anthropic-messages', 'openai-responses', 'gemini', 'openai-chat'] as const)(
    'are translated to %s as each alone would be',
    (client) => {
      fc.assert(
        fc.property(streams, (chunks) => {
          const [alike, each] = [chunks, unlike(chunks)].map((all) =>
            translateStream(client, 'openai-chat', streamOf(all)),
          )
          expect(alike).toEqual(each)
        }),
        { numRuns },
      )
    },
  )

  // Gemini's streams say in one response what was read at once.
  test.each(['anthropic-messages', 'openai-responses', 'openai-chat'] as const)(
    'are translated to %s however they are cut',
    (client) => {
      fc.assert(
        fc.property(streams, fc.array(fc.integer({ min: 1, max: 300 })), (chunks, sizes) => {
          // A usage that is read together with the beginning is stages there.
          const whole = streamOf(chunks.map((chunk) => ({ ...chunk, usage: null })))
          expect(translateStream(client, 'openai-chat', cut(concat(whole), sizes))).toEqual(
            translateStream(client, 'openai-chat', whole),
          )
        }),
        { numRuns },
      )
    },
  )
})

describe('events of a message that differ in their text alone', () => {
  const index = fc.constantFrom(0, 0, 1)
  const anyBlock = fc.constantFrom(
    { type: 'text', text: '' },
    { type: 'thinking', thinking: '', signature: '' },
    { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} },
    { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
  )
  const anyDelta = fc.oneof(
    often<object>(5, (more) => ({ type: 'text_delta', text: more })),
    often<object>(3, (thinking) => ({ type: 'thinking_delta', thinking })),
    often<object>(3, (partial_json) => ({ type: 'input_json_delta', partial_json })),
    often<object>(1, (signature) => ({ type: 'signature_delta', signature })),
  )
  const event = fc
    .tuple(
      index,
      anyBlock,
      anyDelta,
      fc.constantFrom('delta', 'delta', 'delta', 'delta', 'delta', 'delta', 'start', 'start', 'stop', 'ping'),
    )
    .map(([index, content_block, delta, kind]) => (more: string): object => {
      if (kind === 'delta') return { type: 'content_block_delta', index, delta: delta(more) }
      if (kind === 'start') return { type: 'content_block_start', index, content_block }
      return kind === 'stop' ? { type: 'content_block_stop', index } : { type: 'ping' }
    })
  const start = { type: 'message_start', message: { id: 'msg_1', usage: { input_tokens: 3, output_tokens: 1 } } }
  const ends = [
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } },
    { type: 'message_stop' },
  ]
  const streamOf = (events: readonly object[]) =>
    [start, ...events, ...ends].map((one) =>
      encode(`event: ${String(Reflect.get(one, 'type'))}\ndata: ${JSON.stringify(one)}\n\n`),
    )

  test('teach a tap what it would learn from each alone', () => {
    fc.assert(
      fc.property(repeatEvents(event), (events) => {
        const [alike, each] = [events, unlike(events)].map((all) => observeStream('anthropic-messages', streamOf(all)))
        expect(alike).toEqual(each)
      }),
      { numRuns },
    )
  })

  test.each(['openai-chat', 'openai-responses', 'gemini', 'anthropic-messages'] as const)(
    'are translated to %s as each alone would be',
    (client) => {
      fc.assert(
        fc.property(repeatEvents(event), (events) => {
          const [alike, each] = [events, unlike(events)].map((all) =>
            translateStream(client, 'anthropic-messages', streamOf(all)),
          )
          expect(alike).toEqual(each)
        }),
        { numRuns },
      )
    },
  )
})

describe('events of a response that differ in their text alone', () => {
  const place = { item_id: 'msg_1', output_index: 0, content_index: 0 }
  const event = fc.oneof(
    often<object>(6, (delta) => ({ type: 'response.output_text.delta', ...place, delta, logprobs: [] })),
    often<object>(2, (delta) => ({ type: 'response.function_call_arguments.delta', item_id: 'fc_1', delta })),
    often<object>(1, (delta) => ({ type: 'response.reasoning_summary_text.delta', ...place, delta })),
    often<object>(1, (name) => ({ type: 'response.output_item.added', item: { type: 'function_call', name } })),
    often<object>(1, (text) => ({ type: 'response.output_text.done', ...place, text })),
    often<object>(1, () => ({ type: 'response.in_progress' })),
  )
  const end = {
    type: 'response.completed',
    response: { status: 'completed', usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 } },
  }
  const streamOf = (events: readonly object[]) =>
    [...events, end].map((one) =>
      encode(`event: ${String(Reflect.get(one, 'type'))}\ndata: ${JSON.stringify(one)}\n\n`),
    )

  test('teach a tap what it would learn from each alone', () => {
    fc.assert(
      fc.property(repeatEvents(event), padding, (events, pad) => {
        const [alike, each] = [pad(events), unlike(pad(events))].map((all) =>
          observeStream('openai-responses', streamOf(all)),
        )
        expect(alike).toEqual(each)
      }),
      { numRuns },
    )
  })

  test.each(['openai-chat', 'anthropic-messages', 'gemini', 'openai-responses'] as const)(
    'are translated to %s as each alone would be',
    (client) => {
      fc.assert(
        fc.property(repeatEvents(event), padding, (events, pad) => {
          const [alike, each] = [pad(events), unlike(pad(events))].map((all) =>
            translateStream(client, 'openai-responses', streamOf(all)),
          )
          expect(alike).toEqual(each)
        }),
        { numRuns },
      )
    },
  )
})

describe('responses of Gemini that differ in their text and the usage so far alone', () => {
  const part = fc.oneof(
    often<object>(8, (more) => ({ text: more })),
    often<object>(3, (more) => ({ text: more, thought: true })),
    often<object>(1, (more) => ({ text: more, thoughtSignature: 'c2ln' })),
    often<object>(1, (name) => ({ functionCall: { name, args: {} } })),
    often<object>(1, (code) => ({ executableCode: { language: 'PYTHON', code } })),
  )
  const response = fc.record({
    part,
    index: fc.constantFrom(0, 0, 0, 1),
    beside: fc.constantFrom([], [], [], [{ text: 'more' }]),
    finish: fc.constantFrom({}, {}, {}, {}, {}, { finishReason: 'STOP' }),
    counts: fc.constantFrom('growing', 'growing', 'growing', 'growing', 'none', 'of the prompt'),
  })
  const streams = repeatEvents(
    response.map(({ part: template, index, beside, finish, counts }) => (more: string) => ({
      counts,
      candidates: [{ content: { parts: [template(more), ...beside], role: 'model' }, index, ...finish }],
    })),
  ).map((all) =>
    all.map(({ counts, candidates }, position) => {
      const prompt = { promptTokenCount: 7, totalTokenCount: 7 }
      const growing = { ...prompt, candidatesTokenCount: position + 1, totalTokenCount: 9 * (position + 1) }
      return { candidates, ...(counts !== 'none' && { usageMetadata: counts === 'growing' ? growing : prompt }) }
    }),
  )
  const streamOf = (responses: readonly object[]) => responses.map((one) => encode(`data: ${JSON.stringify(one)}\n\n`))

  test('teach a tap what it would learn from each alone', () => {
    fc.assert(
      fc.property(streams, (responses) => {
        const [alike, each] = [responses, unlike(responses)].map((all) => observeStream('gemini', streamOf(all)))
        expect(alike).toEqual(each)
      }),
      { numRuns },
    )
  })

  test('a counter that stays the same counts at least the tokens that are reported, passed through and translated', () => {
    const openTranslated = () => translatingTap('openai-chat', 'gemini')
    fc.assert(
      fc.property(streams, (responses) => {
        expectCounted(() => dialects.gemini.createTap({ swallowUsage: false, addUsage: false }), streamOf(responses))
        expectCounted(openTranslated, streamOf(responses))
      }),
      { numRuns },
    )
  })

  test('pass through as they came, however they are cut', () => {
    fc.assert(
      fc.property(streams, fc.array(fc.integer({ min: 1, max: 300 })), (responses, sizes) => {
        const each = streamOf(responses)
        for (const pieces of [each, cut(concat(each), sizes)]) {
          const tap = dialects.gemini.createTap({ swallowUsage: false, addUsage: false })
          const output = pieces.map((bytes) => tap.push(bytes))
          tap.end()
          expect(decode(concat([...output, tap.finish(null)]))).toBe(decode(concat(each)))
        }
      }),
      { numRuns },
    )
  })

  test.each(['openai-chat', 'anthropic-messages', 'openai-responses', 'gemini'] as const)(
    'are translated to %s as each alone would be',
    (client) => {
      fc.assert(
        fc.property(streams, (responses) => {
          const [alike, each] = [responses, unlike(responses)].map((all) =>
            translateStream(client, 'gemini', streamOf(all)),
          )
          expect(alike).toEqual(each)
        }),
        { numRuns },
      )
    },
  )
})
