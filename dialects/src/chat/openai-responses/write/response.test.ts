import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { inBody } from '../../../core/views'
import { isObject, type JsonObject } from '../../../core/json'
import type { Answering } from '../../../core/neutral/codec'
import type { AnswerEvent, BlockKind, Delta, FinishReason } from '../../../core/neutral/events'
import { aCall, anAnswering, dataOf, joinDeltas, serverEvents, textWriter } from '../../../core/neutral/test/fixtures'
import { noUsage } from '../../../core/usage'
import { fullResponse, fullStream } from '../test/fixtures'
import { openAiResponsesCodec as codec } from '../codec'

const readStream = (text: string): AnswerEvent[] => {
  const reader = codec.createReader()
  return [...serverEvents(text).flatMap((event) => reader.read(event)), ...reader.end()]
}
const stream = (events: readonly AnswerEvent[], answering = anAnswering()) =>
  dataOf(textWriter(codec, answering).write(events))
const whole = (events: readonly AnswerEvent[], answering = anAnswering()) => codec.writeAnswer(events, answering)
const start: AnswerEvent = { type: 'answer-start', id: '', model: 'm', createdAt: 0 }
const block = (number: number, of: BlockKind, ...deltas: readonly Delta[]): AnswerEvent[] => [
  { type: 'block-start', choice: 0, block: number, of },
  ...deltas.map((delta): AnswerEvent => ({ type: 'block-delta', choice: 0, block: number, delta })),
  { type: 'block-end', choice: 0, block: number },
]
const createTextDelta = (text: string): Delta => ({ kind: 'text', text })
const createSignatureDelta = (signature: string): Delta => ({ kind: 'signature', signature })
const usage = { ...noUsage, promptTokens: 9, cachedTokens: 4, completionTokens: 3, reasoningTokens: 1 }
const createEndEvents = (reason: FinishReason): AnswerEvent[] => [
  { type: 'choice-end', choice: 0, reason, rawReason: reason, stopSequence: null },
  { type: 'usage', usage },
  { type: 'answer-end' },
]

