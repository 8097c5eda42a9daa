import { describe, expect, test } from 'bun:test'

import type { JsonObject } from '../../../core/json'
import { joinDeltas, serverEvents } from '../../../core/neutral/test/fixtures'
import type { AnswerEvent } from '../../../core/neutral/events'
import { fullEvents, fullResponse, fullStream, wire } from '../test/fixtures'
import { openAiResponsesCodec as codec } from '../codec'

const readText = (text: string): AnswerEvent[] => {
  const reader = codec.createReader()
  return [...serverEvents(text).flatMap((event) => reader.read(event)), ...reader.end()]
}
const read = (events: readonly JsonObject[]) => joinDeltas(readText(wire(events)))
const blocksOf = (events: readonly AnswerEvent[]) =>
  events.flatMap((event) => (event.type === 'block-start' ? [event.of] : []))
const deltasOf = (events: readonly AnswerEvent[]) =>
  events.flatMap((event) => (event.type === 'block-delta' ? [event.delta] : []))
const endOf = (events: readonly AnswerEvent[]) => events.find(({ type }) => type === 'choice-end')
const typesOf = (events: readonly AnswerEvent[]) => events.map(({ type }) => type)
const output_index = 0

describe('a stream', () => {
  test('a response becomes events in its order', () => {
    const events = joinDeltas(readText(fullStream))
    expect(events[0]).toEqual({
      type: 'answer-start',
      id: 'resp_01',
      model: 'gpt-5.1-2025-11-13',
      createdAt: 1_760_000_000,
    })
    expect(blocksOf(events)).toMatchObject([
      { kind: 'thinking', isSummary: true, id: 'rs_01' },
      { kind: 'search', queries: ['harbour ice'], own: { value: { type: 'web_search_call', status: 'completed' } } },
      { kind: 'text' },
      { kind: 'refusal' },
      { kind: 'tool-call', id: 'call_01', name: 'lookup', itemId: 'fc_01' },
      { kind: 'tool-call', id: 'call_02', name: 'shell', itemId: 'ctc_01', isCustom: true },
    ])
    expect(deltasOf(events)).toMatchObject([
      { kind: 'text', text: 'First search.\n\nThen answer.' },
      { kind: 'signature', signature: 'gAAAAAsig' },
      { kind: 'text', text: 'It freezes' },
      { kind: 'citation', citation: { url: 'https://a.example', title: 'Ice', start: 0, end: 10 } },
      { kind: 'text', text: ' in "January" 冰.' },
      { kind: 'text', text: 'No more.' },
      { kind: 'text', text: '{"place":"harbour","n":[1,2]}' },
      { kind: 'text', text: 'ls -l' },
    ])
    expect(events.slice(-3)).toMatchObject([
      { type: 'choice-end', reason: 'tool-calls', rawReason: 'completed', stopSequence: null },
      {
        type: 'usage',
        usage: {
          promptTokens: 120,
          cachedTokens: 100,
          completionTokens: 40,
          reasoningTokens: 12,
          toolCalls: { webSearch: 1 },
        },
      },
      { type: 'answer-end' },
    ])
  })

  test('tells the same as a whole response, but for where in its text a source is named', () => {
    const shape = (events: readonly AnswerEvent[]) =>
      joinDeltas(events.filter((event) => event.type !== 'block-delta' || event.delta.kind !== 'citation'))
    expect(shape(codec.readAnswer(fullResponse))).toEqual(shape(readText(fullStream)))
    expect(deltasOf(codec.readAnswer(fullResponse)).filter(({ kind }) => kind === 'citation')).toEqual(
      deltasOf(readText(fullStream)).filter(({ kind }) => kind === 'citation'),
    )
  })

  test('a stream is read although deltas, starts or items are left out', () => {
    const expected = joinDeltas(codec.readAnswer(fullResponse))
    const without = (word: RegExp) => read(fullEvents.filter(({ type }) => !word.test(String(type))))
    const only = (word: RegExp) => read(fullEvents.filter(({ type }) => word.test(String(type))))
    expect(only(/created|item\.done|completed$/)).toEqual(expected)
    expect(only(/response\.(?:created|completed)/)).toEqual(expected)
    expect(only(/response\.completed/)).toEqual(expected)
    expect(blocksOf(without(/\.added/))).toEqual(blocksOf(expected))
    expect(deltasOf(without(/\.added/))).toContainEqual({ kind: 'signature', signature: 'gAAAAAsig' })
  })

  test('interleaved items are read one after the other', () => {
    const createItemAdded = (index: number) => ({
      type: 'response.output_item.added',
      output_index: index,
      item: { type: 'function_call', id: `fc_${index}`, call_id: `call_${index}`, name: 'f', arguments: '' },
    })
    const more = (index: number, delta: string) => ({
      type: 'response.function_call_arguments.delta',
      output_index: index,
      delta,
    })
    const createItemDone = (index: number) => ({
      type: 'response.output_item.done',
      output_index: index,
      item: { type: 'function_call', call_id: `call_${index}`, arguments: '' },
    })
    const end = { type: 'response.completed', response: {} }
    const mixed = [
      createItemAdded(0),
      createItemAdded(1),
      more(1, '{"b"'),
      more(0, '{"a"'),
      createItemDone(1),
      more(0, ':1}'),
      createItemDone(0),
      end,
    ]
    const events = read(mixed)
    expect(typesOf(events).filter((type) => type.startsWith('block'))).toEqual([
      'block-start',
      'block-delta',
      'block-end',
      'block-start',
      'block-delta',
      'block-end',
    ])
    expect(deltasOf(events)).toEqual([
      { kind: 'text', text: '{"a":1}' },
      { kind: 'text', text: '{"b"' },
    ])
  })

  test('raw thoughts are read instead of their summary', () => {
    const thought = { type: 'reasoning', id: 'rs_1' }
    const events = read([
      { type: 'response.output_item.added', output_index, item: thought },
      { type: 'response.reasoning_text.delta', output_index, content_index: 0, delta: 'raw' },
      { type: 'response.reasoning_summary_text.delta', output_index, summary_index: 0, delta: 'short' },
      { type: 'response.output_item.done', output_index, item: { ...thought, content: [{ text: 'raw' }] } },
    ])
    expect(blocksOf(events)).toEqual([{ kind: 'thinking', id: 'rs_1' }])
    expect(deltasOf(events)).toEqual([{ kind: 'text', text: 'raw' }])
  })

  test('tells how probable its words were', () => {
    const logprobs = [{ token: 'hi', logprob: -0.5, top_logprobs: [{ token: 'ho', logprob: -2 }] }]
    const events = read([
      { type: 'response.output_text.delta', output_index, content_index: 0, delta: 'hi', logprobs },
      { type: 'response.completed', response: {} },
    ])
    const tokens = [
      { token: 'hi', logProbability: -0.5, bytes: null, top: [{ token: 'ho', logProbability: -2, bytes: null }] },
    ]
    expect(events).toContainEqual({ type: 'log-probabilities', choice: 0, tokens })
    const content = [{ type: 'output_text', text: 'hi', logprobs }]
    expect(codec.readAnswer({ output: [{ type: 'message', content }] })).toContainEqual({
      type: 'log-probabilities',
      choice: 0,
      tokens,
    })
  })

  test('a stream that breaks off closes its block and has no end', () => {
    const cut = read(fullEvents.slice(0, 15))
    expect(typesOf(cut).at(-1)).toBe('block-end')
    expect(endOf(cut)).toBeUndefined()
  })

  test('events without an item do not hold up others', () => {
    const events = read([
      { type: 'response.audio.delta', delta: 'AA' },
      { type: 'response.output_text.delta', delta: 'stray' },
      ...fullEvents,
    ])
    expect(blocksOf(events)).toHaveLength(7)
    expect(endOf(events)).toBeDefined()
  })
})

