import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'

import { webSocketFrame } from '@tollgate/simulator'

import { eventually } from '../../../test/eventually'
import { FakeTime } from '../../../test/fake-time'
import { brokenFrames, connectRawSocket, masked, type RawSocketClient } from '../../../test/raw-socket-client'
import { connectRealtime } from '../../../test/realtime-client'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

setDefaultTimeout(120_000)

const megabyte = 1024 * 1024
const model = 'chat-only'

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  await world.addChannel({ type: 43, models: model })
  await world.setOptions({ ModelRatio: `{"${model}":0,"endless":0}` })
})
afterAll(() => world[Symbol.asyncDispose]())

const aRawClient = (at = world) => connectRawSocket(at, '/v1/responses')
const create = (body: object = {}) => JSON.stringify({ type: 'response.create', model, input: 'hello', ...body })

const misdeeds: Readonly<Record<string, (client: RawSocketClient) => void>> = {
  ...brokenFrames,
  'sends bytes': (client) => client.send(webSocketFrame('binary', Buffer.from([1, 2, 3]), masked)),
  'sends thousands of messages at once': (client) => {
    const frame = webSocketFrame('text', create(), masked)
    for (let count = 0; count < 3000; count += 1) client.send(frame)
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

/** An upstream that sends 32 MB, more than all buffers on the way can hold. */
function startEndless() {
  const [count, length] = [64, megabyte / 2]
  let pulled = 0
  const piece = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'x'.repeat(length) } }] })}\n\n`
  const last = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } })}\n\ndata: [DONE]\n\n`
  const server = Bun.serve({
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
  return {
    url: String(server.url).replace(/\/$/, ''),
    bytes: count * length,
    pulledAll: () => pulled > count,
    /** Resolves when nothing more is read. */
    async waits() {
      let [before, still] = [-1, 0]
      await eventually(async () => {
        still = pulled > 0 && pulled === before ? still + 1 : 0
        before = pulled
        return still > 50 || null
      })
    },
    [Symbol.dispose]: () => void server.stop(true),
  }
}

test('an upstream waits for a client that does not read, and loses nothing', async () => {
  using upstream = startEndless()
  const channel = await world.addChannel({ type: 43, models: 'endless', base_url: upstream.url })
  const client = await aRawClient()
  client.socket.pause()
  client.send(webSocketFrame('text', create({ model: 'endless' }), masked))
  await upstream.waits()
  expect(upstream.pulledAll()).toBe(false)
  client.socket.resume()
  await eventually(async () => client.read() > upstream.bytes || null)
  client.socket.destroy()
  await world.changeChannel(channel, { status: 2 })
})

test.each(['idle', 'stop'])('a client that takes nothing more loses its socket in mid-turn (%s)', async (why) => {
  const time = new FakeTime()
  await using own = await createRelayWorld({ time })
  using upstream = startEndless()
  await own.addChannel({ type: 43, models: 'endless', base_url: upstream.url })
  await own.setOptions({ ModelRatio: '{"endless":0}' })
  const client = await aRawClient(own)
  client.socket.pause()
  client.send(webSocketFrame('text', create({ model: 'endless' }), masked))
  await upstream.waits()
  // It is not idle for what it sends.
  client.send(webSocketFrame('text', '{"type":"response.processed"}', masked))
  if (why === 'stop') own.inFlight.upstreams.stopAll('shutdown')
  else {
    time.advance(15 * 60_000)
    own.inFlight.sessions.follow(own.ctx.catalog.current)
  }
  await eventually(async () => own.inFlight.count === 0 || null)
  expect(upstream.pulledAll()).toBe(false)
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