describe('a stream', () => {
  test('a text is written as the vendor’s events in order', () => {
    const events = stream([
      start,
      ...block(0, { kind: 'text' }, createTextDelta('a'), createTextDelta('b')),
      ...createEndEvents('stop'),
    ])
    const place = { item_id: 'msg_new2', output_index: 0, content_index: 0 }
    const part = { type: 'output_text', text: 'ab', annotations: [], logprobs: [] }
    const message = { id: 'msg_new2', type: 'message', role: 'assistant' }
    const done = { ...message, status: 'completed', content: [part] }
    expect(events.slice(2, -1)).toEqual([
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { ...message, status: 'in_progress', content: [] },
        sequence_number: 2,
      },
      { type: 'response.content_part.added', ...place, part: { ...part, text: '' }, sequence_number: 3 },
      { type: 'response.output_text.delta', ...place, delta: 'a', logprobs: [], sequence_number: 4 },
      { type: 'response.output_text.delta', ...place, delta: 'b', logprobs: [], sequence_number: 5 },
      { type: 'response.output_text.done', ...place, text: 'ab', logprobs: [], sequence_number: 6 },
      { type: 'response.content_part.done', ...place, part, sequence_number: 7 },
      { type: 'response.output_item.done', output_index: 0, item: done, sequence_number: 8 },
    ])
    expect(events[0]).toMatchObject({
      type: 'response.created',
      response: { id: 'resp_new1', status: 'in_progress', output: [], usage: null, model: 'claude-x' },
      sequence_number: 0,
    })
    expect(events[1]).toMatchObject({ type: 'response.in_progress', sequence_number: 1 })
    expect(events.at(-1)).toMatchObject({
      type: 'response.completed',
      sequence_number: 9,
      response: {
        status: 'completed',
        output: [done],
        usage: {
          input_tokens: 9,
          input_tokens_details: { cached_tokens: 4, cache_write_tokens: 0 },
          output_tokens: 3,
          output_tokens_details: { reasoning_tokens: 1 },
          total_tokens: 12,
        },
      },
    })
  })

  test('a thought and a call are written as the vendor’s events in order', () => {
    const events = stream([
      start,
      ...block(0, { kind: 'thinking' }, createTextDelta('hm'), createSignatureDelta('c2ln')),
      ...block(1, { kind: 'tool-call', id: 'call_1', name: 'f' }, createTextDelta('{"a"'), createTextDelta(':1}')),
      ...createEndEvents('tool-calls'),
    ])
    expect(events.slice(2, -1).map(({ type }) => String(type).replace('response.', ''))).toEqual([
      'output_item.added',
      'reasoning_summary_part.added',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.done',
      'reasoning_summary_part.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
    ])
    expect(events[7]).toMatchObject({
      item: {
        id: 'rs_new2',
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'hm' }],
        encrypted_content: 'c2ln',
      },
    })
    expect(events[8]).toMatchObject({ output_index: 1, item: { id: 'fc_new3', call_id: 'call_1', arguments: '' } })
    expect(events[12]).toMatchObject({ item: { status: 'completed', arguments: '{"a":1}', name: 'f' } })
  })

  test('continues a message while texts follow one another, and ends it with anything else', () => {
    const events = [
      start,
      ...block(0, { kind: 'text' }, createTextDelta('a')),
      ...block(1, { kind: 'refusal' }, createTextDelta('No.')),
      ...block(2, { kind: 'media' }, { kind: 'media', mime: 'audio/wav', data: 'AA', transcript: 'Spoken.' }),
      ...block(3, { kind: 'own', dialect: 'gemini', value: {} }),
      ...block(4, { kind: 'media' }, { kind: 'media', mime: 'image/webp', data: 'QUE=' }),
      ...block(5, { kind: 'text' }, createTextDelta('b')),
      { type: 'block-start', choice: 1, block: 0, of: { kind: 'text' } },
      { type: 'block-delta', choice: 1, block: 0, delta: createTextDelta('other') },
      ...createEndEvents('stop'),
    ] satisfies AnswerEvent[]
    expect(whole(events)['output']).toMatchObject([
      { type: 'message', content: [{ text: 'a' }, { refusal: 'No.' }, { text: 'Spoken.' }] },
      { type: 'image_generation_call', status: 'completed', output_format: 'webp', result: 'QUE=' },
      { type: 'message', content: [{ text: 'b' }] },
    ])
  })

  test('names sources where they are, or behind the text when no place is known', () => {
    const citation = { url: 'https://a.example', title: 'A' }
    const events = [
      start,
      ...block(0, { kind: 'text' }, { kind: 'citation', citation }, createTextDelta('abc'), {
        kind: 'citation',
        citation: { ...citation, start: 0, end: 2 },
      }),
      ...createEndEvents('stop'),
    ]
    const annotations = [
      { type: 'url_citation', start_index: 0, end_index: 2, url: 'https://a.example', title: 'A' },
      { type: 'url_citation', start_index: 0, end_index: 3, url: 'https://a.example', title: 'A' },
    ]
    expect(stream(events).filter(({ type }) => String(type).includes('annotation'))).toMatchObject([
      { annotation_index: 0, annotation: annotations[0] },
      { annotation_index: 1, annotation: annotations[1] },
    ])
    expect(whole(events)['output']).toMatchObject([{ content: [{ text: 'abc', annotations }] }])
  })

  test('tells how probable its words were, with the whole text', () => {
    const tokens = [{ token: 'a', logProbability: -1, bytes: [97], top: [] }]
    const [opened, ...rest] = block(0, { kind: 'text' }, createTextDelta('a'))
    const reported: AnswerEvent = { type: 'log-probabilities', choice: 0, tokens }
    const events = [start, opened ?? start, rest[0] ?? start, reported, ...rest.slice(1), ...createEndEvents('stop')]
    expect(whole(events)['output']).toMatchObject([
      { content: [{ logprobs: [{ token: 'a', logprob: -1, bytes: [97], top_logprobs: [] }] }] },
    ])
  })

  test.each<[FinishReason, unknown, unknown]>([
    ['stop', 'completed', null],
    ['tool-calls', 'completed', null],
    ['pause', 'completed', null],
    ['length', 'incomplete', { reason: 'max_output_tokens' }],
    ['context-window', 'incomplete', { reason: 'max_output_tokens' }],
    ['content-filter', 'incomplete', { reason: 'content_filter' }],
    ['refusal', 'incomplete', { reason: 'content_filter' }],
  ])('a response that ended with %s is %s', (reason, status, incomplete_details) => {
    const events = [start, ...block(0, { kind: 'text' }, createTextDelta('a')), ...createEndEvents(reason)]
    expect(stream(events).at(-1)).toMatchObject({
      type: `response.${String(status)}`,
      response: { status, incomplete_details },
    })
  })

  test('a refusal in words is complete, a broken response is not', () => {
    expect(
      whole([start, ...block(0, { kind: 'refusal' }, createTextDelta('No.')), ...createEndEvents('refusal')]),
    ).toMatchObject({
      status: 'completed',
    })
    expect(whole([start, ...block(0, { kind: 'text' }, createTextDelta('a'))])).toMatchObject({
      status: 'incomplete',
      incomplete_details: null,
      output: [{ status: 'incomplete' }],
    })
  })

  test('a failure is written twice, for clients that know only one form', () => {
    const error = { message: 'Broken.', type: 'server_error', code: '', param: null }
    const failed: AnswerEvent[] = [start, { type: 'failure', error }, ...createEndEvents('stop')]
    expect(stream(failed).slice(2)).toMatchObject([
      { type: 'error', code: 'server_error', message: 'Broken.', param: null, sequence_number: 2 },
      { type: 'response.failed', response: { status: 'failed', error: { code: 'server_error', message: 'Broken.' } } },
    ])
    expect(stream([{ type: 'failure', error }])).toEqual([
      { type: 'error', code: 'server_error', message: 'Broken.', param: null, sequence_number: 0 },
    ])
    expect(whole(failed)).toMatchObject({ object: 'response', status: 'failed', error: { message: 'Broken.' } })
  })
})

