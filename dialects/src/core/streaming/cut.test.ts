import { describe, expect, test } from 'bun:test'

import { dialects } from '../../dialects'
import type { StreamTap } from '../dialect'
import type { JsonObject } from '../json'
import { objectOf, parsedObject } from '../neutral/read'
import { inBody } from '../views'
import type { DialectId } from '../mode'
import type { AnswerEvent } from '../neutral/events'
import { anAnswering, joinDeltas, serverEvents, textWriter } from '../neutral/test/fixtures'
import { chatCodecs } from '../../translation/test/codecs'
import { translationOf } from '../../translation/translation'
import { noUsage } from '../usage'

const ids = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const
type Chatting = (typeof ids)[number]

const usage = { ...noUsage, promptTokens: 11, completionTokens: 7 }
const words = ['one ', 'two ', '"three"\n', 'vier ', 'fünf ', '六 ', 'seven']

const answerEvents: readonly AnswerEvent[] = [
  { type: 'answer-start', id: 'answer_1', model: 'm', createdAt: 1_760_000_000 },
  { type: 'block-start', choice: 0, block: 0, of: { kind: 'text' } },
  ...words.map((text): AnswerEvent => ({ type: 'block-delta', choice: 0, block: 0, delta: { kind: 'text', text } })),
  { type: 'block-end', choice: 0, block: 0 },
  { type: 'block-start', choice: 0, block: 1, of: { kind: 'tool-call', id: 'call_1', name: 'look' } },
  ...['{"at":', '"all ', 'of it"}'].map((text): AnswerEvent => ({
    type: 'block-delta',
    choice: 0,
    block: 1,
    delta: { kind: 'text', text },
  })),
  { type: 'block-end', choice: 0, block: 1 },
  { type: 'choice-end', choice: 0, reason: 'tool-calls', rawReason: '', stopSequence: null },
  { type: 'usage', usage: { ...usage, completionTokens: 99 } },
  { type: 'answer-end' },
]

function codecOf(id: Chatting) {
  const codec = chatCodecs[id]
  if (!codec) throw new Error(`${id} has no codec`)
  return codec
}

/** The answer in the upstream's words, event by event. */
function framesOf(upstream: Chatting): string[] {
  const writer = textWriter(codecOf(upstream), anAnswering())
  return answerEvents.flatMap((event) => writer.write([event]).split(/(?<=\n\n)/)).filter((frame) => frame !== '')
}

const requests: Record<Chatting, object> = {
  'openai-chat': { model: 'm', stream: true, messages: [{ role: 'user', content: 'hi' }] },
  'openai-responses': { model: 'm', stream: true, input: 'hi' },
  'anthropic-messages': { model: 'm', stream: true, max_tokens: 99, messages: [{ role: 'user', content: 'hi' }] },
  gemini: { contents: [{ parts: [{ text: 'hi' }] }] },
}

function tapOf(client: Chatting, upstream: Chatting): StreamTap {
  if (client === upstream) return dialects[client].createTap({ swallowUsage: false, addUsage: true, keepsAnswer: true })
  const body = { ...requests[client] }
  const { call: _, ...options } = anAnswering()
  const translated = translationOf(client, upstream)?.(body, { ...inBody, model: 'm' }, 'm')
  const tap = translated?.createTap?.({ ...options, promptTokens: 11, thoughtsAsText: false, taggedThoughts: false })
  if (!tap) throw new Error(`${client} does not reach ${upstream}`)
  return tap
}

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

/** What the client gets of an answer that is cut after this number of frames, read by its own dialect. */
function readCut(client: Chatting, upstream: Chatting, frames: readonly string[]) {
  const tap = tapOf(client, upstream)
  let text = ''
  for (const frame of frames) {
    text += decode(tap.push(encode(frame)))
    if (tap.isFinished) return null
  }
  tap.cut(1)
  text += decode(tap.finish(usage))
  const reader = codecOf(client).createReader()
  const events = serverEvents(text.replaceAll('\r\n', '\n')).flatMap((event) => reader.read(event))
  return { text, events: joinDeltas([...events, ...reader.end()]), tap }
}

