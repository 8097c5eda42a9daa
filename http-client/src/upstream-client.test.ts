import { afterEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'

import type { Socket } from 'bun'

import { aCertificateFor, cannotMakeCertificates } from '../../gateway/test/tls'
import { MalformedResponse } from './response-head'
import { Cancellation, Cancelled } from './cancellation'
import { ConnectTimeout, StaleConnection } from './connection'
import { UpstreamClient } from './upstream-client'
import type { UpstreamRequest } from './upstream-request'
import { systemTimers } from '../../gateway/src/platform/time/timers'

type Peer = Socket<{ number: number; text: string }>

/** An upstream whose every byte is sent by the test. `answer` is called when a request of this length has arrived. */
function anUpstream(respond: (socket: Peer, requests: number) => void, { until = '\r\n\r\n{}' } = {}) {
  const seen = { connections: 0, requests: [] as string[], closed: 0 }
  const closed = Promise.withResolvers<void>()
  const server = Bun.listen<{ number: number; text: string }>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(socket) {
        seen.connections += 1
        socket.data = { number: seen.connections, text: '' }
      },
      data(socket, bytes) {
        socket.data.text += bytes.toString('latin1')
        if (!socket.data.text.endsWith(until)) return
        seen.requests.push(socket.data.text)
        socket.data.text = ''
        respond(socket, seen.requests.length)
      },
      drain() {},
      close() {
        seen.closed += 1
        closed.resolve()
      },
    },
  })
  cleanups.push(() => server.stop(true))
  return { seen, closed: closed.promise, url: `http://127.0.0.1:${server.port}/v1/chat?a=b#c` }
}

const failureOf = (sending: Promise<unknown>): Promise<unknown> =>
  sending.then(
    () => null,
    (error: unknown) => error,
  )

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

function aClient(connectTimeoutMs = 5_000) {
  let now = 0
  const client = new UpstreamClient(
    { connectTimeoutMs, usesProxy: false },
    { clock: { monotonic: () => now }, timers: systemTimers },
  )
  cleanups.push(() => client[Symbol.dispose]())
  const never = new Cancellation()
  return {
    pass: (milliseconds: number) => void (now += milliseconds),
    send: (url: string, values: Partial<UpstreamRequest> = {}, cancellation = never) =>
      client.send(
        { url, headers: { accept: 'application/json' }, body: '{}', proxy: undefined, ...values },
        cancellation,
      ),
  }
}

const ok = (body: string, headers = '') => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`

async function textOf({ body }: Awaited<ReturnType<ReturnType<typeof aClient>['send']>>): Promise<string> {
  let text = ''
  for (let part = await body.read(); !part.done; part = await body.read())
    text += Buffer.from(part.value).toString('latin1')
  return text
}

describe('a request', () => {
  test('a request is written as HTTP/1.1, its body as UTF-8', async () => {
    const upstream = anUpstream((socket) => socket.write(ok('fine')), { until: '"\xc3\xa9"' })
    const response = await aClient().send(upstream.url, { headers: { 'x-name': 'caf\xe9 ' }, body: '"é"' })
    expect([response.status, await textOf(response)]).toEqual([200, 'fine'])
    const host = new URL(upstream.url).host
    expect(upstream.seen.requests).toEqual([
      `POST /v1/chat?a=b HTTP/1.1\r\nHost: ${host}\r\nx-name: caf\xe9\r\nContent-Length: 4\r\n\r\n"\xc3\xa9"`,
    ])
  })

  test.each<Record<string, string>>([
    { 'x-key': 'a\r\nHost: other' },
    { 'x-key': 'schlüssel‑ä' },
    { 'x key': 'a' },
    { '': 'a' },
  ])('a request with a header that would say something else is not sent: %j', async (headers) => {
    const upstream = anUpstream((socket) => socket.write(ok('')))
    expect(await failureOf(aClient().send(upstream.url, { headers }))).toBeInstanceOf(TypeError)
    expect(upstream.seen.connections).toBe(0)
  })

  test('a request of many megabytes arrives whole at an upstream that reads slowly', async () => {
    const body = 'x'.repeat(12_000_000)
    const upstream = anUpstream((socket) => socket.write(ok('got it')), { until: 'x}' })
    const response = await aClient().send(upstream.url, { body: `{${body}}` })
    expect(await textOf(response)).toBe('got it')
    expect(upstream.seen.requests[0]).toEndWith(`\r\n\r\n{${body}}`)
  })

  test('a request that is answered before it is sent completely gets its response, and its connection is not reused', async () => {
    const server = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        open(socket) {
          socket.pause()
          socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig')
        },
        data() {},
      },
    })
    cleanups.push(() => server.stop(true))
    const response = await aClient().send(`http://127.0.0.1:${server.port}`, { body: 'x'.repeat(30_000_000) })
    expect([response.status, await textOf(response)]).toEqual([413, 'big'])
  })
})

