import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { type RealtimeBehaviour, RealtimeUpstream } from '@tollgate/simulator'

import { eventually } from '../../../test/eventually'
import { kinds, onceOf } from '../../../test/kinds'
import { connectRealtime, type RealtimeClient } from '../../../test/realtime-client'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import { aWindow } from '../../../test/windows'

// The first count of tokens reads a vocabulary.
setDefaultTimeout(120_000)

/** The longest response of gpt-realtime, spoken: 4096 tokens at 64 dollars for a million. */
const maxResponseCost = (4096 * 64) / 2
const usual = (4000 * 64) / 2
const usage = { audioOut: 4000 }

/** How responses go. */
let behaviour: RealtimeBehaviour
beforeEach(() => (behaviour = { usage }))

describe.each(kinds)('what sessions hold (%s)', (kind) => {
  const once = onceOf(kind)

  let world: RelayWorld
  let upstream: RealtimeUpstream
  beforeAll(async () => {
    upstream = RealtimeUpstream.start('openai', { behave: () => behaviour })
    world = await createRelayWorld({ kind })
    await world.addChannel({ models: 'gpt-realtime', base_url: upstream.url })
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    await upstream[Symbol.asyncDispose]()
  })

  const readReserved = () => world.ctx.ledger.stats().reserved
  const errors = ({ events }: RealtimeClient) => events.filter(({ type }) => type === 'error')
  const findCreated = ({ events }: RealtimeClient) => events.filter(({ type }) => type === 'response.created')
  const outOfBand = { type: 'response.create', response: { conversation: 'none' } }
  /** Resolves when no session is open any more. */
  const quiet = () => eventually(async () => (world.inFlight.count === 0 && readReserved() === 0) || null)

  test.each([
    ['the most that a response may cost', 1_000_000, maxResponseCost],
    ['all of a balance that cannot pay that', 60_001, 60_001],
  ])('an open session holds %s', async (_, balance, held) => {
    const { key } = await world.addPayer(balance)
    const client = await connectRealtime(world.url, { key })
    expect(readReserved()).toBeWithin(held, held + 10)
    client.close()
    await quiet()
  })

  once('forty responses at once on a balance for two are held each, and the rest refused', async () => {
    const { userId, key } = await world.addPayer(300_000)
    const gate = Promise.withResolvers<void>()
    behaviour = { usage, gate: gate.promise }
    using client = await connectRealtime(world.url, { key })
    for (let count = 0; count < 40; count += 1) client.send(outOfBand)
    await eventually(async () => errors(client).length + findCreated(client).length === 40 || null)
    expect(errors(client)[0]).toMatchObject({ error: { code: 'insufficient_quota' } })
    gate.resolve()
    await client.closed
    // Two that are held whole, and one that holds the rest.
    expect(findCreated(client)).toHaveLength(3)
    await world.chargesOf(userId, 3)
    expect(await world.balanceOf(userId)).toBe(300_000 - 3 * usual)
    await quiet()
  })

  test('ten sessions opened at once on the balance for less than a response are refused but for one', async () => {
    const { userId, key } = await world.addPayer(60_001)
    const opened = await Promise.allSettled(Array.from({ length: 10 }, () => connectRealtime(world.url, { key })))
    const clients = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(clients).toHaveLength(1)
    for (const client of clients) client.send({ type: 'response.create' })
    await Promise.all(clients.map(({ closed }) => closed))
    await world.chargesOf(userId, 1)
    expect(await world.balanceOf(userId)).toBe(60_001 - usual)
    await quiet()
  })

  test('ten sessions opened at once on a limit of tokens with room for a response are refused but for one', async () => {
    const userId = await world.addUser(10_000_000)
    await aWindow(world.ctx.database, userId, { measure: 'completion_tokens', limit_amount: 1 })
    const key = await world.addToken(userId)
    const opened = await Promise.allSettled(Array.from({ length: 10 }, () => connectRealtime(world.url, { key })))
    const clients = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    for (const client of clients) client.close()
    await quiet()
    expect(clients).toHaveLength(1)
  })

  once('responses with a limit of their own are held by it, as many at once as a session may have', async () => {
    const { key } = await world.addPayer(400_000)
    const gate = Promise.withResolvers<void>()
    behaviour = { usage: { textOut: 1 }, gate: gate.promise }
    using client = await connectRealtime(world.url, { key })
    const request = { type: 'response.create', response: { conversation: 'none', max_output_tokens: 100 } }
    for (let count = 0; count < 17; count += 1) client.send(request)
    expect(await client.next('error')).toMatchObject({ error: { code: 'realtime.responses' } })
    expect(readReserved()).toBeWithin(maxResponseCost, maxResponseCost + 16 * 3300)
    gate.resolve()
    await eventually(async () => findCreated(client).length === 16 || null)
    expect(errors(client)).toHaveLength(1)
    client.close()
    await quiet()
  })

  once(
    'a request that comes while quota is held for the next response waits for it, on a balance for less than two',
    async () => {
      const { userId, key } = await world.addPayer(100_000)
      behaviour = { usage: { textOut: 10 } }
      using client = await connectRealtime(world.url, { key })
      const gate = Promise.withResolvers<void>()
      const locked = Promise.withResolvers<void>()
      const held = world.ctx.database.query.transaction().execute(async (transaction) => {
        await transaction.updateTable('users').set({ group: 'default' }).where('id', '=', userId).execute()
        locked.resolve()
        await gate.promise
      })
      await locked.promise
      await client.respond()
      client.send({ type: 'response.create' })
      // Answered without the database, behind the request of the session.
      expect((await fetch(`${world.url}/v1/realtime`)).status).toBe(400)
      gate.resolve()
      await held
      await client.next('response.done')
      expect(errors(client)).toEqual([])
      client.close()
      await quiet()
    },
  )

  once('a response may be longer than what was held for it before its session allowed that', async () => {
    const { key } = await world.addPayer(1_000_000)
    using client = await connectRealtime(world.url, { key })
    const setLimit = async (limit: number | string) => {
      client.send({ type: 'session.update', session: { max_output_tokens: limit } })
      await client.next('session.updated')
    }
    await setLimit(100)
    await client.respond()
    await eventually(async () => readReserved() < 4000 || null)
    await setLimit('inf')
    const gate = Promise.withResolvers<void>()
    upstream.next({ usage, gate: gate.promise })
    client.send({ type: 'response.create' })
    await client.next('response.created')
    await client.next('response.created')
    expect(readReserved()).toBeGreaterThanOrEqual(maxResponseCost)
    gate.resolve()
    await client.next('response.done')
    client.close()
    await quiet()
  })

  once.each([
    ['with an id of its client', { event_id: 'mine' }],
    ['without one', {}],
  ])('a request %s that the upstream refuses gives back what is held for it', async (_, id) => {
    const { userId, key } = await world.addPayer(100_000)
    const at = upstream.sessions.length
    using client = await connectRealtime(world.url, { key })
    const { events } = await upstream.session(at)
    function* refusal() {
      yield { type: 'error', error: { code: 'invalid_value', message: 'No', event_id: events.at(-1)?.['event_id'] } }
    }
    upstream.next({ messages: refusal() })
    client.send({ type: 'response.create', ...id })
    expect(await client.next('error')).toMatchObject({ error: { code: 'invalid_value' } })
    await client.respond()
    await world.chargesOf(userId, 1)
    await client.closed
    await quiet()
  })
})
