import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { concat } from '../../core/streaming/sse-frames'
import { readMessage } from './response'
import { AnthropicObserver } from './observe'
import { PassingTap } from '../../core/streaming/passing-tap'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const event = (data: { type: string }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`

const start = event({
  type: 'message_start',
  message: { id: 'msg_1', usage: { input_tokens: 15, cache_read_input_tokens: 10, output_tokens: 1 } },
} as { type: string })
const createBlockStart = (index: number, content_block: object) =>
  event({ type: 'content_block_start', index, content_block } as { type: string })
const delta = (index: number, change: object) =>
  event({ type: 'content_block_delta', index, delta: change } as { type: string })
const createBlockStop = (index: number) => event({ type: 'content_block_stop', index } as { type: string })
const finish = (usage: object = { output_tokens: 40 }) =>
  event({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage } as { type: string })
const stop = event({ type: 'message_stop' })

const wholeStream =
  start +
  createBlockStart(0, { type: 'thinking', thinking: '', signature: '' }) +
  'event: ping\ndata: {"type": "ping"}\n\n' +
  delta(0, { type: 'thinking_delta', thinking: 'hm "冰"\n' }) +
  delta(0, { type: 'signature_delta', signature: 'c2ln' }) +
  createBlockStop(0) +
  createBlockStart(1, { type: 'text', text: '' }) +
  delta(1, { type: 'text_delta', text: 'See: ' }) +
  createBlockStop(1) +
  createBlockStart(2, { type: 'tool_use', id: 'toolu_1', name: 'lookup', input: {} }) +
  delta(2, { type: 'input_json_delta', partial_json: '{"a":1}' }) +
  createBlockStop(2) +
  finish()

function run(chunks: readonly Uint8Array[]) {
  const tap = new PassingTap(new AnthropicObserver())
  const output = chunks.map((chunk) => tap.push(chunk))
  const before = decode(concat(output))
  tap.end()
  return { tap, before, text: before + decode(tap.finish()) }
}

describe('a tap on a stream of a message', () => {
  test('gives back the very array and learns what was said', () => {
    const tap = new PassingTap(new AnthropicObserver())
    const chunk = encode(wholeStream)
    expect(tap.push(chunk)).toBe(chunk)
    expect(tap).toMatchObject({ toolCalls: 1, isEmpty: false, isFinished: true, isDone: false, contentEvents: 4 })
    expect(tap.completionText()).toBe('hm "冰"\nSee: lookup{"a":1}')
    expect(tap.usage).toMatchObject({ promptTokens: 25, cachedTokens: 10, completionTokens: 40 })
  })

  test('keeps the end until the call is settled', () => {
    const tap = new PassingTap(new AnthropicObserver())
    expect(decode(tap.push(encode(wholeStream + stop)))).toBe(wholeStream)
    expect(tap.isDone).toBe(true)
    expect(decode(tap.push(encode(': late\n\n')))).toBe('')
    expect(decode(tap.finish())).toBe(`${stop}: late\n\n`)
  })

  test('knows the prompt from the start, and the completion from the end alone', () => {
    const cut = run([
      encode(start + createBlockStart(0, { type: 'text', text: '' }) + delta(0, { type: 'text_delta', text: 'a' })),
    ])
    const started = { promptTokens: 25, cachedTokens: 10, unreported: 'completion' }
    expect(cut.tap.usage).toMatchObject({ ...started, completionTokens: 1 })
    const late = run([encode(start + finish() + delta(0, { type: 'text_delta', text: 'a' }))])
    expect(late.tap.usage).toMatchObject({ ...started, completionTokens: 40 })
    expect(run([encode(start + finish({ output_tokens: -1 }))]).tap.usage).toBeNull()
  })

  test('takes the latest of counts that are told twice', () => {
    const { usage } = run([
      encode(start + finish({ output_tokens: 3, input_tokens: 20, cache_read_input_tokens: null })),
    ]).tap
    expect(usage).toMatchObject({ promptTokens: 30, cachedTokens: 10, completionTokens: 3 })
  })

  test.each<[string, object, object, object]>([
    // DashScope: the start counts the whole prompt, the end names its cached part alone.
    ['once where the end alone names it', { input_tokens: 3602 }, { cache_read_input_tokens: 3604 }, [3604, 3604]],
    ['once beside what was not', { input_tokens: 900 }, { cache_read_input_tokens: 600 }, [900, 600]],
    // z.ai: the start knows nothing.
    ['by the end', { input_tokens: 0 }, { input_tokens: 14, cache_read_input_tokens: 2048 }, [2062, 2048]],
    // Anthropic: the input is what the cache did not have.
    [
      'beside the input of a start that names it',
      { input_tokens: 15, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
      { cache_read_input_tokens: 10 },
      [25, 10],
    ],
  ])('the cached part of the prompt counts %s', (_, first, last, expected) => {
    const opening = event({ type: 'message_start', message: { id: 'msg_1', usage: first } } as { type: string })
    const text = createBlockStart(0, { type: 'text', text: 'Hi' }) + createBlockStop(0)
    const { tap } = run([encode(opening + text + finish({ output_tokens: 8, ...last }) + stop)])
    expect([tap.usage?.promptTokens, tap.usage?.cachedTokens]).toEqual(expected as number[])
  })

  test('counts the searches that ran before the end tells them', () => {
    const searching =
      createBlockStart(0, { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} }) + createBlockStop(0)
    expect(run([encode(start + searching + searching)]).tap.usage?.toolCalls).toEqual({ webSearch: 2 })
    const reported = finish({ output_tokens: 4, server_tool_use: { web_search_requests: 3, web_fetch_requests: 1 } })
    expect(run([encode(start + searching + reported)]).tap.usage?.toolCalls).toEqual({ webSearch: 3, webFetch: 1 })
    const ran = finish({ output_tokens: 4, server_tool_use: { code_execution_requests: 2 } })
    expect(run([encode(start + ran)]).tap.usage?.toolCalls).toEqual({ codeInterpreter: 2 })
  })

  test('records how the message was served', () => {
    const iterations = [{ type: 'message', input_tokens: 20, output_tokens: 2, cache_creation: {} }]
    const served = { service_tier: 'priority', speed: 'fast', inference_geo: 'us', iterations }
    expect(run([encode(start + finish({ output_tokens: 4, ...served }))]).tap.usage?.details).toEqual({
      ...served,
      iterations: [{ type: 'message', input_tokens: 20, output_tokens: 2 }],
    })
  })

  test('finds an error with a good status', () => {
    const error = event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } as {
      type: string
    })
    const { tap, text } = run([encode(start + error)])
    expect(tap.error).toMatchObject({ type: 'overloaded_error', message: 'Overloaded' })
    expect(text).toBe(start + error)
  })

  test('knows an answer that says nothing', () => {
    const blank =
      start + createBlockStart(0, { type: 'text', text: '' }) + delta(0, { type: 'text_delta', text: ' \n' }) + finish()
    expect(run([encode(blank)]).tap.isEmpty).toBe(true)
  })

  test('learns the same and forwards the same, wherever the bytes were cut', () => {
    const bytes = encode(`${wholeStream}${stop}`.replaceAll('\n\n', '\r\n\r\n'))
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 6 }), (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), bytes.length]
        const { tap, text } = run(places.slice(1).map((end, at) => bytes.subarray(places[at], end)))
        expect(text).toBe(decode(bytes))
        expect(tap.completionText()).toBe('hm "冰"\nSee: lookup{"a":1}')
        expect(tap).toMatchObject({ toolCalls: 1, contentEvents: 4, isDone: true })
        expect(tap.usage).toMatchObject({ promptTokens: 25, completionTokens: 40 })
      }),
      { numRuns: 200 },
    )
  })
})

test('a whole message is seen like its stream', () => {
  const view = readMessage({
    type: 'message',
    content: [
      { type: 'thinking', thinking: 'hm "冰"\n', signature: 'c2ln' },
      { type: 'text', text: 'See: ' },
      { type: 'tool_use', id: 'toolu_1', name: 'lookup', input: { a: 1 } },
    ],
    usage: { input_tokens: 15, cache_read_input_tokens: 10, output_tokens: 40 },
  })
  expect(view).toMatchObject({ toolCalls: 1, isEmpty: false, error: null })
  expect(view.completionText()).toBe('hm "冰"\nSee: lookup{"a":1}')
  expect(view.usage).toMatchObject({ promptTokens: 25, cachedTokens: 10, completionTokens: 40 })
})
