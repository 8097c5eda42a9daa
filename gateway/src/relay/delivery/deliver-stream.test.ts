import { beforeEach, describe, expect, test } from 'bun:test'

import { dialects, noUsage } from '@tollgate/dialects'

import type { ByteReader } from '@tollgate/http-client'
import { startClocks } from '../../channels/calls/clocks'
import { Departure } from '../departure'
import { deliverStream, type StreamDelivery, type StreamEnding } from './deliver-stream'
import { FakeTime } from '../../../test/fake-time'

let time: FakeTime
beforeEach(() => {
  time = new FakeTime()
})

const encode = (text: string) => new TextEncoder().encode(text)
const chunk = (content: string, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`
const done = 'data: [DONE]\n\n'

const aClient = { userId: 1, tokenId: 1 }
const aDeparture = () => Departure.withoutConnection(aClient)

/** An upstream whose frames are controlled by the test. */
function aStream(overrides: Partial<StreamDelivery> = {}) {
  let upstream: ReadableStreamDefaultController<Uint8Array> | undefined
  let isCut = false
  const source = new ReadableStream<Uint8Array>({
    start: (controller) => void (upstream = controller),
    cancel: () => void (isCut = true),
  })
  const endings: StreamEnding[] = []
  const settled = Promise.withResolvers<void>()
  let overs = 0
  const clocks = startClocks(time, { firstByteMs: null, idleMs: 60_000, totalMs: 60_000 })
  const body = deliverStream({
    reader: source.getReader(),
    tap: dialects['openai-chat'].createTap({ swallowUsage: true, addUsage: false }),
    first: [],
    form: null,
    clocks,
    timers: time,
    departure: aDeparture(),
    heartbeatMs: null,
    readOnMs: () => 0,
    settle: async (ending) => {
      endings.push(ending)
      settled.resolve()
      return noUsage
    },
    brokenEvent: () => encode('data: {"error":{}}\n\n'),
    isShowable: () => true,
    over: () => void (overs += 1),
    ...overrides,
  })
  return {
    body,
    endings,
    clocks,
    settled: settled.promise,
    overCount: () => overs,
    isCut: () => isCut,
    send: (text: string) => upstream?.enqueue(encode(text)),
    end: () => upstream?.close(),
    fail: () => upstream?.error(new Error('reset')),
  }
}

/** An upstream whose large chunks are always available. */
function large(pieces: number) {
  const value = encode(chunk('x'.repeat(60_000)))
  let reads = 0
  const reader: ByteReader = {
    read: () => Promise.resolve((reads += 1) > pieces ? { done: true } : { done: false, value }),
    cancel: () => Promise.resolve(),
  }
  return { reader, reads: () => reads }
}

/** A server whose every response has this body, and clients that read only on demand. */
function serve(body: ReadableStream<Uint8Array>) {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: () => new Response(body) })
  return {
    connect: () =>
      Bun.connect({
        hostname: '127.0.0.1',
        port: server.port ?? 0,
        socket: { open: (socket) => void socket.write('GET / HTTP/1.1\r\nhost: test\r\n\r\n'), data() {} },
      }),
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

/** Resolves with a value once it has stopped changing. */
async function steady<Value>(read: () => Value): Promise<Value> {
  let last = read()
  for (let same = 0; same < 100; same += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    if (read() !== last) same = 0
    last = read()
  }
  return last
}

const textOf = (body: ReadableStream<Uint8Array>) => new Response(body).text()
const textIn = (read: { value?: Uint8Array }) => new TextDecoder().decode(read.value)

describe('a delivered stream', () => {
  test('a finished transfer is read to its end so that its connection can be reused; a broken one is closed', async () => {
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

  test('a stream is charged once, before its end mark is sent', async () => {
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

  test('the result of one read is forwarded in one write', async () => {
    const stream = aStream()
    const reader = stream.body.getReader()
    stream.send(chunk('a') + chunk('b'))
    expect(textIn(await reader.read())).toBe(chunk('a') + chunk('b'))
  })

  test('the upstream is read only as fast as the client reads, and to its end', async () => {
    const pieces = 400
    const { reader, reads } = large(pieces)
    const stream = aStream({ reader })
    await using server = serve(stream.body)
    const client = await server.connect()
    client.pause()
    expect(await steady(reads)).toBeLessThan(pieces / 2)
    expect(stream.endings).toEqual([])
    client.resume()
    await stream.settled
    expect(reads()).toBe(pieces + 1)
  })

  test('a stream whose client stops reading is charged when the client leaves', async () => {
    const { reader, reads } = large(Infinity)
    const stream = aStream({ reader })
    await using server = serve(stream.body)
    const client = await server.connect()
    client.pause()
    await steady(reads)
    client.end()
    await stream.settled
    await steady(stream.overCount)
    expect([stream.endings, stream.overCount()]).toEqual([['abandoned'], 1])
  })

  test('a draining stream whose client stops reading is read to its end when the client leaves', async () => {
    const all = 1000
    const { reader, reads } = large(all)
    const stream = aStream({ reader, readOnMs: () => 60_000 })
    await using server = serve(stream.body)
    const client = await server.connect()
    client.pause()
    expect(await steady(reads)).toBeLessThan(all)
    client.end()
    await stream.settled
    expect([stream.endings, stream.clocks.reason, reads()]).toEqual([['abandoned'], null, all + 1])
  })

  test('a stream whose client stops reading but stays is charged at the timeout', async () => {
    const clocks = startClocks(time, { firstByteMs: null, idleMs: 60_000, totalMs: 60_000 })
    const { reader, reads } = large(Infinity)
    const read = () => (clocks.reason ? Promise.reject(new Error('stopped')) : reader.read())
    const stream = aStream({ reader: { ...reader, read }, clocks })
    await using server = serve(stream.body)
    const client = await server.connect()
    client.pause()
    await steady(reads)
    expect(stream.endings).toEqual([])
    clocks.stop('total')
    await stream.settled
    await steady(stream.overCount)
    expect([stream.endings, stream.overCount()]).toEqual([['broken'], 1])
    client.end()
  })

  test('a stream is reframed as the client’s form requires', async () => {
    const form = dialects.gemini.streamForm?.('') ?? null
    const stream = aStream({ form })
    stream.send(chunk('a', 'stop') + done)
    const text = await textOf(stream.body)
    expect(text.startsWith('[{"id":"x"')).toBe(true)
    expect(text.endsWith(',\r\n[DONE]]')).toBe(true)
  })

  test('a stream without an end mark is complete once it gave a finish reason', async () => {
    const stream = aStream()
    stream.send(chunk('a', 'stop'))
    stream.end()
    expect(await textOf(stream.body)).toBe(chunk('a', 'stop'))
    expect(stream.endings).toEqual(['complete'])
  })

  test.each(['fail', 'end'] as const)('a stream that breaks off (%s) says so and has no end mark', async (how) => {
    const stream = aStream()
    const reader = stream.body.getReader()
    stream.send(chunk('a'))
    await reader.read()
    stream[how]()
    expect(textIn(await reader.read())).toBe('data: {"error":{}}\n\n')
    expect((await reader.read()).done).toBe(true)
    expect(stream.endings).toEqual(['broken'])
  })

  test('a stream whose charge fails has no end mark', async () => {
    const stream = aStream({ settle: () => Promise.reject(new Error('no database')) })
    stream.send(chunk('a', 'stop') + done)
    const text = await textOf(stream.body)
    expect(text).toContain('"error"')
    expect(text).not.toContain('[DONE]')
  })

  test('heartbeats are sent between events while nothing arrives', async () => {
    const stream = aStream({ heartbeatMs: 5000 })
    const reader = stream.body.getReader()
    stream.send(chunk('a').slice(0, 9))
    const beat = reader.read()
    time.advance(5000)
    expect(textIn(await beat)).toBe(': ping\n\n')
    stream.send(chunk('a').slice(9))
    expect(textIn(await reader.read())).toBe(chunk('a'))
    await reader.cancel()
    expect(await steady(() => time.pending)).toBe(0)
  })

  test('the upstream’s silence timeout applies in spite of heartbeats', async () => {
    const clocks = startClocks(time, { firstByteMs: null, idleMs: 20_000, totalMs: 60_000 })
    clocks.began()
    const stream = aStream({ heartbeatMs: 6000, clocks })
    clocks.cancellation.onCancel(() => stream.fail())
    const reader = stream.body.getReader()
    for (const beat of [1, 2, 3]) {
      const read = reader.read()
      time.advance(6000)
      expect([beat, textIn(await read)]).toEqual([beat, ': ping\n\n'])
    }
    time.advance(2000)
    expect(textIn(await reader.read())).toBe('data: {"error":{}}\n\n')
    expect([clocks.reason, stream.endings]).toEqual(['idle', ['broken']])
  })

  test('a client that leaves stops the upstream and is charged once', async () => {
    const controller = new AbortController()
    const stream = aStream({ departure: Departure.of(controller.signal, aClient) })
    const reader = stream.body.getReader()
    stream.send(chunk('a'))
    await reader.read()
    controller.abort()
    await reader.cancel()
    await stream.settled
    expect([stream.clocks.reason, stream.endings]).toEqual(['client', ['abandoned']])
  })

  test('a client that left before reading is charged', async () => {
    const stream = aStream({ departure: Departure.of(AbortSignal.abort(), aClient) })
    await stream.settled
    expect(stream.endings).toEqual(['abandoned'])
  })

  test('a draining stream is read on after the client left', async () => {
    const stream = aStream({ readOnMs: () => 60_000 })
    const reader = stream.body.getReader()
    stream.send(chunk('a'))
    await reader.read()
    await reader.cancel()
    stream.send(chunk('b', 'stop'))
    stream.send(done)
    await stream.settled
    expect([stream.clocks.reason, stream.endings]).toEqual([null, ['abandoned']])
  })

  test('a client that is sent away is told so at once, and the upstream is read on to be charged', async () => {
    const departure = aDeparture()
    const stream = aStream({ departure, readOnMs: () => 60_000 })
    const reader = stream.body.getReader()
    stream.send(chunk('a'))
    await reader.read()
    departure.sendAway()
    expect(textIn(await reader.read())).toBe('data: {"error":{}}\n\n')
    expect((await reader.read()).done).toBe(true)
    expect(stream.endings).toEqual([])
    stream.send(chunk('b', 'stop'))
    stream.send(done)
    await stream.settled
    expect([stream.clocks.reason, stream.endings]).toEqual([null, ['revoked']])
  })

  test('bytes without events that end because their client is sent away are not taken for the whole', async () => {
    const departure = aDeparture()
    const stream = aStream({ departure, brokenEvent: () => null })
    const reader = stream.body.getReader()
    stream.send(chunk('a'))
    await reader.read()
    departure.sendAway()
    expect(await reader.read().catch((error: Error) => error.name)).toBe('BrokenTransfer')
    await stream.settled
    expect([stream.clocks.reason, stream.endings]).toEqual(['client', ['revoked']])
  })
})
