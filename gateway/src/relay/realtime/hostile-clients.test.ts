import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'

import { webSocketFrame, RealtimeUpstream } from '@tollgate/simulator'

import { eventually } from '../../../test/eventually'
import { brokenFrames, connectRawSocket, masked, rawClientBalance } from '../../../test/raw-socket-client'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

setDefaultTimeout(120_000)

const megabyte = 1024 * 1024

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

const aRawClient = () => connectRawSocket(world, '/v1/realtime?model=gpt-realtime')

test.each(Object.keys(brokenFrames))('a client that %s ends its session, which costs nothing', async (name) => {
  const at = upstream.sessions.length
  const client = await aRawClient()
  brokenFrames[name]?.(client)
  await client.closed
  await (
    await upstream.session(at)
  ).ended
  await eventually(async () => world.inFlight.count === 0 || null)
  const left = await eventually(async () => (await world.ctx.ledger.balanceOf([client.userId])).get(client.userId))
  expect(left).toBe(rawClientBalance)
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
    return still > 50 ? now : null
  })
  expect(unsent).toBeGreaterThan(8 * megabyte)
  client.socket.resume()
  await eventually(async () => seen.unsentBytes() === 0 || null)
  await eventually(async () => (await world.logs()).find((row) => row.user_id === client.userId) ?? null)
  await eventually(async () => client.read() > 30 * megabyte || null)
  client.socket.destroy()
})
