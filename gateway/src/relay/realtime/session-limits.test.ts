import { afterEach, beforeEach, expect, test } from 'bun:test'

import { RealtimeUpstream } from '@tollgate/simulator'

import { connectRealtime } from '../../../test/realtime-client'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import { FakeTime } from '../../../test/fake-time'

let time: FakeTime
let world: RelayWorld
let upstream: RealtimeUpstream
beforeEach(async () => {
  time = new FakeTime()
  upstream = RealtimeUpstream.start()
  world = await createRelayWorld({ time })
  await world.addChannel({ models: 'gpt-realtime', base_url: upstream.url })
})
afterEach(async () => {
  await world[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
})

/** Lets sessions look at the time. */
function later(ms: number) {
  time.advance(ms)
  world.inFlight.sessions.follow(world.ctx.catalog.current)
}

test('a session in which nothing is sent is closed after the minutes that the site allows', async () => {
  using client = await connectRealtime(world.url, { key: world.key })
  await client.next('session.created')
  await world.setOptions({ RealtimeIdleMinutes: '3' })
  later(170_000)
  client.send({ type: 'session.update', session: {} })
  await client.next('session.updated')
  later(180_000)
  expect(await client.next('error')).toMatchObject({ error: { code: 'realtime.idle' } })
  expect((await client.closed).code).toBe(1001)
})

test('a session ends after the longest duration, when the response that runs is complete', async () => {
  const gate = Promise.withResolvers<void>()
  upstream.next({ gate: gate.promise })
  using client = await connectRealtime(world.url, { key: world.key })
  client.send({ type: 'response.create' })
  await client.next('response.output_audio.delta')
  await world.setOptions({ RealtimeSessionMinutes: '5' })
  later(301_000)
  gate.resolve()
  await client.next('response.done')
  expect(await client.next('error')).toMatchObject({ error: { code: 'session_expired' } })
  expect((await client.closed).code).toBe(1001)
})