describe('an answer', () => {
  test.each<[JsonObject, string, string]>([
    [{ status: 'completed' }, 'stop', 'completed'],
    [{}, 'stop', 'completed'],
    [{ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, 'length', 'max_output_tokens'],
    [{ status: 'incomplete', incomplete_details: { reason: 'content_filter' } }, 'content-filter', 'content_filter'],
    [{ status: 'incomplete', incomplete_details: { reason: 'steered' } }, 'other', 'steered'],
    [{ output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] }] }, 'refusal', 'completed'],
    [{ output: [{ type: 'function_call', call_id: 'a', name: 'f' }] }, 'tool-calls', 'completed'],
  ])('a response that is %j ends with %s', (answer, reason, rawReason) => {
    expect(endOf(codec.readAnswer(answer))).toMatchObject({ reason, rawReason, stopSequence: null })
  })

  test('a proof of thinking alone is redacted, and an image is a medium', () => {
    const events = codec.readAnswer({
      output: [
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' },
        { type: 'image_generation_call', id: 'ig_1', output_format: 'webp', result: 'AA' },
        { type: 'message', content: [{ type: 'output_text', text: '' }] },
      ],
    })
    expect(blocksOf(events)).toEqual([{ kind: 'redacted-thinking' }, { kind: 'media' }])
    expect(deltasOf(events)).toEqual([
      { kind: 'signature', signature: 'gAAAA' },
      { kind: 'media', mime: 'image/webp', data: 'AA', id: 'ig_1' },
    ])
  })

  test('nothing follows the failure of a response', () => {
    const error = { code: 'rate_limit_exceeded', message: 'Slow down.' }
    const failure = {
      type: 'failure',
      error: { type: 'rate_limit_error', code: 'rate_limit_exceeded', message: 'Slow down.', param: null },
    } as const
    expect(codec.readAnswer({ status: 'failed', error })).toEqual([failure])
    const failed = { type: 'response.failed', response: { id: 'resp_1', status: 'failed', error } }
    expect(read([failed, ...fullEvents])).toEqual([failure])
    expect(read([{ type: 'error', ...error, param: null }, failed])).toEqual([failure])
    expect(read([{ type: 'response.failed' }])).toMatchObject([{ type: 'failure', error: { type: 'server_error' } }])
  })
})