describe('a response', () => {
  test('a response survives a round trip, its summary in one section', () => {
    const [reasoning, ...others] = fullResponse['output'] as JsonObject[]
    const output = [
      { ...reasoning, summary: [{ type: 'summary_text', text: 'First search.\n\nThen answer.' }] },
      ...others.map((item) => (item['type'] === 'message' ? { ...item, id: 'msg_new1' } : item)),
    ]
    const written = whole(readStream(fullStream))
    expect(written).toMatchObject({ ...fullResponse, model: 'claude-x', reasoning: {}, output })
    expect(written).toEqual(whole(codec.readAnswer(fullResponse)))
  })

  test('repeats what was asked for, but not the instructions', () => {
    const body = {
      model: 'm',
      input: 'hi',
      instructions: 'Be brief.',
      tools: [{ type: 'function', name: 'f', parameters: { type: 'object' }, strict: true }, { type: 'web_search' }],
      tool_choice: { type: 'function', name: 'f' },
      parallel_tool_calls: false,
      reasoning: { effort: 'low', summary: 'auto' },
      text: { format: { type: 'json_object' }, verbosity: 'low' },
      temperature: 0.5,
      top_p: 0.25,
      max_output_tokens: 20,
      metadata: { a: 'b' },
      truncation: 'auto',
      user: 'me',
    }
    const { model: _, input: _input, ...requested } = body
    const answering = { ...anAnswering(), call: codec.readCall(body, inBody) }
    expect(whole([start, ...createEndEvents('stop')], answering)).toMatchObject({
      ...requested,
      instructions: null,
      id: 'resp_new1',
      object: 'response',
      created_at: 1_760_000_000,
      error: null,
      previous_response_id: null,
      store: false,
      output: [],
    })
  })

  test('distinguishes a signed empty thought from a redacted one', () => {
    const events = [
      start,
      ...block(0, { kind: 'thinking' }, createSignatureDelta('c2ln')),
      ...block(1, { kind: 'redacted-thinking' }, createSignatureDelta('cmVk')),
      ...block(2, { kind: 'thinking' }),
      ...createEndEvents('stop'),
    ]
    expect(whole(events)['output']).toMatchObject([
      { summary: [{ type: 'summary_text', text: '' }], encrypted_content: 'c2ln' },
      { summary: [], encrypted_content: 'cmVk' },
    ])
  })

  test('items of a response have ids of their own', () => {
    const call: BlockKind = { kind: 'tool-call', id: 'call_1', name: 'f', itemId: 'fc_1' }
    const events = [
      start,
      ...block(0, call),
      ...block(1, call),
      ...block(2, { ...call, id: '' }),
      ...createEndEvents('stop'),
    ]
    expect(whole(events)['output']).toMatchObject([
      { id: 'fc_1', call_id: 'call_1', arguments: '{}' },
      { id: 'fc_new2', call_id: 'call_new3' },
      { id: 'fc_new4', call_id: 'call_new5' },
    ])
  })
})

