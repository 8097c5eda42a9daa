import { describe, expect, test } from 'bun:test'

import { dialects, type DialectId } from '@tollgate/dialects'

import { ResponseBody } from '@tollgate/http-client'
import { startClocks } from '../../channels/calls/clocks'
import { openingOf, type HoldLimits } from './stream-opening'
import { UpstreamError } from '../../channels/calls/upstream-error'
import { FakeTime } from '../../../test/fake-time'

const encode = (text: string) => new TextEncoder().encode(text)
const event = (data: object, name?: string) => `${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`
const chunk = (delta: object, finish_reason: string | null = null) =>
  event({ id: 'x', choices: [{ index: 0, delta, finish_reason }] })
const eventOf = (type: string, members: object = {}) => event({ type, ...members }, type)

/** What each dialect sends before any content, and a first piece of content. */
const streams: Partial<Record<DialectId, { startUp: readonly string[]; content: string }>> = {
  'openai-chat': {
    startUp: [
      event({ id: 'x', choices: [], prompt_filter_results: [] }),
      chunk({ role: 'assistant', content: '' }),
      chunk({ role: 'assistant', content: null }),
    ],
    content: chunk({ content: 'Hi' }),
  },
  'openai-completions': {
    startUp: [event({ id: 'x', choices: [{ index: 0, text: '', finish_reason: null }] })],
    content: event({ id: 'x', choices: [{ index: 0, text: 'Hi', finish_reason: null }] }),
  },
  'anthropic-messages': {
    startUp: [
      eventOf('message_start', { message: { id: 'm', content: [], usage: { input_tokens: 9, output_tokens: 1 } } }),
      eventOf('ping'),
      eventOf('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ],
    content: eventOf('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hi' } }),
  },
  'openai-responses': {
    startUp: [
      eventOf('response.created', { response: { id: 'r', status: 'in_progress', output: [] } }),
      eventOf('response.in_progress', { response: { id: 'r', status: 'in_progress', output: [] } }),
      eventOf('response.output_item.added', { output_index: 0, item: { type: 'message', content: [] } }),
    ],
    content: eventOf('response.output_text.delta', { output_index: 0, delta: 'Hi' }),
  },
  gemini: {
    startUp: [event({ usageMetadata: { promptTokenCount: 9 }, modelVersion: 'g' })],
    content: event({ candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] } }] }),
  },
}

function aStream(
  dialect: DialectId,
  limits: HoldLimits = { bytes: 1024 * 1024, ms: 60_000, emptyResponsePolicy: 'none' },
) {
  const body = new ResponseBody({ pause() {}, resume() {}, cancel() {} })
  const time = new FakeTime()
  const clocks = startClocks(time, { firstByteMs: 60_000, idleMs: 60_000, totalMs: 60_000 })
  clocks.cancellation.onCancel(() => body.fail(new Error('cancelled')))
  const tap = dialects[dialect].createTap({ swallowUsage: true, addUsage: false })
  let isOpen = false
  const opening = openingOf({ reader: body, tap, clocks, description: {} }, limits, time).finally(() => {
    isOpen = true
    clocks.finish()
  })
  opening.catch(() => {})
  return {
    opening,
    clocks,
    time,
    send: async (text: string) => {
      body.push(encode(text))
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
      return isOpen
    },
    end: () => body.end(),
    fail: () => body.fail(new Error('reset')),
  }
}

const textOf = (parts: readonly Uint8Array[]) => Buffer.concat(parts).toString()
const faultOf = (opening: Promise<unknown>) =>
  opening.then(
    () => 'none',
    (error: unknown) => (error instanceof UpstreamError ? error.fault : String(error)),
  )

for (const [name, { startUp, content }] of Object.entries(streams)) {
  const dialect = name as DialectId
  describe(`the opening of a stream of ${dialect}`, () => {
    test('the opening is held back until content arrives, then forwarded byte for byte', async () => {
      const stream = aStream(dialect)
      for (const text of startUp) expect(await stream.send(text)).toBe(false)
      expect(await stream.send(content)).toBe(true)
      const { first, isProven } = await stream.opening
      expect([textOf(first), isProven]).toEqual([startUp.join('') + content, true])
    })

    test('an opening fails when the stream ends, breaks or reports an error first', async () => {
      const endings = {
        malformed: (stream: ReturnType<typeof aStream>) => stream.end(),
        unreachable: (stream: ReturnType<typeof aStream>) => stream.fail(),
        refused: (stream: ReturnType<typeof aStream>) =>
          void stream.send(
            event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'error'),
          ),
      }
      for (const [fault, end] of Object.entries(endings)) {
        const stream = aStream(dialect)
        for (const text of startUp) await stream.send(text)
        end(stream)
        expect(await faultOf(stream.opening)).toBe(fault)
      }
    })
  })
}

describe('an opening that is held back', () => {
  const role = chunk({ role: 'assistant', content: '' })

  test('a held opening is forwarded when its time is over, and nothing is lost', async () => {
    const stream = aStream('openai-chat', { bytes: 1024, ms: 15_000, emptyResponsePolicy: 'none' })
    await stream.send(role)
    stream.time.advance(15_000)
    const { first, reader, isProven } = await stream.opening
    expect([textOf(first), isProven]).toEqual([role, false])
    void stream.send(chunk({ content: 'late' }))
    const { value } = await reader.read()
    expect(Buffer.from(value ?? []).toString()).toBe(chunk({ content: 'late' }))
    stream.end()
    expect((await reader.read()).done).toBe(true)
  })

  test('a held opening is forwarded when it grows large', async () => {
    const stream = aStream('openai-chat', { bytes: 300, ms: 60_000, emptyResponsePolicy: 'none' })
    for (let turn = 0; turn < 3; turn += 1) await stream.send(role)
    expect(await stream.send(role)).toBe(true)
    expect((await stream.opening).isProven).toBe(false)
  })

  test('an opening of comments only has not begun', async () => {
    const stream = aStream('openai-chat', { bytes: 10, ms: 1, emptyResponsePolicy: 'none' })
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await stream.send(': waiting\n\n')).toBe(false)
      stream.time.advance(1)
    }
    stream.clocks.stop('first-byte')
    expect(await faultOf(stream.opening)).toBe('silent')
  })

  test('a client that leaves during the opening is charged, as the upstream was at work', async () => {
    const stream = aStream('openai-chat')
    await stream.send(role)
    stream.clocks.stop('client')
    expect((await stream.opening).isProven).toBe(false)
    const unbegun = aStream('openai-chat')
    unbegun.clocks.stop('client')
    expect(await faultOf(unbegun.opening)).toBe('abandoned')
  })

  test('a stream that only gives a finish reason is a valid, empty response', async () => {
    const stream = aStream('openai-chat')
    expect(await stream.send(role + chunk({}, 'content_filter'))).toBe(true)
    expect((await stream.opening).isProven).toBe(true)
  })

  test('a stream that only has its end mark is not a response', async () => {
    const stream = aStream('openai-chat')
    await stream.send(`${role}data: [DONE]\n\n`)
    expect(await faultOf(stream.opening)).toBe('malformed')
  })
})
