import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import type { TapOptions } from '../dialect'
import { dialects } from '../../dialects'
import { forceChunkFormat } from '../../chat/openai-chat/force-format'
import { ThinkingToContent } from '../../chat/openai-chat/think'
import { concat } from '../streaming/sse-frames'
import { noUsage } from '../usage'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const event = (chunk: object, end = '\n\n') => `data: ${JSON.stringify(chunk)}${end}`

const frame = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 5, model: 'm' }
const createChunk = (delta: object, rest: object = {}) => ({
  ...frame,
  choices: [{ index: 0, delta, finish_reason: null }],
  ...rest,
})
const stop = { ...frame, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
const usage = { prompt_tokens: 11, completion_tokens: 22, total_tokens: 33 }
const usageOnly = { ...frame, choices: [], usage }
const done = 'data: [DONE]\n\n'

const plain: TapOptions = { swallowUsage: false, addUsage: false }
const tapOn = (options: Partial<TapOptions> = {}) => dialects['openai-chat'].createTap({ ...plain, ...options })

/** Everything that comes out of a tap, with what it learned. */
function run(chunks: readonly Uint8Array[], options: Partial<TapOptions> = {}, dialect = dialects['openai-chat']) {
  const tap = dialect.createTap({ ...plain, ...options })
  const output = chunks.map((chunk) => tap.push(chunk))
  tap.end()
  const rest = tap.finish({ ...noUsage, promptTokens: 1, completionTokens: 2 })
  return { tap, text: decode(concat([...output, rest])) }
}

describe('a tap on a stream', () => {
  test('gives back the very array it was given', () => {
    const tap = tapOn()
    const chunk = encode(event(createChunk({ content: 'a' })) + event(createChunk({ content: 'b' }, { usage: null })))
    expect(tap.push(chunk)).toBe(chunk)
    expect(tap).toMatchObject({ events: 2, contentEvents: 2, usage: null, isDone: false, isFinished: false })
  })

  test('keeps the end mark until the call is settled', () => {
    const tap = tapOn()
    const before = event(createChunk({ content: 'a' })) + event(stop)
    expect(decode(tap.push(encode(before + done)))).toBe(before)
    expect(tap).toMatchObject({ isDone: true, isFinished: true, events: 2 })
    expect(decode(tap.finish(null))).toBe(done)
  })

  test('holds back what comes behind the end mark, though it is as what came before', () => {
    const [before, behind] = [
      event(createChunk({ content: 'a' })) + event(usageOnly),
      event(createChunk({ content: 'b' })),
    ]
    const again = event(createChunk({ content: 'c' }))
    const tap = tapOn()
    expect(decode(tap.push(encode(before + behind + done + again)))).toBe(before + behind)
    expect(tap).toMatchObject({ isDone: true, contentEvents: 2 })
    expect(tap.completionText()).toBe('ab')
    expect(decode(tap.finish(null))).toBe(done + again)
  })

  test('passes on in its order what comes before an event that is as the one before', () => {
    const tap = tapOn()
    const pieces = [event(createChunk({ content: 'a' })), ': still here\n', event(createChunk({ content: 'b' }))]
    expect(pieces.map((piece) => decode(tap.push(encode(piece)))).join('')).toBe(pieces.join(''))
    expect([tap.events, tap.completionText()]).toEqual([2, 'ab'])
  })

  test('learns usage from a chunk of its own, from the last choice, from every chunk and from a choice', () => {
    const streams = [
      event(stop) + event(usageOnly),
      event({ ...stop, usage }),
      event(createChunk({ content: 'a' }, { usage: { prompt_tokens: 11, completion_tokens: 1 } })) +
        event({ ...stop, usage }),
      event({ ...frame, choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage }] }),
      event(usageOnly) + event(usageOnly),
      `data: {"choices": [], "usage" : ${JSON.stringify(usage)}}\n\n`,
    ]
    for (const stream of streams) {
      const { tap, text } = run([encode(stream + done)])
      expect(tap.usage).toEqual({ ...noUsage, promptTokens: 11, completionTokens: 22 })
      expect(text).toBe(stream + done)
    }
  })

  test('an early usage is not taken for that of the whole stream', () => {
    const early = createChunk({ role: 'assistant' }, { usage: { prompt_tokens: 11, completion_tokens: 0 } })
    expect(run([encode(event(early) + event(createChunk({ content: 'a' })))]).tap.usage).toMatchObject({
      promptTokens: 11,
      unreported: 'completion',
    })
    expect(
      run([encode(event(early) + event(createChunk({ content: 'a' })) + event(usageOnly))]).tap.usage?.completionTokens,
    ).toBe(22)
    expect(run([encode(event(usageOnly) + event(stop))]).tap.usage?.completionTokens).toBe(22)
  })

  test('drops a chunk of usage the client did not ask for, and only that', () => {
    const { text, tap } = run(
      [encode(event(createChunk({ content: 'a' })) + event({ ...stop, usage }) + event(usageOnly) + done)],
      {
        swallowUsage: true,
      },
    )
    expect(text).toBe(event(createChunk({ content: 'a' })) + event({ ...stop, usage }) + done)
    expect(tap.usage?.promptTokens).toBe(11)
  })

  test('adds the usage that the client asked for and the upstream withheld', () => {
    const { text } = run([encode(event(createChunk({ content: 'a' })) + event(stop) + done)], { addUsage: true })
    const events = text.trim().split('\n\n')
    expect(events.at(-1)).toBe('data: [DONE]')
    expect(JSON.parse(events.at(-2)?.slice(6) ?? '')).toMatchObject({
      ...frame,
      choices: [],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    })
  })

  test('adds the usage that is charged where the upstream reported another, and only then', () => {
    const finishStream = (stream: string) => {
      const tap = tapOn({ addUsage: true })
      const before = decode(tap.push(encode(stream)))
      return before + decode(tap.finish({ ...noUsage, promptTokens: 11, completionTokens: 22 }))
    }
    const reported = event(stop) + event(usageOnly) + done
    expect(finishStream(reported)).toBe(reported)
    const half = event(createChunk({ content: 'a' })) + event({ ...usageOnly, usage: { prompt_tokens: 11 } })
    expect(finishStream(half + done)).toContain('"completion_tokens":22')
  })

  test('takes the tier from the first chunk where the last does not name it', () => {
    const first = createChunk({ role: 'assistant' }, { service_tier: 'flex' })
    expect(run([encode(event(first) + event(usageOnly) + done)]).tap.usage?.details).toEqual({ service_tier: 'flex' })
    const last = { ...usageOnly, service_tier: 'default' }
    expect(run([encode(event(first) + event(last) + done)]).tap.usage?.details).toEqual({ service_tier: 'default' })
  })

  test('a broken usage is not believed', () => {
    for (const wrong of [null, { prompt_tokens: -1, completion_tokens: 1 }, { prompt_tokens: '5' }, 'much', []]) {
      expect(run([encode(event({ ...usageOnly, usage: wrong }) + done)]).tap.usage).toBeNull()
    }
  })

  test('text of the model is not mistaken for structure', () => {
    const content =
      '"usage":{"prompt_tokens":1} "error":{"message":"x"} "delta":{"content":"y"} data: [DONE]\n\n"finish_reason":"stop"'
    const { tap } = run([encode(event(createChunk({ content })))])
    expect(tap).toMatchObject({ usage: null, error: null, isDone: false, isFinished: false, contentEvents: 1 })
    expect(tap.completionText()).toBe(content)
  })

  test('finds an error in the first event and later', () => {
    const error = event({ error: { message: 'No', type: 'overloaded_error' } })
    const first = tapOn()
    first.push(encode(error))
    expect(first).toMatchObject({ events: 1, contentEvents: 0, error: { message: 'No', type: 'overloaded_error' } })
    const later = tapOn()
    later.push(encode(event(createChunk({ content: 'a' })) + error))
    expect(later).toMatchObject({ contentEvents: 1, error: { message: 'No' } })
    expect(run([encode(event(createChunk({ content: 'a' }, { error: null })))]).tap.error).toBeNull()
  })

  test('collects what is said: text, reasoning once, tool calls', () => {
    const call = (delta: object) => event(createChunk({ tool_calls: [{ index: 0, ...delta }] }))
    const stream =
      event(createChunk({ role: 'assistant', content: '' })) +
      event(createChunk({ reasoning: 'hm', reasoning_content: 'hm' })) +
      event(createChunk({ content: 'ü "q"\n🦊' })) +
      call({ id: 'c', type: 'function', function: { name: 'f', arguments: '' } }) +
      call({ function: { arguments: '{"a":' } }) +
      call({ function: { arguments: '1}' } })
    const { tap } = run([encode(stream)])
    expect(tap.completionText()).toBe('hmü "q"\n🦊f{"a":1}')
    expect(tap).toMatchObject({ toolCalls: 1, isEmpty: false, contentEvents: 5 })
  })

  test('collects from all choices, with space between the tokens of the JSON', () => {
    const stream = 'data: { "choices" : [ { "delta" : { "content" : "a" } } , { "delta" : { "content" : "b" } } ] }\n\n'
    expect(run([encode(stream)]).tap.completionText()).toBe('ab')
  })

  test('collects the parts of content that is a list, and reasoning repeated in parts once', () => {
    const parts = createChunk({
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    })
    expect(run([encode(event(parts))]).tap.completionText()).toBe('ab')
    const repeated = createChunk({
      content: '',
      reasoning: 'hm',
      reasoning_details: [{ type: 'reasoning.text', text: 'hm' }],
    })
    expect(run([encode(event(repeated))]).tap.completionText()).toBe('hm')
  })

  test('knows an answer of nothing but white space', () => {
    expect(run([encode(event(createChunk({ content: ' \n' })) + event(stop))]).tap.isEmpty).toBe(true)
    expect(run([encode(event(createChunk({ content: '\\' })))]).tap.isEmpty).toBe(false)
  })

  test('reads text completions', () => {
    const chunk = {
      id: 'cmpl-1',
      object: 'text_completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, text: 'hi "x"' }],
    }
    const { tap, text } = run([encode(event(chunk) + done)], { addUsage: true }, dialects['openai-completions'])
    expect(tap.completionText()).toBe('hi "x"')
    expect(text).toContain('"object":"text_completion","created":1')
  })

  test('reads an end that no empty line follows', () => {
    const { tap, text } = run([
      encode(`${event(createChunk({ content: 'a' }))}data: ${JSON.stringify({ ...stop, usage })}`),
    ])
    expect(tap).toMatchObject({ isFinished: true, usage: { promptTokens: 11 } })
    expect(text).toBe(`${event(createChunk({ content: 'a' }))}data: ${JSON.stringify({ ...stop, usage })}`)
    const cut = run([encode(`${event(stop)}data: [DONE]`)])
    expect(cut.tap.isDone).toBe(true)
    expect(cut.text).toBe(`${event(stop)}data: [DONE]`)
  })

  test('changes chunks, one change after the other, and what ends them', () => {
    const stream = event(createChunk({ reasoning_content: 'hm' }, { error: null, vendor: 1 })) + ': ping\n\n' + done
    const { text } = run([encode(stream)], { changes: [new ThinkingToContent(), forceChunkFormat] })
    const [first, comment, last, mark] = text.trim().split('\n\n')
    expect(JSON.parse(first?.slice(6) ?? '')).toEqual(createChunk({ content: '<think>\nhm' }))
    expect(comment).toBe(': ping')
    expect(JSON.parse(last?.slice(6) ?? '')).toEqual(createChunk({ content: '\n</think>\n' }))
    expect(mark).toBe('data: [DONE]')
  })

  test('keeps no more text than a megabyte', () => {
    const tap = tapOn()
    const chunk = encode(event(createChunk({ content: 'x'.repeat(300_000) })))
    for (let count = 0; count < 5; count += 1) tap.push(chunk)
    expect(tap.completionText()).toHaveLength(1024 * 1024)
  })
})

