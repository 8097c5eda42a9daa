import { afterEach, describe, expect, test } from 'bun:test'

import { firstClientText, handshakeAccepted, webSocketFrame } from '@tollgate/simulator'

import { Cancellation, Cancelled } from './cancellation'
import { ConnectTimeout } from './connection'
import type { UpstreamResponse } from './exchange'
import { ForbiddenAddress } from './forbidden-address'
import { UpstreamClient } from './upstream-client'
import { FakeTime } from '../../gateway/test/fake-time'
import { systemTimers } from '../../gateway/src/platform/time/timers'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

interface Peer {
  write(bytes: Buffer): void
  end(): void
  /** Resolves with the first message of the client. */
  readonly firstMessage: Promise<string>
  /** Resolves when the client closed the connection. */
  readonly gone: Promise<void>
}

/** An upstream of raw bytes: accepts each handshake, unless it has a response of its own, and leaves the rest to the script. */
function anUpstream(script: (peer: Peer) => void | Promise<void>, response?: string) {
  const seen: string[] = []
  const gone = Promise.withResolvers<void>()
  const server = Bun.listen<{
    bytes: Buffer
    unsent: Buffer
    isOpen: boolean
    firstMessage: PromiseWithResolvers<string>
  }>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(socket) {
        socket.data = {
          bytes: Buffer.alloc(0),
          unsent: Buffer.alloc(0),
          isOpen: false,
          firstMessage: Promise.withResolvers(),
        }
      },
      data(socket, bytes) {
        const { data } = socket
        data.bytes = Buffer.concat([data.bytes, bytes])
        if (data.isOpen) {
          const text = firstClientText(data.bytes)
          if (text !== null) data.firstMessage.resolve(text)
          return
        }
        const head = data.bytes.toString('latin1')
        if (!head.includes('\r\n\r\n')) return
        seen.push(head)
        data.isOpen = true
        data.bytes = Buffer.alloc(0)
        if (response !== undefined) {
          socket.write(response)
          return
        }
        socket.write(handshakeAccepted(/sec-websocket-key: (.*)\r\n/i.exec(head)?.[1] ?? ''))
        void script({
          write(sent) {
            data.unsent = Buffer.concat([data.unsent, sent])
            data.unsent = data.unsent.subarray(Math.max(socket.write(data.unsent), 0))
          },
          end: () => void socket.end(),
          firstMessage: data.firstMessage.promise,
          gone: gone.promise,
        })
      },
      drain(socket) {
        const { data } = socket
        data.unsent = data.unsent.subarray(Math.max(socket.write(data.unsent), 0))
      },
      close: () => gone.resolve(),
      error: () => gone.resolve(),
    },
  })
  cleanups.push(() => server.stop(true))
  return { seen, gone: gone.promise, port: server.port, url: `ws://127.0.0.1:${server.port}/chat?a=1` }
}

/** Each message is a line; the one that says so is the last. */
const lines = {
  read: (message: string) => ({ bytes: new TextEncoder().encode(`${message}\n`), isLast: message === 'last' }),
}

interface Sent {
  readonly cancellation?: Cancellation
  readonly connectTimeoutMs?: number
  readonly proxy?: string
  readonly port?: number
}

function send(url: string, { cancellation = new Cancellation(), connectTimeoutMs = 10_000, proxy, port }: Sent = {}) {
  const client = new UpstreamClient(
    { connectTimeoutMs, usesProxy: false, ownPort: port },
    { clock: new FakeTime(), timers: systemTimers },
  )
  cleanups.push(() => client[Symbol.dispose]())
  return client.send(
    { url, headers: { 'user-agent': 'Tollgate' }, body: 'hello', proxy, messages: lines },
    cancellation,
  )
}

async function textOf({ body }: UpstreamResponse): Promise<string> {
  const parts: Uint8Array[] = []
  for (;;) {
    const { done, value } = await body.read()
    if (done) return Buffer.concat(parts).toString()
    parts.push(value)
  }
}

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  )