describe('a connection', () => {
  test('a connection serves one call after the other, and never two at once', async () => {
    const upstream = anUpstream((socket) => socket.write(ok(String(socket.data.number))))
    const client = aClient()
    const send = async () => textOf(await client.send(upstream.url))
    expect([await send(), await send(), await send()]).toEqual(['1', '1', '1'])
    expect((await Promise.all([send(), send()])).sort()).toEqual(['1', '2'])
  })

  test('a connection that was paused for a reader serves the next call, though the response ended before it was read', async () => {
    const large = 'x'.repeat(200_000)
    const body = large + 'y'.repeat(100_000)
    const upstream = anUpstream((socket, requests) => {
      const response = ok(requests === 1 ? body : 'next')
      const written = socket.write(response.slice(0, large.length))
      // More than is read ahead, and the end of the response, arrive together.
      if (written < response.length) setTimeout(() => socket.write(response.slice(written)), 50)
    })
    const client = aClient()
    const first = await client.send(upstream.url)
    await Bun.sleep(200)
    expect(await textOf(first)).toBe(body)
    expect(await textOf(await client.send(upstream.url))).toBe('next')
    expect(upstream.seen.connections).toBe(1)
  })

  test.each([
    ['is closed', 'Connection: close\r\n'],
    ['would be closed soon', 'Keep-Alive: timeout=1\r\n'],
  ])('a connection that %s is not reused', async (_, headers) => {
    const upstream = anUpstream((socket) => socket.write(ok('1', headers)))
    const client = aClient()
    await textOf(await client.send(upstream.url))
    await textOf(await client.send(upstream.url))
    expect(upstream.seen.connections).toBe(2)
  })

  test('a connection that was idle for too long is closed', async () => {
    const upstream = anUpstream((socket) => socket.write(ok(String(socket.data.number))))
    const client = aClient()
    await textOf(await client.send(upstream.url))
    client.pass(54_000)
    expect(await textOf(await client.send(upstream.url))).toBe('1')
    client.pass(55_000)
    expect(await textOf(await client.send(upstream.url))).toBe('2')
    await upstream.closed
  })

  test('a connection that closes when it is reused is reported as stale, and nothing is sent twice', async () => {
    const upstream = anUpstream((socket, requests) => (requests === 2 ? socket.terminate() : socket.write(ok('fine'))))
    const client = aClient()
    await textOf(await client.send(upstream.url))
    expect(await failureOf(client.send(upstream.url))).toBeInstanceOf(StaleConnection)
    expect([upstream.seen.connections, upstream.seen.requests.length]).toEqual([1, 2])
    expect(await textOf(await client.send(upstream.url))).toBe('fine')
  })

  test('a stale connection closes the other idle ones', async () => {
    const waiting: (() => void)[] = []
    const upstream = anUpstream((socket, requests) => {
      if (requests <= 3) waiting.push(() => socket.write(ok('fine')))
      else if (requests === 4) socket.terminate()
      else socket.write(ok('fine'))
      if (requests === 3) for (const respond of waiting) respond()
    })
    const client = aClient()
    await Promise.all([1, 2, 3].map(async () => textOf(await client.send(upstream.url))))
    expect(await failureOf(client.send(upstream.url))).toBeInstanceOf(StaleConnection)
    await textOf(await client.send(upstream.url))
    expect(upstream.seen.connections).toBe(4)
  })

  test('a connection that is closed silently after a response is neither reused nor reported as stale', async () => {
    const upstream = anUpstream((socket) => {
      socket.write(ok('fine'))
      socket.end()
    })
    const client = aClient()
    for (let call = 0; call < 20; call += 1) {
      const outcome = await client.send(upstream.url).then(textOf, (error: unknown) => error)
      if (outcome !== 'fine') expect(outcome).toBeInstanceOf(StaleConnection)
    }
    expect(upstream.seen.connections).toBeGreaterThanOrEqual(10)
  })

  test('a connection that closes a while after its reuse has failed, and nothing is sent twice', async () => {
    const client = aClient()
    const upstream = anUpstream((socket, requests) => {
      if (requests === 1) socket.write(ok('fine'))
      else {
        client.pass(1_000)
        socket.terminate()
      }
    })
    await textOf(await client.send(upstream.url))
    expect(await failureOf(client.send(upstream.url))).toBeInstanceOf(Error)
    expect(upstream.seen.requests).toHaveLength(2)
  })

  test('a new connection that closes without a response has failed, and nothing is sent twice', async () => {
    const upstream = anUpstream((socket) => socket.terminate())
    expect(await failureOf(aClient().send(upstream.url))).toBeInstanceOf(Error)
    expect(upstream.seen.requests).toHaveLength(1)
  })

  test('a connection that breaks in the middle of a response has failed, and nothing is sent twice', async () => {
    const upstream = anUpstream((socket, requests) => {
      socket.write(requests === 1 ? ok('fine') : 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf')
      if (requests === 2) socket.end()
    })
    const client = aClient()
    await textOf(await client.send(upstream.url))
    const response = await client.send(upstream.url)
    expect(await failureOf(textOf(response))).toBeInstanceOf(MalformedResponse)
    expect(upstream.seen.requests).toHaveLength(2)
  })

  test('a connection with unsolicited bytes is closed', async () => {
    const upstream = anUpstream((socket) => {
      socket.write(ok('fine'))
      setImmediate(() => socket.write(ok('more')))
    })
    const client = aClient()
    await textOf(await client.send(upstream.url))
    await upstream.closed
    expect(await textOf(await client.send(upstream.url))).toBe('fine')
  })

  test('a connection that is not established in time, here for lack of a TLS handshake, times out', async () => {
    const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
    cleanups.push(() => silent.stop(true))
    const sending = aClient(50).send(`https://127.0.0.1:${silent.port}/`)
    expect(await failureOf(sending)).toBeInstanceOf(ConnectTimeout)
  })

  test.each([
    ['at once', { open: (socket: Socket) => socket.terminate(), data() {} }],
    ['in the middle of its handshake', { data: (socket: Socket) => socket.end() }],
    ['with a reset', { data: (socket: Socket) => socket.terminate() }],
  ])('a connection that ends %s before TLS is established fails without waiting', async (_, socket) => {
    const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket })
    cleanups.push(() => server.stop(true))
    const failure = await failureOf(aClient(60_000).send(`https://127.0.0.1:${server.port}/`))
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(ConnectTimeout)
  })

  test('a connection to a closed port fails', async () => {
    expect(await failureOf(aClient().send('http://127.0.0.1:1/'))).toMatchObject({
      code: 'ECONNREFUSED',
    })
    expect(await failureOf(aClient().send('ftp://127.0.0.1/'))).toBeInstanceOf(TypeError)
  })
})

