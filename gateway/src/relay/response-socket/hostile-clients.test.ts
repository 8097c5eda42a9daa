import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { connect, type Socket } from 'node:net'

import { webSocketFrame } from '@tollgate/simulator'

import { eventually } from '../../../test/eventually'
import { connectRealtime } from '../../../test/realtime-client'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

setDefaultTimeout(120_000)

const megabyte = 1024 * 1024
const balance = 10_000_000
const model = 'chat-only'

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  await world.addChannel({ type: 43, models: model })
  await world.setOptions({ ModelRatio: `{"${model}":0,"endless":0}` })
})
afterAll(() => world[Symbol.asyncDispose]())

interface RawClient {
  readonly socket: Socket
  readonly userId: number
  readonly closed: Promise<void>
  read(): number
  send(...frames: readonly Buffer[]): void
}

/** A socket of a client that writes frames itself. */
async function aRawClient(): Promise<RawClient> {
  const userId = await world.addUser(balance)
  const key = await world.addToken(userId)
  const { hostname, port, host } = new URL(world.url)
  const socket = connect(Number(port), hostname)
  const head = [
    'GET /v1/responses HTTP/1.1',
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
  socket.on('data', (bytes) => {
    read += bytes.length
    if (bytes.includes('101 Switching')) opened.resolve()
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
const create = (body: object = {}) => JSON.stringify({ type: 'response.create', model, input: 'hello', ...body })

const misdeeds: Readonly<Record<string, (client: RawClient) => void>> = {
  'announces a message larger than memory': (client) =>
    client.send(webSocketFrame('text', 'x', { ...masked, announced: 100_000 * megabyte })),
  'sends a message that is too large in fragments': (client) => {
    const part = Buffer.alloc(megabyte, 'a')
    client.send(webSocketFrame('text', part, { ...masked, isLast: false }))
    for (let count = 0; count < 30; count += 1)
      client.send(webSocketFrame('continuation', part, { ...masked, isLast: false }))
  },
  'sends text that is not UTF-8': (client) => client.send(webSocketFrame('text', Buffer.from([0xff, 0xfe]), masked)),
  'sends bytes': (client) => client.send(webSocketFrame('binary', Buffer.from([1, 2, 3]), masked)),
  'sends thousands of messages at once': (client) => {
    const frame = webSocketFrame('text', create(), masked)
    for (let count = 0; count < 3000; count += 1) client.send(frame)
  },
  'cuts the connection within a message': (client) => {
    client.send(webSocketFrame('text', 'half', { ...masked, announced: 100 }))
    client.socket.destroy()
  },
}

test.each(Object.keys(misdeeds))('a client that %s ends its socket, and nothing of it is left', async (name) => {
  world.simulator.reset()
  const client = await aRawClient()
  misdeeds[name]?.(client)
  await client.closed
  await eventually(async () => (world.inFlight.count === 0 && world.inFlight.memory.used === 0) || null)
  // At most the turn that ran when there were too many.
  expect(world.simulator.requests.length).toBeLessThan(2)
})

test('messages behind the close of a client are not read', async () => {
  world.simulator.reset()
  const client = await aRawClient()
  client.send(webSocketFrame('close', Buffer.from([0x03, 0xe8]), masked), webSocketFrame('text', create(), masked))
  await client.closed
  await eventually(async () => world.inFlight.count === 0 || null)
  expect(world.simulator.requests).toHaveLength(0)
})

test('an upstream waits for a client that does not read, and loses nothing', async () => {
  // 32 MB, more than all buffers on the way can hold.
  const [count, length] = [64, megabyte / 2]
  let pulled = 0
  const piece = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'x'.repeat(length) } }] })}\n\n`
  const last = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } })}\n\ndata: [DONE]\n\n`
  using upstream = Bun.serve({
    idleTimeout: 0,
    hostname: '127.0.0.1',
    port: 0,
    fetch: () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            pulled += 1
            controller.enqueue(pulled > count ? last : piece)
            if (pulled > count) controller.close()
          },
        }),
        { headers: { 'content-type': 'text/event-stream' } },
      ),
  })
  await world.addChannel({ type: 43, models: 'endless', base_url: String(upstream.url).replace(/\/$/, '') })
  const client = await aRawClient()
  client.socket.pause()
  client.send(webSocketFrame('text', create({ model: 'endless' }), masked))
  let [before, still] = [-1, 0]
  await eventually(async () => {
    still = pulled > 0 && pulled === before ? still + 1 : 0
    before = pulled
    return still > 50 || null
  })
  expect(pulled).toBeLessThan(count)
  client.socket.resume()
  await eventually(async () => client.read() > count * length || null)
  client.socket.destroy()
})

test('a large message is counted in the memory of its user, and given back', async () => {
  world.simulator.reset()
  using client = await connectRealtime(world.url, { key: world.key, path: '/v1/responses', query: '' })
  const gate = Promise.withResolvers<void>()
  world.simulator.next({ text: 'one', gate: () => gate.promise })
  client.send(create({ input: 'x'.repeat(megabyte), store: true }))
  await world.simulator.arrival(1)
  expect(world.inFlight.memory.used).toBeGreaterThanOrEqual(2 * megabyte)
  gate.resolve()
  await client.next('response.completed')
  client.close()
  await eventually(async () => world.inFlight.memory.used === 0 || null)
})