describe('a call', () => {
  const free = { type: 'custom', name: 'sh' }
  const answering = (): Answering => ({
    ...anAnswering(),
    call: codec.readCall({ model: 'm', input: 'hi', tools: [free] }, inBody),
  })

  test.each([
    ['{"input":"ls -l"}', 'ls -l'],
    ['ls -l', 'ls -l'],
  ])('the call of a tool of free text is free text: %s', (argumentsText, input) => {
    const call: BlockKind = { kind: 'tool-call', id: 'call_1', name: 'sh' }
    const halves = [createTextDelta(argumentsText.slice(0, 4)), createTextDelta(argumentsText.slice(4))]
    const events = stream([start, ...block(0, call, ...halves), ...createEndEvents('tool-calls')], answering())
    expect(events.slice(2, -1)).toMatchObject([
      { type: 'response.output_item.added', item: { type: 'custom_tool_call', id: 'ctc_new2', input: '' } },
      { type: 'response.custom_tool_call_input.delta', delta: input, item_id: 'ctc_new2' },
      { type: 'response.custom_tool_call_input.done', input },
      { type: 'response.output_item.done', item: { status: 'completed', input, call_id: 'call_1', name: 'sh' } },
    ])
  })

  test('arguments that a tool of the client cannot take are given to it as a function', () => {
    const shell: Answering = {
      ...anAnswering(),
      call: codec.readCall({ model: 'm', input: 'hi', tools: [{ type: 'local_shell' }] }, inBody),
    }
    const itemOf = (argumentsText: string) => {
      const call: BlockKind = { kind: 'tool-call', id: 'call_1', name: 'local_shell' }
      const { output } = whole(
        [start, ...block(0, call, createTextDelta(argumentsText)), ...createEndEvents('tool-calls')],
        shell,
      )
      return (output as JsonObject[])[0]
    }
    expect(itemOf('{"command":["ls"]}')).toMatchObject({ type: 'local_shell_call', call_id: 'call_1' })
    expect(itemOf('{"comm')).toMatchObject({ type: 'function_call', name: 'local_shell', arguments: '{"comm' })
  })

  test("another vendor's signature is kept in the id and restored", () => {
    const call: BlockKind = { kind: 'tool-call', id: 'call_1', name: 'f' }
    const events = [
      start,
      ...block(0, call, createSignatureDelta('a+/b='), createTextDelta('{}')),
      ...createEndEvents('tool-calls'),
    ]
    const output = whole(events)['output'] as JsonObject[]
    const result = { type: 'function_call_output', call_id: output[0]?.['call_id'], output: 'ice' }
    const { messages } = codec.readCall({ model: 'm', input: [...output, result] }, inBody)
    expect(messages).toMatchObject([
      { role: 'assistant', parts: [{ kind: 'tool-call', id: 'call_1', signature: 'a+/b=' }] },
      { role: 'user', parts: [{ kind: 'tool-result', callId: 'call_1', name: 'f' }] },
    ])
  })
})

