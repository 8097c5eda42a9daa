import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'

import { HurriedTime } from '../gateway/test/hurried-time'
import { call } from './call'
import { chargeOf, chargesOf } from './ledger-view'
import { head, rawCall } from './raw-call'
import { aWorld, type World } from './world'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

const model = 'gpt-4o'
const messages = [{ role: 'user', content: 'hello' }]
const chat = 'POST /v1/chat/completions HTTP/1.1'
const body = JSON.stringify({ model, messages })
const streamed = JSON.stringify({ model, messages, stream: true })

let world: World
let authorization = ''
const time = new HurriedTime()
beforeAll(async () => {
  world = await aWorld({ gateway: { env: { REQUEST_TIMEOUT: '15' }, ...time.parts } })
  authorization = `Bearer ${world.key}`
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

const request = (text = body) => head(chat, { authorization, 'content-length': text.length }) + text
const requestIdIn = (received: string) => /^x-request-id: (.+?)\r$/im.exec(received)?.[1] ?? ''

test('a body that does not arrive is given up while other calls are served', async () => {
  const started = [
    head(chat, { authorization, 'content-length': 1000 }) + '{"model":',
    head(chat, { authorization, 'transfer-encoding': 'chunked' }) + '9\r\n{"model":\r\n',
    head('POST /api/user/login HTTP/1.1', { 'content-type': 'application/json', 'content-length': 1000 }) + '{"name":',
  ]
  const slow = started.map((sent) => rawCall(world.gateway, sent))
  expect((await call(world.gateway, world.key, { model, messages })).status).toBe(200)
  expect(slow.map(({ readReceived }) => readReceived())).toEqual(['', '', ''])
  for (const received of await time.hurry(Promise.all(slow.map((connection) => connection.until(() => false))))) {
    expect(received).toStartWith('HTTP/1.1 408 ')
    expect(received).toContain('body.slow')
  }
})

test('a body whose length is announced twice is waited for like any other', async () => {
  const sent = head(chat, { authorization, 'content-length': body.length, 'Content-Length': body.length })
  using twice = rawCall(world.gateway, sent + body.slice(0, 5))
  expect((await call(world.gateway, world.key, { model, messages })).status).toBe(200)
  twice.socket.write(body.slice(5))
  expect(await twice.until((received) => received.includes('\r\n\r\n'))).toStartWith('HTTP/1.1 200 ')
})

test('a client that does not read throttles the upstream and is charged once for what was produced', async () => {
  world.simulator.next({ text: `${'x'.repeat(10_000)} `.repeat(5000), usage: 'every-chunk' })
  using slow = rawCall(world.gateway, request(streamed))
  expect(await slow.until((received) => received.includes('\r\n\r\n'))).toStartWith('HTTP/1.1 200 ')
  slow.socket.pause()
  const upstream = await world.simulator.arrival(1)
  expect(await time.hurry(upstream.ended)).toBe('aborted')
  // The buffers of four sockets; the whole response would be 50 MB.
  expect(upstream.bytesDelivered - slow.readReceived().length).toBeLessThan(30_000_000)
  slow.socket.destroy()
  const row = await chargeOf(world.console, requestIdIn(slow.readReceived()))
  expect(row.completion_tokens).toBeGreaterThan(0)
})

test('a client that closes its sending half counts as gone', async () => {
  world.simulator.next({ gate: () => new Promise(() => {}) })
  using half = rawCall(world.gateway, request(streamed))
  const upstream = await world.simulator.arrival(1)
  half.socket.end()
  expect(await upstream.ended).toBe('aborted')
  expect(await chargesOf(world.console, requestIdIn(half.readReceived()))).toEqual([])
})

test('a pipelined request closes the connection and is not processed', async () => {
  using pipe = rawCall(world.gateway, request() + head('GET /health/live HTTP/1.1', {}) + request())
  const received = await pipe.until(() => false)
  expect(received).not.toContain('"live"')
  expect(received.split('"chat.completion"').length - 1).toBeLessThan(2)
  expect(world.simulator.requests.length).toBeLessThan(2)
})

test('a client that expects 100-continue before its body gets it', async () => {
  const headers = { authorization, expect: '100-continue', 'content-length': body.length }
  using waiting = rawCall(world.gateway, head(chat, headers))
  expect(await waiting.until((received) => received.endsWith('\r\n\r\n'))).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  waiting.socket.write(body)
  expect(await waiting.until((received) => received.includes('"chat.completion"'))).toContain('HTTP/1.1 200 ')
})

test('HTTP/1.0 clients and absolute request targets are served', async () => {
  for (const first of ['GET /v1/models HTTP/1.0', 'GET http://elsewhere/v1/models HTTP/1.1']) {
    using old = rawCall(world.gateway, head(first, { authorization }))
    expect(await old.until((received) => received.includes('"object":"list"'))).toContain(' 200 OK')
  }
})

test.each([
  ['two lengths', head(chat, { authorization, 'content-length': '4\r\nContent-Length: 5' })],
  ['a length and chunks', head(chat, { authorization, 'content-length': 4, 'transfer-encoding': 'chunked' })],
  ['an unknown encoding', head(chat, { authorization, 'transfer-encoding': 'xchunked' })],
  ['a negative length', head(chat, { authorization, 'content-length': -1 })],
  ['lines that end in LF alone', `GET /v1/models HTTP/1.1\nHost: gateway\nX: y\n\n`],
  ['a NUL in a header', head('GET /v1/models HTTP/1.1', { authorization, x: 'a\0b' })],
  ['no host', `GET /v1/models HTTP/1.1\r\nX: y\r\n\r\n`],
  ['a megabyte of headers', head('GET /v1/models HTTP/1.1', { authorization, x: 'y'.repeat(1_000_000) })],
  ['no HTTP', '\x16\x03\x01\x02\0\x01\0\r\n\r\n'],
])('%s is refused and the connection closed', async (_name, sent) => {
  using odd = rawCall(world.gateway, `${sent}GET /health/live HTTP/1.1\r\nHost: gateway\r\n\r\n`)
  const received = await odd.until(() => false)
  expect(received).toMatch(/^HTTP\/1\.1 (400|431|505) /)
  expect(received).not.toContain('"live"')
})

test.each(['evil/v1/models?', 'evil/health/live#', 'evil/api/status?', 'evil:80/../..', 'user@evil', ''])(
  'no Host header (%j) opens a protected path to a guest',
  async (host) => {
    for (const path of ['/api/user/', '/api/channel/', '/api/option/', '/v1/models', '//api/user/', '/api%2fuser/']) {
      using odd = rawCall(world.gateway, head(`GET ${path} HTTP/1.1`, { Host: host, connection: 'close' }))
      const received = await odd.until(() => false)
      expect(received).not.toContain('"success":true')
      expect(received).not.toContain('"username"')
    }
  },
)