describe('a call that is cancelled', () => {
  test('a call cancelled while the response is awaited or read fails, and the upstream sees it', async () => {
    const client = aClient()
    const before = anUpstream(() => {})
    const already = new Cancellation()
    already.cancel()
    expect(await failureOf(client.send(before.url, {}, already))).toBeInstanceOf(Cancelled)
    expect(before.seen.connections).toBe(0)

    const leaving = new Cancellation()
    const silent = anUpstream(() => leaving.cancel())
    expect(await failureOf(client.send(silent.url, {}, leaving))).toBeInstanceOf(Cancelled)
    await silent.closed

    const later = new Cancellation()
    const slow = anUpstream((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'))
    const { body } = await client.send(slow.url, {}, later)
    expect(Buffer.from((await body.read()).value ?? []).toString()).toBe('half')
    later.cancel()
    expect(await failureOf(body.read())).toBeInstanceOf(Cancelled)
    await slow.closed
  })

  test('a call cancelled before the end closes the connection, and after the end does not', async () => {
    const upstream = anUpstream((socket, requests) =>
      socket.write(requests === 1 ? ok('fine') : 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'),
    )
    const client = aClient()
    const whole = await client.send(upstream.url)
    await whole.body.cancel()
    expect(upstream.seen.closed).toBe(0)
    const half = await client.send(upstream.url)
    await half.body.cancel()
    await upstream.closed
    expect(upstream.seen.connections).toBe(1)
    expect((await half.body.read()).done).toBe(true)
  })
})

test('unread data exerts back-pressure on the upstream', async () => {
  const size = 64_000_000
  let written = 0
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket) {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`)
        written = socket.write(Buffer.alloc(size))
      },
      drain: (socket) => void (written += socket.write(Buffer.alloc(size - written))),
    },
  })
  cleanups.push(() => server.stop(true))
  const { body } = await aClient().send(`http://127.0.0.1:${server.port}`)
  for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  expect(written).toBeLessThan(size / 2)
  let read = 0
  for (let part = await body.read(); !part.done; part = await body.read()) read += part.value.byteLength
  expect(read).toBe(size)
})

test.each([
  ['gzip', (bytes: Buffer<ArrayBuffer>) => Bun.gzipSync(bytes)],
  ['x-gzip', (bytes: Buffer<ArrayBuffer>) => Bun.gzipSync(bytes)],
  ['zstd', (bytes: Buffer<ArrayBuffer>) => Bun.zstdCompressSync(bytes)],
  ['Identity', (bytes: Buffer<ArrayBuffer>) => bytes],
] as const)('a %s body arrives decompressed', async (coding, pack) => {
  const packed = pack(Buffer.from('what was said '.repeat(5000)))
  const upstream = anUpstream((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${packed.length}\r\n\r\n`)
    socket.write(packed)
  })
  expect(await textOf(await aClient().send(upstream.url))).toBe('what was said '.repeat(5000))
})

test('a body in an unknown or broken encoding is malformed', async () => {
  const unknown = anUpstream((socket) => socket.write(ok('?', 'Content-Encoding: rar\r\n')))
  expect(await failureOf(aClient().send(unknown.url))).toBeInstanceOf(MalformedResponse)
  const bad = anUpstream((socket) => socket.write(ok('not packed', 'Content-Encoding: gzip\r\n')))
  expect(await failureOf(textOf(await aClient().send(bad.url)))).toBeInstanceOf(Error)
})

/** Sends one call to a URL and prints the status or the error's code. */
const sendTo = (url: string) => `
  import { UpstreamClient } from ${JSON.stringify(join(import.meta.dir, 'upstream-client.ts'))}
  import { Cancellation } from ${JSON.stringify(join(import.meta.dir, 'cancellation.ts'))}
  import { systemTimers as timers } from ${JSON.stringify(join(import.meta.dir, '../../gateway/src/platform/time/timers.ts'))}
  const config = { connectTimeoutMs: 5000, usesProxy: false }
  const client = new UpstreamClient(config, { clock: { monotonic: () => 0 }, timers })
  const request = { url: ${JSON.stringify(url)}, headers: {}, body: '{}', proxy: undefined }
  const said = await client.send(request, new Cancellation()).then(({ status }) => status, ({ code }) => code)
  process.stdout.write(String(said))
  process.exit()`

test.skipIf(cannotMakeCertificates)(
  'a certificate must be the host’s, from a trusted authority, unless the operator trusts every one',
  async () => {
    using certified = aCertificateFor('localhost')
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', tls: certified.tls, fetch: () => Response.json({}) })
    const toHost = sendTo(`https://localhost:${server.port}`)
    const toAddress = sendTo(`https://127.0.0.1:${server.port}`)
    expect(await certified.run(toHost)).toBe('200')
    expect(await certified.run(toAddress)).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
    const stranger = { NODE_EXTRA_CA_CERTS: '' }
    expect(await certified.run(toHost, stranger)).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE')
    expect(await certified.run(toHost, { ...stranger, NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toBe('200')
    await server.stop(true)
  },
)