const textOf = (events: readonly AnswerEvent[]): string =>
  events
    .flatMap((event) => (event.type === 'block-delta' && event.delta.kind === 'text' ? [event.delta.text] : []))
    .join('')

const pairs = ids.flatMap((client) => ids.map((upstream): [Chatting, Chatting] => [client, upstream]))

describe.each(pairs)('%s over %s', (client, upstream) => {
  const frames = framesOf(upstream)

  test('an answer that is cut ends as one that reached its limit, wherever it is cut', () => {
    let cuts = 0
    for (let count = 1; count <= frames.length; count += 1) {
      const read = readCut(client, upstream, frames.slice(0, count))
      if (read === null) break
      cuts += 1
      const { events } = read
      const kinds = events.map(({ type }) => type)
      expect(events.filter(({ type }) => type === 'failure')).toEqual([])
      expect(events.findLast(({ type }) => type === 'choice-end')).toMatchObject({ reason: 'length' })
      expect(kinds.filter((kind) => kind === 'choice-end')).toHaveLength(1)
      expect(kinds.filter((kind) => kind === 'block-start')).toHaveLength(
        kinds.filter((kind) => kind === 'block-end').length,
      )
      expect(kinds.at(-1)).toBe('answer-end')
      const reported = textOf(events)
      // Each dialect has its own way to write incomplete JSON arguments.
      expect(words.join('').startsWith(reported.slice(0, words.join('').length))).toBe(true)
      expect(events.findLast((event) => event.type === 'usage')?.usage.completionTokens).toBe(7)
    }
    expect(cuts).toBeGreaterThan(5)
  })

  test('the text so far is counted in bytes', () => {
    const read = readCut(client, upstream, frames.slice(0, 6))
    expect(read?.tap.textBytes).toBeGreaterThan(0)
    expect(read?.tap.textBytes).toBeLessThan(100)
  })
})

/** The response in the last event of a stream. */
const lastResponse = (text: string): JsonObject =>
  objectOf(parsedObject(text.slice(text.lastIndexOf('data: ') + 6))?.['response'])

describe.each(ids)('responses over %s', (upstream) => {
  const frames = framesOf(upstream)

  test('the whole response is what the last event of its stream says, wherever it is cut', () => {
    for (let count = 1; count <= frames.length; count += 1) {
      const read = readCut('openai-responses', upstream, frames.slice(0, count))
      if (read === null) break
      expect(read.tap.wholeAnswer?.()).toEqual(lastResponse(read.text))
    }
  })

  test('a finished stream tells all items of its response', () => {
    const tap = tapOf('openai-responses', upstream)
    let text = frames.map((frame) => decode(tap.push(encode(frame)))).join('')
    tap.end()
    text += decode(tap.finish(usage))
    const response = tap.wholeAnswer?.()
    expect(response).toEqual(lastResponse(text.trimEnd()))
    expect(response?.['output']).toMatchObject([
      { type: 'message', content: [{ text: words.join('') }] },
      { type: 'function_call', arguments: '{"at":"all of it"}' },
    ])
  })
})

test('every choice that was asked for is ended', () => {
  const ends: Partial<Record<DialectId, string>> = {
    'openai-chat': '"finish_reason":"length"',
    'openai-completions': '"finish_reason":"length"',
    gemini: '"finishReason":"MAX_TOKENS"',
  }
  for (const [id, end] of Object.entries(ends)) {
    const tap = dialects[id as DialectId].createTap({ swallowUsage: false, addUsage: false })
    tap.cut(3)
    expect(decode(tap.finish(null)).split(end)).toHaveLength(4)
  }
})

test('an event that was begun is not told of an answer that is cut', () => {
  for (const id of ids) {
    const tap = tapOf(id, id)
    tap.push(encode('data: {"choi'))
    tap.cut(1)
    expect(decode(tap.finish(null))).toMatch(/^(?:(?:event|data): [^\n]*\r?\n)+\r?\n/)
    expect(decode(tap.finish(null))).not.toMatch(/"choi(?!ces")/)
  }
})
