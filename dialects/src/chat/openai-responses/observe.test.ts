import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { concat } from '../../core/streaming/sse-frames'
import { noUsage } from '../../core/usage'
import { openAiResponsesCodec } from './codec'
import { readResponse } from './response'
import { ResponsesObserver } from './observe'
import { PassingTap } from '../../core/streaming/passing-tap'
import { usageIn } from './usage'
import { fullEvents, fullResponse, fullStream, wire } from './test/fixtures'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const expectedText =
  'First search.Then answer.It freezes in "January" 冰.No more.lookup{"place":"harbour","n":[1,2]}shellls -l'

function run(chunks: readonly Uint8Array[]) {
  const tap = new PassingTap(new ResponsesObserver())
  const before = decode(concat(chunks.map((chunk) => tap.push(chunk))))
  tap.end()
  return { tap, before, text: before + decode(tap.finish()) }
}

test('a response counts searches, not the pages that are opened, and what its usage reports beyond its items', () => {
  const call = (action: object) => ({ type: 'web_search_call', action })
  const output = [call({ type: 'search' }), call({ type: 'open_page' }), call({ type: 'find_in_page' }), call({})]
  const usage = { input_tokens: 1, output_tokens: 2 }
  expect(usageIn({ output, usage })?.toolCalls).toEqual({ webSearch: 2 })
  const reported = { server_side_tool_usage_details: { web_search_calls: 1, x_search_calls: 4 } }
  expect(usageIn({ output, usage: { ...usage, ...reported } })?.toolCalls).toEqual({ webSearch: 5 })
})

test('searches that only the usage of a response reports are counted for a client of another dialect', () => {
  const reported = { server_side_tool_usage_details: { web_search_calls: 3 } }
  const response = { status: 'completed', output: [], usage: { input_tokens: 1, output_tokens: 2, ...reported } }
  const usages = openAiResponsesCodec.readAnswer(response).filter(({ type }) => type === 'usage')
  expect(usages).toMatchObject([{ usage: { toolCalls: { webSearch: 3 } } }])
})

describe('a tap on a stream of a response', () => {
  test('gives back the very array and learns what was said', () => {
    const tap = new PassingTap(new ResponsesObserver())
    const chunk = encode(wire(fullEvents.slice(0, -1)))
    expect(tap.push(chunk)).toBe(chunk)
    expect(tap).toMatchObject({ toolCalls: 2, isEmpty: false, isDone: false, isFinished: false })
    expect(tap.usage).toEqual({ ...noUsage, toolCalls: { webSearch: 1 }, unreported: 'all' })
    expect(tap.completionText()).toBe(expectedText)
  })

  test('keeps the end until the call is settled, and reads the usage from it', () => {
    const { tap, before, text } = run([encode(`${fullStream}: late\n\n`)])
    expect(before).toBe(wire(fullEvents.slice(0, -1)))
    expect(text).toBe(`${fullStream}: late\n\n`)
    expect(tap).toMatchObject({ isDone: true, isFinished: true, error: null })
    expect(tap.usage).toMatchObject({
      promptTokens: 120,
      cachedTokens: 100,
      completionTokens: 40,
      reasoningTokens: 12,
      toolCalls: { webSearch: 1 },
    })
  })

  test('a stream that fails right after its announcements is empty, so that the call can go elsewhere', () => {
    const [created, started] = fullEvents
    const response = { id: 'resp_1', status: 'failed', error: { code: 'rate_limit_exceeded', message: 'Slow down.' } }
    const { tap } = run([encode(wire([created ?? {}, started ?? {}, { type: 'response.failed', response }]))])
    expect(tap).toMatchObject({ contentEvents: 0, isEmpty: true, isDone: true, isFinished: false })
    expect(tap.error).toMatchObject({ type: 'rate_limit_error', code: 'rate_limit_exceeded', message: 'Slow down.' })
  })

  test.each([
    { type: 'error', code: 'server_error', message: 'Broken.', param: null },
    { type: 'error', error: { type: 'server_error', code: 'server_error', message: 'Broken.', param: null } },
  ])('finds the error event %j', (event) => {
    const { tap, text } = run([encode(wire([event]))])
    expect(tap.error).toEqual({ type: 'server_error', code: 'server_error', message: 'Broken.', param: null })
    expect(text).toBe(wire([event]))
  })

  test('an answer that was cut short has ended too', () => {
    const response = { ...fullResponse, status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
    const { tap } = run([encode(wire([{ type: 'response.incomplete', response }]))])
    expect(tap).toMatchObject({ isDone: true, isFinished: true, error: null, usage: { completionTokens: 40 } })
  })

  test('events that are not named, and tools that the end forgets, are understood', () => {
    const end = { type: 'response.completed', response: { ...fullResponse, output: [] } }
    const events = [...fullEvents.slice(0, -1), end]
    const { tap } = run([encode(wire(events).replaceAll(/event: .*\n/g, ''))])
    expect(tap.completionText()).toBe(expectedText)
    expect(tap.usage).toMatchObject({ completionTokens: 40, toolCalls: { webSearch: 1 } })
    const turned = '{"delta":"hi","type":"response.output_text.delta"}'
    expect(run([encode(`data: ${turned}\n\ndata: [DONE]\n\n`)]).tap).toMatchObject({ contentEvents: 1, isDone: true })
  })

  test('a word that looks like a member does not hide what was said', () => {
    const event = { type: 'response.output_text.delta', logprobs: [{ token: 'delta' }], delta: ' \n' }
    const { tap } = run([encode(wire([event]))])
    expect(tap.completionText()).toBe(' \n')
    expect(tap.isEmpty).toBe(true)
  })

  test('learns the same and forwards the same, wherever the bytes were cut', () => {
    const bytes = encode(fullStream.replaceAll('\n', '\r\n'))
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 6 }), (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), bytes.length]
        const { tap, text } = run(places.slice(1).map((end, at) => bytes.subarray(places[at], end)))
        expect(text).toBe(decode(bytes))
        expect(tap.completionText()).toBe(expectedText)
        expect(tap).toMatchObject({ toolCalls: 2, isDone: true, usage: { promptTokens: 120 } })
      }),
      { numRuns: 200 },
    )
  })
})

describe('a whole response', () => {
  test('a whole response is viewed like its stream', () => {
    const view = readResponse(fullResponse)
    const { tap } = run([encode(fullStream)])
    expect(view).toMatchObject({ toolCalls: 2, isEmpty: false, error: null })
    expect(view.completionText()).toBe(expectedText)
    expect(view.usage).toEqual(tap.usage)
  })

  test('a failed response carries an error', () => {
    expect(readResponse({ status: 'failed', error: { code: 'server_error', message: 'No.' } }).error).toEqual({
      type: 'server_error',
      code: 'server_error',
      message: 'No.',
      param: null,
    })
    expect(readResponse({ status: 'failed', error: null }).error?.message).toContain('failed')
    expect(readResponse({ ...fullResponse, output: [], usage: null })).toMatchObject({ isEmpty: true, usage: null })
  })
})