describe('a call over a WebSocket', () => {
  test('sends the body as the first message and reads to the last', async () => {
    const upstream = anUpstream(async (peer) => {
      peer.write(webSocketFrame('text', `you said ${await peer.firstMessage}`))
      peer.write(webSocketFrame('text', 'last'))
      peer.write(webSocketFrame('text', 'too late'))
    })
    const response = await send(upstream.url)
    expect(response.status).toBe(200)
    expect(await textOf(response)).toBe('you said hello\nlast\n')
    expect(upstream.seen[0]).toStartWith('GET /chat?a=1 HTTP/1.1\r\n')
    expect(upstream.seen[0]?.toLowerCase()).toContain('user-agent: tollgate\r\n')
  })

  test('joins fragments, between which pings are answered', async () => {
    const upstream = anUpstream((peer) => {
      peer.write(webSocketFrame('text', 'la', { isLast: false }))
      peer.write(webSocketFrame('ping', 'p'))
      peer.write(webSocketFrame('continuation', 'st'))
    })
    expect(await textOf(await send(upstream.url))).toBe('last\n')
  })

  test('reads messages that come before its own was sent, and leaves an upstream that does not close', async () => {
    const upstream = anUpstream((peer) => peer.write(webSocketFrame('text', 'last')))
    expect(await textOf(await send(upstream.url))).toBe('last\n')
    await upstream.gone
  })

  test('goes through a proxy', async () => {
    const upstream = anUpstream((peer) => peer.write(webSocketFrame('text', 'last')))
    const connectRequests: string[] = []
    const tunnel = Bun.listen<{ to: Awaited<ReturnType<typeof Bun.connect>> | null }>({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        open: (socket) => void (socket.data = { to: null }),
        async data(socket, bytes) {
          if (socket.data.to) {
            socket.data.to.write(bytes)
            return
          }
          connectRequests.push(bytes.toString('latin1').split('\r\n')[0] ?? '')
          socket.data.to = await Bun.connect({
            hostname: '127.0.0.1',
            port: upstream.port,
            socket: { data: (_, received) => void socket.write(received), close: () => void socket.end() },
          })
          socket.write('HTTP/1.1 200 OK\r\n\r\n')
        },
        close: (socket) => void socket.data.to?.end(),
      },
    })
    cleanups.push(() => tunnel.stop(true))
    const response = await send('ws://upstream.invalid/chat', { proxy: `http://127.0.0.1:${tunnel.port}` })
    expect(await textOf(response)).toBe('last\n')
    expect(connectRequests).toEqual(['CONNECT upstream.invalid:80 HTTP/1.1'])
  })

  test('gives the response of an upstream that refuses the handshake', async () => {
    const body = '{"message":"HMAC signature does not match"}'
    const refusal = `HTTP/1.1 403 Forbidden\r\nX-Kind: hmac\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const response = await send(anUpstream(() => {}, refusal).url)
    expect([response.status, response.headers.get('x-kind'), await textOf(response)]).toEqual([403, 'hmac', body])
  })

  test('fails where the upstream answers the handshake over HTTP', async () => {
    const upstream = anUpstream(() => {}, 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')
    expect(await failureOf(send(upstream.url))).toMatchObject({ name: 'MalformedResponse' })
  })

  test('fails when the connection cannot be made, or not in time', async () => {
    expect(await failureOf(send('ws://127.0.0.1:1/'))).toBeInstanceOf(Error)
    const silent = anUpstream(() => {}, '')
    expect(await failureOf(send(silent.url, { connectTimeoutMs: 50 }))).toBeInstanceOf(ConnectTimeout)
    await silent.gone
  })

  test.each(['ws://169.254.169.254/', 'ws://[fd00:ec2::254]/'])('the connection is not made to %s', async (url) => {
    expect(await failureOf(send(url))).toBeInstanceOf(ForbiddenAddress)
    expect(await failureOf(send(url, { proxy: 'http://127.0.0.1:1' }))).toBeInstanceOf(ForbiddenAddress)
  })

  test('the connection is not made to the gateway itself', async () => {
    const { url, port, seen } = anUpstream(() => {})
    expect(await failureOf(send(url, { port }))).toBeInstanceOf(ForbiddenAddress)
    expect(seen).toEqual([])
  })

  test('ends when it is cancelled, before and after the connection is open', async () => {
    const early = new Cancellation()
    const silent = anUpstream(() => {}, '')
    const opening = send(silent.url, { cancellation: early })
    early.cancel()
    expect(await failureOf(opening)).toBeInstanceOf(Cancelled)
    const late = new Cancellation()
    const upstream = anUpstream((peer) => peer.write(webSocketFrame('text', 'one')))
    const response = await send(upstream.url, { cancellation: late })
    expect((await response.body.read()).done).toBe(false)
    late.cancel()
    expect(await failureOf(response.body.read())).toBeInstanceOf(Cancelled)
    await upstream.gone
  })

  test('closes the connection when the rest is not wanted', async () => {
    const upstream = anUpstream((peer) => peer.write(webSocketFrame('text', 'one')))
    const { body } = await send(upstream.url)
    await body.read()
    await body.cancel()
    await upstream.gone
  })
})

const megabyte = 1024 * 1024

/** What an upstream may do instead of ending its answer; each ends the call with an error and the connection. */
const misdeeds: Record<string, (peer: Peer) => void> = {
  'closes in order before the end': (peer) => peer.write(webSocketFrame('close', Buffer.from([3, 232]))),
  'closes with an error': (peer) => peer.write(webSocketFrame('close', Buffer.from([3, 243]))),
  'cuts the connection': (peer) => peer.end(),
  'cuts a message': (peer) => {
    peer.write(webSocketFrame('text', 'half', { announced: 100 }))
    peer.end()
  },
  'announces a message larger than memory': (peer) =>
    peer.write(webSocketFrame('text', 'x', { announced: 10_000 * megabyte })),
  'sends fragments that add up to too much': (peer) => {
    const part = Buffer.alloc(8 * megabyte, 'a')
    peer.write(webSocketFrame('text', part, { isLast: false }))
    peer.write(webSocketFrame('continuation', part, { isLast: false }))
    peer.write(webSocketFrame('continuation', part, { isLast: false }))
  },
  'masks its frames': (peer) => peer.write(webSocketFrame('text', 'masked', { isMasked: true })),
  'sends text that is not UTF-8': (peer) => peer.write(webSocketFrame('text', Buffer.from([0xff, 0xfe]))),
  'sends bytes of no frame': (peer) => peer.write(Buffer.from('HTTP/1.1 200 OK\r\n\r\n')),
  'continues what was not begun': (peer) => peer.write(webSocketFrame('continuation', 'x')),
  'sends nothing but pings': (peer) => peer.write(Buffer.concat(Array(2_000).fill(webSocketFrame('ping', 'p')))),
}

describe('an upstream that', () => {
  test.each(Object.keys(misdeeds))('%s fails the call', async (name) => {
    const upstream = anUpstream(async (peer) => {
      await peer.firstMessage
      peer.write(webSocketFrame('text', 'one'))
      misdeeds[name]?.(peer)
    })
    const response = await send(upstream.url)
    const failure = await failureOf(textOf(response))
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(Cancelled)
    await upstream.gone
  })
})
