import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { eachDatabase } from '../../../test/databases'
import { faultyDatabase, type Fault } from '../../../test/faulty-database'
import { FakeTime } from '../../../test/fake-time'
import { ledgerOptions } from '../../../test/ledger'
import { eventually } from '../../../test/eventually'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import { differencesIn } from '../../app/commands/differences'
import type { Context } from '../../context'
import { openLedger } from '../../billing/ledger/open-ledger'
import { pollTasks } from '../../tasks/poll-tasks'
import { InFlight } from '../in-flight/in-flight'
import { createRelay } from '../relay-app'
import { claimMs } from './background-calls'

/** Each statement is the last of some worker; where the whole suite runs, of some of them. */
const stride = Number(process.env['TORTURE_STRIDE'] ?? 3)
/** More than a call in the background needs from its submission to its end. */
const maxStatements = 54
const balance = 10_000_000
const imageCost = 0.04 * 500_000

for (const kind of eachDatabase) {
  describe(`calls in the background whose workers die (${kind})`, () => {
    let world: RelayWorld
    let isSuccess = true
    const clock = new FakeTime()
    const upstream = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () =>
        isSuccess
          ? Response.json({ created: 5, data: [{ b64_json: 'AAAA' }] })
          : Response.json({ error: { message: 'no', code: 'bad' } }, { status: 400 }),
    })
    beforeAll(async () => {
      world = await createRelayWorld({ kind, clock })
      const setting = JSON.stringify({ max_retries: 0 })
      const base_url = String(upstream.url).replace(/\/$/, '')
      await world.addChannel({ base_url, setting, models: 'dall-e-3' })
    }, 120_000)
    afterAll(async () => {
      await world[Symbol.asyncDispose]()
      await upstream.stop(true)
    })

    /** A worker whose statement number `place` fails, or only its answer is lost, and which is dead from then on. */
    async function mortal(index: number, fault: Fault) {
      let statements = -Infinity
      const next = (): Fault => {
        statements += 1
        if (statements === index) return fault
        return statements > index ? 'refused' : 'none'
      }
      const database = faultyDatabase(world.ctx.database, next)
      const ledger = await openLedger(ledgerOptions(database, { clock }))
      const ctx: Context = { ...world.ctx, database, ledger }
      const inFlight = new InFlight(clock, { total: 1e9, ofUser: 1e9 })
      const relay = createRelay(ctx, { inFlight })
      // Makes the statements that a worker makes only once.
      await relay.fetch(new Request('http://gateway.test/v1/models'), { address: '' })
      statements = -1
      return { relay, inFlight, isDead: () => statements >= index }
    }

    test('every call ends once, is charged once or gives its hold back, whichever statement was the last of its worker', async () => {
      const userId = await world.addUser(balance)
      const key = await world.addToken(userId, { unlimited_quota: 0, remain_quota: balance })
      const { query } = world.ctx.database
      let deaths = 0
      let workers = 0
      for (let index = 0; index < maxStatements; index += stride) {
        workers += 1
        isSuccess = workers % 4 !== 0
        const worker = await mortal(index, workers % 2 === 0 ? 'refused' : 'answer-lost')
        const request = new Request('http://gateway.test/v1/images/generations', {
          method: 'POST',
          headers: { authorization: `Bearer ${key}` },
          body: JSON.stringify({ model: 'dall-e-3', prompt: 'rain', async: true }),
        })
        await worker.relay.fetch(request, { address: '' })
        // A worker that lives ends its calls; one that is dead waits until others have ended them.
        await eventually(async () => (worker.isDead() || worker.inFlight.count === 0 ? true : null))
        if (worker.isDead()) {
          deaths += 1
          clock.advance(claimMs)
          await pollTasks(world.ctx, new AbortController().signal)
          await worker.inFlight.background.renew(world.ctx)
          expect(await worker.inFlight.whenIdle(5000)).toBe(true)
        }
      }
      clock.advance(2 * claimMs)
      await pollTasks(world.ctx, new AbortController().signal)
      expect(deaths).toBeGreaterThan(5)
      expect(await query.selectFrom('holds').selectAll().execute()).toEqual([])
      const tasks = await query.selectFrom('tasks').select(['status', 'quota', 'public_id', 'poll_at']).execute()
      expect(tasks.filter(({ poll_at }) => poll_at !== null)).toEqual([])
      const done = tasks.filter(({ status }) => status === 'SUCCESS')
      const ids = done.map(({ public_id }) => public_id).toSorted()
      expect(done.length).toBePositive()
      expect(done.length).toBeLessThan(tasks.length)
      const charges = await query.selectFrom('charges').select('request_id').execute()
      expect(charges.map(({ request_id }) => request_id).toSorted()).toEqual(ids)
      const storedResults = await query.selectFrom('task_answers').select('task_id').execute()
      expect(storedResults.map(({ task_id }) => task_id).toSorted()).toEqual(ids)
      const user = await query.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
      const token = await query.selectFrom('tokens').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow()
      const spent = done.length * imageCost
      // Includes what workers have leased and not used.
      const { ledger } = world.ctx
      const ofUser = (await ledger.balanceOf([userId])).get(userId)
      const ofToken = (await ledger.tokenBalanceOf([token.id])).get(token.id)
      expect([ofUser, user.used_quota, ofToken]).toEqual([balance - spent, spent, balance - spent])
      expect(await differencesIn(query, clock.seconds())).toEqual([])
    }, 120_000)
  })
}