/** Answers of any blocks. */
const text = fc.string({ unit: 'grapheme', minLength: 1 })
const anyBlock = fc.oneof(
  fc.tuple(
    fc.constantFrom<BlockKind>({ kind: 'text' }, { kind: 'refusal' }),
    fc.array(text.map(createTextDelta), { minLength: 1 }),
  ),
  fc.tuple(
    fc.constant<BlockKind>({ kind: 'thinking', isSummary: true }),
    fc.tuple(text.map(createTextDelta), text.map(createTextDelta), text.map(createSignatureDelta)),
  ),
  fc.tuple(fc.constant<BlockKind>({ kind: 'redacted-thinking' }), fc.tuple(text.map(createSignatureDelta))),
  fc.tuple(
    fc.record({
      kind: fc.constant('tool-call' as const),
      id: fc.stringMatching(/^[\w-]{1,9}$/),
      name: text,
      isCustom: fc.constantFrom(true, undefined),
    }),
    fc.array(text.map(createTextDelta), { minLength: 1, maxLength: 3 }),
  ),
)
const anyAnswer = fc
  .uniqueArray(anyBlock, { maxLength: 6, selector: ([of]) => (of.kind === 'tool-call' ? of.id : {}) })
  .map((blocks): AnswerEvent[] => [
    { ...start, id: 'resp_1', model: 'claude-x', createdAt: 1_760_000_000 },
    ...blocks.flatMap(([of, deltas], number) => block(number, of, ...deltas)),
    { type: 'choice-end', choice: 0, reason: 'length', rawReason: 'max_output_tokens', stopSequence: null },
    { type: 'usage', usage },
    { type: 'answer-end' },
  ])
/** Without the names of items, which are made up. */
const nameless = (events: readonly AnswerEvent[]) =>
  joinDeltas(events).map((event) => {
    if (event.type !== 'block-start') return event
    const { of } = event
    if (of.kind === 'thinking') return { ...event, of: { ...of, id: undefined } }
    return of.kind === 'tool-call' ? { ...event, of: { ...of, itemId: undefined } } : event
  })

test('what is written reads back the same, streamed or whole, however it was cut', () => {
  fc.assert(
    fc.property(anyAnswer, fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1 }), (events, sizes) => {
      const writer = textWriter(codec, anAnswering())
      const pieces: string[] = []
      for (let at = 0, turn = 0; at < events.length; turn += 1)
        pieces.push(writer.write(events.slice(at, (at += sizes[turn % sizes.length] ?? 1))))
      const written = pieces.join('')
      expect(nameless(readStream(written))).toEqual(nameless(events))
      expect(nameless(codec.readAnswer(whole(events)))).toEqual(nameless(events))
      expect(dataOf(written).at(-1)?.['response']).toEqual(whole(events))
      expect(isWellFormed(dataOf(written))).toBe(true)
    }),
    { numRuns: 300 },
  )
})

/** Numbered without gaps, one item open at a time, everything in its item and part, and done as it will be repeated. */
function isWellFormed(events: readonly JsonObject[]): boolean {
  const done: unknown[] = []
  let open: unknown = null
  for (const [at, event] of events.entries()) {
    const { type, sequence_number, output_index, item_id, item, response } = event
    if (sequence_number !== at) return false
    if (output_index !== undefined && output_index !== done.length) return false
    if (type === 'response.output_item.added') {
      if (open !== null || !isObject(item)) return false
      open = item['id']
    } else if (type === 'response.output_item.done') {
      if (!isObject(item) || item['id'] !== open) return false
      done.push(item)
      open = null
    } else if (item_id !== undefined && item_id !== open) return false
    if (at === events.length - 1) return isObject(response) && Bun.deepEquals(response['output'], done)
  }
  return false
}

test('a call without tools that is answered needs no more than its model', () => {
  expect(whole([start, ...createEndEvents('stop')], { ...anAnswering(), call: aCall() })).toMatchObject({
    tool_choice: 'auto',
    tools: [],
  })
})
