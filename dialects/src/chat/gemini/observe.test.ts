import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { concat } from '../../core/streaming/sse-frames'
import { readResponse } from './response'
import { GeminiObserver } from './observe'
import { PassingTap } from '../../core/streaming/passing-tap'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`
const chunk = (parts: readonly object[], more: object = {}, usage: object | null = null) => ({
  candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }],
  ...(usage && { usageMetadata: usage }),
  modelVersion: 'gemini-3-flash-preview',
  responseId: 'r1',
})

const early = { promptTokenCount: 15, totalTokenCount: 15 }
const full = {
  promptTokenCount: 15,
  candidatesTokenCount: 30,
  thoughtsTokenCount: 10,
  toolUsePromptTokenCount: 5,
  cachedContentTokenCount: 8,
  totalTokenCount: 60,
}
const grounding = {
  webSearchQueries: ['a', 'b', '', 'a'],
  groundingSupports: [{ segment: { text: 'See: ' } }],
}
const going = [
  event(chunk([{ text: 'hm "冰"\n', thought: true }], {}, early)),
  ': a comment\n\n',
  event(chunk([{ text: 'See: ' }], {}, { ...early, candidatesTokenCount: 2, totalTokenCount: 17 })),
  event(chunk([{ functionCall: { name: 'lookup', args: { text: 1 } }, thoughtSignature: 'c2ln' }])),
].join('')
const last = event(chunk([{ text: '' }], { finishReason: 'STOP', groundingMetadata: grounding }, full))
const wholeStream = going + last
const expectedText = 'hm "冰"\nSee: lookup{"text":1}'
const used = { promptTokens: 20, completionTokens: 40, reasoningTokens: 10, cachedTokens: 8 }

function run(chunks: readonly Uint8Array[]) {
  const tap = new PassingTap(new GeminiObserver())
  const output = chunks.map((bytes) => tap.push(bytes))
  tap.end()
  return { tap, text: decode(concat([...output, tap.finish()])) }
}

describe('a tap on a stream of responses', () => {
  test('gives back the very array and learns what was said', () => {
    const tap = new PassingTap(new GeminiObserver())
    const bytes = encode(going)
    expect(tap.push(bytes)).toBe(bytes)
    expect(tap).toMatchObject({ toolCalls: 1, isEmpty: false, isFinished: false, contentEvents: 3, events: 3 })
    expect(tap.completionText()).toBe(expectedText)
  })

  test('keeps the end until the call is settled', () => {
    const tap = new PassingTap(new GeminiObserver())
    expect(decode(tap.push(encode(wholeStream)))).toBe(going)
    expect(tap).toMatchObject({ isFinished: true, isDone: false, events: 4 })
    expect(tap.usage).toMatchObject({ ...used, toolCalls: { webSearch: 2 } })
    expect(decode(tap.push(encode(': late\n\n')))).toBe(`${last}: late\n\n`)
    expect(decode(tap.push(encode(last)))).toBe('')
    tap.end()
    expect(decode(tap.finish())).toBe(last)
  })

  test('counts grounded prompts instead of searches for the models before the third generation', () => {
    expect(
      run([encode(wholeStream.replaceAll('gemini-3-flash-preview', 'gemini-2.5-pro'))]).tap.usage?.toolCalls,
    ).toEqual({
      webSearch: 1,
    })
  })

  test('keeps the prompt of a usage that leaves out what was said', () => {
    expect(run([encode(event(chunk([{ text: 'a' }], {}, early)))]).tap.usage).toMatchObject({
      promptTokens: 15,
      unreported: 'completion',
    })
    const late = event(chunk([{ text: 'a' }], {}, full)) + event(chunk([{ text: 'b' }]))
    expect(run([encode(late)]).tap.usage).toMatchObject({ ...used, unreported: 'completion' })
  })

  test('believes no usage with a broken count', () => {
    expect(run([encode(event(chunk([], {}, { promptTokenCount: -1 })))]).tap.usage).toBeNull()
  })

  test('records what tools put into the prompt, and the modalities', () => {
    const promptTokensDetails = [
      { modality: 'TEXT', tokenCount: 10 },
      { modality: 'IMAGE', tokenCount: 5 },
    ]
    const candidatesTokensDetails = [{ modality: 'IMAGE', tokenCount: 30 }]
    const usage = { ...full, promptTokensDetails, candidatesTokensDetails }
    expect(run([encode(event(chunk([{ text: 'a' }], {}, usage)))]).tap.usage).toMatchObject({
      ...used,
      imageTokens: 5,
      details: {
        tool_use_prompt_tokens: 5,
        prompt_modalities: { TEXT: 10, IMAGE: 5 },
        completion_modalities: { IMAGE: 30 },
      },
    })
  })

  test('a usage that repeated events report first, after zeros, is reported before their text is read', () => {
    const tap = new PassingTap(new GeminiObserver())
    for (const count of [0, 5]) {
      const usage = { promptTokenCount: 0, candidatesTokenCount: count, totalTokenCount: count }
      tap.push(encode(event(chunk([{ text: 'a' }], {}, usage))))
    }
    expect(tap.usage).toMatchObject({ completionTokens: 5, unreported: 'prompt' })
  })

  test('ends with a reason or a blocked prompt, and with nothing else', () => {
    expect(run([encode(event(chunk([{ text: '"finishReason":"STOP"' }])))]).tap.isFinished).toBe(false)
    const blocked = run([encode(event({ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: early }))]).tap
    expect(blocked).toMatchObject({ isFinished: true, isEmpty: true, usage: { promptTokens: 15, completionTokens: 0 } })
  })

  test('finds an error with a good status', () => {
    const error = { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }
    const { tap, text } = run([encode(event(error))])
    expect(tap.error).toMatchObject({ status: 503, message: 'The model is overloaded.', type: 'UNAVAILABLE' })
    expect(text).toBe(event(error))
  })

  test('sees a picture as something that was said', () => {
    const drawn = event(chunk([{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }]))
    expect(run([encode(drawn)]).tap).toMatchObject({ isEmpty: false, contentEvents: 1 })
  })

  test('learns the same and forwards the same, wherever the bytes were cut', () => {
    const stream = wholeStream.replaceAll('\n\n', '\r\n\r\n')
    const bytes = encode(stream.slice(0, -4))
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 6 }), (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), bytes.length]
        const { tap, text } = run(places.slice(1).map((end, at) => bytes.subarray(places[at], end)))
        expect(text).toBe(decode(bytes))
        expect(tap.completionText()).toBe(expectedText)
        expect(tap).toMatchObject({ toolCalls: 1, contentEvents: 3, events: 4, isFinished: true, usage: used })
      }),
      { numRuns: 200 },
    )
  })
})

test('a whole response is seen like its stream', () => {
  const parts = [
    { text: 'hm "冰"\n', thought: true },
    { text: 'See: ' },
    { functionCall: { name: 'lookup', args: { text: 1 } } },
  ]
  const view = readResponse(chunk(parts, { finishReason: 'STOP', groundingMetadata: grounding }, full))
  expect(view).toMatchObject({ toolCalls: 1, isEmpty: false, error: null })
  expect(view.completionText()).toBe(expectedText)
  expect(view.usage).toMatchObject({ ...used, toolCalls: { webSearch: 2 } })
})