describe('wherever the network cuts', () => {
  const parts = [
    event(createChunk({ role: 'assistant', content: '' })),
    ': keep-alive\n\n',
    event(createChunk({ content: 'grün 🦊' }, { zz: { b: [1e21] } })),
    event(createChunk({ content: 'b' }), '\r\n\r\n'),
    'event: ping\ndata: {}\n\n',
    event(stop, '\r\r'),
    event(usageOnly),
    done,
    ': bye\n\n',
  ]
  const order = fc.subarray(parts, { minLength: 1 })
  const cuts = fc.array(fc.nat(900), { maxLength: 20 })

  const summarizeTap = ({ tap, text }: ReturnType<typeof run>) => ({
    text,
    usage: tap.usage,
    said: tap.completionText(),
    events: tap.events,
    contentEvents: tap.contentEvents,
    isDone: tap.isDone,
    isFinished: tap.isFinished,
  })

  function cutAt(all: Uint8Array, places: readonly number[]): Uint8Array[] {
    const sorted = [0, ...places.filter((position) => position < all.length).sort((a, b) => a - b), all.length]
    return sorted.slice(1).map((end, index) => all.slice(sorted[index], end))
  }

  test('the same goes out and the same is learned', () => {
    fc.assert(
      fc.property(order, cuts, fc.boolean(), fc.boolean(), (events, places, swallowUsage, addUsage) => {
        const all = encode(events.join(''))
        const options = { swallowUsage, addUsage }
        expect(summarizeTap(run(cutAt(all, places), options))).toEqual(summarizeTap(run([all], options)))
      }),
      { numRuns: 500 },
    )
  })

  test('what goes out is what came in when nothing is asked for', () => {
    fc.assert(
      fc.property(order, cuts, (events, places) => {
        const all = encode(events.join(''))
        expect(run(cutAt(all, places)).text).toBe(events.join(''))
      }),
    )
  })

  test('changed streams are the same too', () => {
    fc.assert(
      fc.property(order, cuts, (events, places) => {
        const all = encode(events.join(''))
        const changes = () => ({ changes: [new ThinkingToContent()] })
        expect(summarizeTap(run(cutAt(all, places), changes()))).toEqual(summarizeTap(run([all], changes())))
      }),
    )
  })
})
