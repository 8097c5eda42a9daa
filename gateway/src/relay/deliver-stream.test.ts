import { describe, expect, test } from 'bun:test'

import { dialects, noUsage } from '@tollgate/dialects'

import { startClocks } from './clocks'
import { deliverStream, type StreamDelivery, type StreamEnding } from './deliver-stream'

const clock = { now: () => Date.now(), monotonic: () => performance.now() }
const encode = (text: string) => new TextEncoder().encode(text)
const chunk = (content: string, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`
const done = 'data: [DONE]\n\n'

/** An upstream whose frames come when the test says so. */
function aStream(overrides: Partial<StreamDelivery> = {}) {
  let upstream: ReadableStreamDefaultController<Uint8Array> | undefined
  let isCut = false
  const source = new ReadableStream<Uint8Array>({
    start: (controller) => void (upstream = controller),
    cancel: () => void (isCut = true),
  })
  const endings: StreamEnding[] = []
  const settled = Promise.withResolvers<void>()
  let over = 0
  const clocks = startClocks(clock, { firstByteMs: null, idleMs: 60_000, totalMs: 60_000 })
  const body = deliverStream({
    reader: source.getReader(),
    tap: dialects['openai-chat'].createTap({ swallowUsage: true, addUsage: false }),
    first: [],
    clocks,
    signal: new AbortController().signal,
    heartbeatMs: null,
    onDisconnect: 'cancel',
    drainMs: 60_000,
    settle: async (ending) => {
      endings.push(ending)
      settled.resolve()
      return noUsage
    },
    brokenEvent: () => encode('data: {"error":{}}\n\n'),
    isShowable: () => true,
    over: () => void (over += 1),
    ...overrides,
  })
  return {
    body,
    endings,
    clocks,
    settled: settled.promise,
    overCount: () => over,
    isCut: () => isCut,
    send: (text: string) => upstream?.enqueue(encode(text)),
    end: () => upstream?.close(),
    fail: () => upstream?.error(new Error('reset')),
  }
}

const textOf = (body: ReadableStream<Uint8Array>) => new Response(body).text()
const textIn = (read: { value?: Uint8Array }) => new TextDecoder().decode(read.value)

describe('a delivered stream', () => {
  test('reads the end of the transfer, so that its connection can be used again; one that broke off is cut', async () => {
    const whole = aStream()
    whole.send(chunk('a') + done)
    expect(await textOf(whole.body)).toBe(chunk('a') + done)
    whole.send(': bye\n\n')
    whole.end()
    await new Promise((resolve) => setImmediate(resolve))
    expect(whole.isCut()).toBe(false)
    const broken = aStream()
    broken.send(chunk('a') + 'data: {"error":{"message":"no"}}\n\n' + done)
    await textOf(broken.body)
    expect(broken.isCut()).toBe(true)
  })

  test('is charged once, before its end mark is given', async () => {
    const gate = Promise.withResolvers<void>()
    const stream = aStream({ settle: () => gate.promise.then(() => noUsage) })
    const reader = stream.body.getReader()
    stream.send(chunk('a'))
    expect(textIn(await reader.read())).toBe(chunk('a'))
    stream.send(done)
    let isGiven = false
    const end = reader.read().then((read) => {
      isGiven = true
      return read
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isGiven).toBe(false)
    gate.resolve()
    expect(textIn(await end)).toBe(done)
    expect((await reader.read()).done).toBe(true)
    expect(stream.overCount()).toBe(1)
  })

  test('gives on in one write what one read brought', async () => {
    const stream = aStream()
    const reader = stream.body.getReader()
    stream.send(chunk('a') + chunk('b'))
    expect(textIn(await reader.read())).toBe(chunk('a') + chunk('b'))
  })

  test('reads only as fast as the client takes', async () => {
    let pulls = 0
    const source = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulls += 1
          controller.enqueue(encode(chunk(String(pulls))))
        },
      },
      { highWaterMark: 0 },
    )
    const stream = aStream({ reader: source.getReader() })
    const reader = stream.body.getReader()
    await reader.read()
    await new Promise((resolve) => setImmediate(resolve))
    expect(pulls).toBe(1)
    await reader.cancel()
  })

  test('without an end mark is whole when it said why it finished', async () => {
    const stream = aStream()
    stream.send(chunk('a', 'stop'))
    stream.end()
    expect(await textOf(stream.body)).toBe(chunk('a', 'stop'))
    expect(stream.endings).toEqual(['complete'])
  })

  test.each(['fail', 'end'] as const)('that breaks off (%s) says so and has no end mark', async (how) => {
    const stream = aStream()
    const reader = stream.body.getReader()
    stream.send(chunk('a'))
    await reader.read()
    stream[how]()
    expect(textIn(await reader.read())).toBe('data: {"error":{}}\n\n')
    expect((await reader.read()).done).toBe(true)
    expect(stream.endings).toEqual(['broken'])
  })

  test('whose charge fails has no end mark either', async () => {
    const stream = aStream({ settle: () => Promise.reject(new Error('no database')) })
    stream.send(chunk('a', 'stop') + done)
    const text = await textOf(stream.body)
    expect(text).toContain('"error"')
    expect(text).not.toContain('[DONE]')
  })

  test('beats between events while nothing comes', async () => {
    const stream = aStream({ heartbeatMs: 5 })
    const reader = stream.body.getReader()
    stream.send(chunk('a').slice(0, 9))
    expect(textIn(await reader.read())).toBe(': ping\n\n')
    stream.send(chunk('a').slice(9))
    let read = textIn(await reader.read())
    while (read === ': ping\n\n') read = textIn(await reader.read())
    expect(read).toBe(chunk('a'))
    await reader.cancel()
  })

  test('is stopped by the upstream’s silence though it beats', async () => {
    let now = 0
    const limits = { firstByteMs: null, idleMs: 20, totalMs: 60_000 }
    const clocks = startClocks({ monotonic: () => now }, limits)
    clocks.began()
    const stream = aStream({ heartbeatMs: 1, clocks })
    clocks.signal.addEventListener('abort', () => stream.fail())
    const reader = stream.body.getReader()
    let read = textIn(await reader.read())
    while (read === ': ping\n\n') {
      now += 5
      read = textIn(await reader.read())
    }
    expect(read).toBe('data: {"error":{}}\n\n')
    expect([clocks.reason, stream.endings]).toEqual(['idle', ['broken']])
  })

  test('stops the upstream and is charged once when the client leaves', async () => {
    const controller = new AbortController()
    const stream = aStream({ signal: controller.signal })
    const reader = stream.body.getReader()
    stream.send(chunk('a'))
    await reader.read()
    controller.abort()
    await reader.cancel()
    await stream.settled
    expect([stream.clocks.reason, stream.endings]).toEqual(['client', ['abandoned']])
  })

  test('is charged when the client left before it began to read', async () => {
    const stream = aStream({ signal: AbortSignal.abort() })
    await stream.settled
    expect(stream.endings).toEqual(['abandoned'])
  })

  test('that drains reads on after the client left', async () => {
    const stream = aStream({ onDisconnect: 'drain' })
    const reader = stream.body.getReader()
    stream.send(chunk('a'))
    await reader.read()
    await reader.cancel()
    stream.send(chunk('b', 'stop'))
    stream.send(done)
    await stream.settled
    expect([stream.clocks.reason, stream.endings]).toEqual([null, ['abandoned']])
  })
})
