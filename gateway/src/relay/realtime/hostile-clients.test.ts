import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { connect, type Socket } from 'node:net'

import { webSocketFrame, RealtimeUpstream } from '@tollgate/simulator'

import { eventually } from '../../../test/eventually'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

setDefaultTimeout(120_000)

const megabyte = 1024 * 1024
const balance = 10_000_000

let world: RelayWorld
let upstream: RealtimeUpstream
beforeAll(async () => {
  upstream = RealtimeUpstream.start()
  world = await createRelayWorld()
  await world.addChannel({ models: 'gpt-realtime', base_url: upstream.url })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
})

interface RawClient {
  readonly socket: Socket
  readonly userId: number
  readonly closed: Promise<void>
  /** Bytes that were read. */
  read(): number
  send(...frames: readonly Buffer[]): void
}

/** A session of a client that writes frames itself. */
async function aRawClient(): Promise<RawClient> {
  const userId = await world.addUser(balance)
  const key = await world.addToken(userId)
  const { hostname, port, host } = new URL(world.url)
  const socket = connect(Number(port), hostname)
  const head = [
    'GET /v1/realtime?model=gpt-realtime HTTP/1.1',
    `Host: ${host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    `Authorization: Bearer ${key}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const opened = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  let read = 0
  let isOpen = false
  socket.on('data', (bytes) => {
    read += bytes.length
    if (!isOpen && bytes.includes('101 Switching')) opened.resolve()
    isOpen = true
  })
  socket.on('close', () => closed.resolve())
  socket.on('error', () => closed.resolve())
  await opened.promise
  return {
    socket,
    userId,
    closed: closed.promise,
    read: () => read,
    send(...frames) {
      for (const frame of frames) socket.write(frame)
    },
  }
}

const masked = { isMasked: true }

const misdeeds: Readonly<Record<string, (client: RawClient) => void>> = {
  'does not mask its frames': (client) => client.send(webSocketFrame('text', '{}')),
  'announces a message larger than memory': (client) =>
    client.send(webSocketFrame('text', 'x', { ...masked, announced: 100_000 * megabyte })),
  'sends a message that is too large in fragments': (client) => {
    const part = Buffer.alloc(megabyte, 'a')
    client.send(webSocketFrame('text', part, { ...masked, isLast: false }))
    for (let count = 0; count < 30; count += 1)
      client.send(webSocketFrame('continuation', part, { ...masked, isLast: false }))
  },
  'sends text that is not UTF-8': (client) => client.send(webSocketFrame('text', Buffer.from([0xff, 0xfe]), masked)),
  'continues what was not begun': (client) => client.send(webSocketFrame('continuation', 'x', masked)),
  'sends bytes that do not begin a frame': (client) => client.send(Buffer.from('GET / HTTP/1.1\r\n\r\n')),
  'cuts the connection within a message': (client) => {
    client.send(webSocketFrame('text', 'half', { ...masked, announced: 100 }))
    client.socket.destroy()
  },
}

test.each(Object.keys(misdeeds))('a client that %s ends its session, which costs nothing', async (name) => {
  const at = upstream.sessions.length
  const client = await aRawClient()
  misdeeds[name]?.(client)
  await client.closed
  await (
    await upstream.session(at)
  ).ended
  await eventually(async () => world.inFlight.count === 0 || null)
  const left = await eventually(async () => (await world.ctx.ledger.balanceOf([client.userId])).get(client.userId))
  expect(left).toBe(balance)
})

test('a client that sends nothing but pings gets its answers, and its session goes on', async () => {
  const client = await aRawClient()
  const countLogRows = async () => (await world.logs()).filter((row) => row.user_id === client.userId).length
  for (const count of [1, 2]) {
    for (let ping = 0; ping < 5_000; ping += 1) client.send(webSocketFrame('ping', 'p', masked))
    client.send(webSocketFrame('text', '{"type":"response.create"}', masked))
    await eventually(async () => (await countLogRows()) === count || null)
  }
  expect(world.inFlight.count).toBe(1)
  client.socket.destroy()
})

test('an upstream waits for a client that does not read, and loses nothing', async () => {
  const at = upstream.sessions.length
  const client = await aRawClient()
  // 32 MB, more than all buffers on the way can hold.
  upstream.next({ audio: 5_000, usage: { audioOut: 100 } })
  const seen = await upstream.session(at)
  client.socket.pause()
  client.send(webSocketFrame('text', '{"type":"response.create"}', masked))
  let [before, still] = [-1, 0]
  const unsent = await eventually(async () => {
    const now = seen.unsentBytes()
    still = now > 0 && now === before ? still + 1 : 0
    before = now
    return still > 300 ? now : null
  })
  expect(unsent).toBeGreaterThan(8 * megabyte)
  client.socket.resume()
  await eventually(async () => seen.unsentBytes() === 0 || null)
  await eventually(async () => (await world.logs()).find((row) => row.user_id === client.userId) ?? null)
  await eventually(async () => client.read() > 30 * megabyte || null)
  client.socket.destroy()
})
