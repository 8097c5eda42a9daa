import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { eachDatabase } from '../../test/databases'
import { faultyDatabase, type Fault } from '../../test/faulty-database'
import { ledgerOptions } from '../../test/ledger'
import { createTaskWorld, songPrice, type TaskWorld } from '../../test/task-world'
import { differencesIn } from '../app/commands/differences'
import type { Context } from '../context'
import { openLedger } from '../billing/ledger/open-ledger'
import { pollTasks } from './poll-tasks'

/** Each statement is the last of some worker; where the whole suite runs, of some of them. */
const stride = Number(process.env['TORTURE_STRIDE'] ?? 4)
/** More than a task of these tests needs from its submission to its end. */
const maxStatements = 70
const { signal } = new AbortController()

for (const kind of eachDatabase) {
  describe(`tasks whose workers die (${kind})`, () => {
    let world: TaskWorld
    beforeAll(async () => {
      world = await createTaskWorld(kind)
    })
    afterAll(() => world[Symbol.asyncDispose]())

    /** A worker whose statement number `place` fails, or only its answer is lost, and which is dead from then on. */
    async function mortal(index: number, fault: Fault) {
      let statements = -Infinity
      const next = (): Fault => {
        statements += 1
        if (statements === index) return fault
        return statements > index ? 'refused' : 'none'
      }
      const database = faultyDatabase(world.ctx.database, next)
      const { clock } = world
      const ledger = await openLedger(ledgerOptions(database, { clock }))
      const ctx: Context = { ...world.ctx, database, ledger }
      statements = -1
      return { ctx, isDead: () => statements >= index }
    }

    const openTasks = async () =>
      (await world.ctx.database.query.selectFrom('tasks').select('id').where('poll_at', 'is not', null).execute())
        .length

    test('every task ends once, is charged once or gives its hold back, whichever statement was the last of its worker', async () => {
      const userId = await world.relay.addUser(1000 * songPrice)
      const key = await world.relay.addToken(userId, { unlimited_quota: 0, remain_quota: 1000 * songPrice })
      let deaths = 0
      let workers = 0
      for (let index = 0; index < maxStatements; index += stride) {
        workers += 1
        const fault = workers % 2 === 0 ? ('refused' as const) : ('answer-lost' as const)
        const worker = await mortal(index, fault)
        const fate = (['at-once', 'fail', 'finish', 'flip', 'forget'] as const)[workers % 5] ?? 'at-once'
        world.suno.taskBook.next(fate)
        await world.submit({}, key, worker.ctx).catch(() => {})
        for (let step = 0; step < 3; step += 1) {
          world.clock.advance(30_000)
          // A poller of another worker asks about the same tasks at the same time, or afterwards.
          const polling = pollTasks(worker.ctx, signal).catch(() => {})
          if (workers % 3 > 0) await polling
          await Promise.all([polling, pollTasks(world.ctx, signal)])
        }
        if (worker.isDead()) deaths += 1
      }
      for (let step = 0; step < 20 && (await openTasks()) > 0; step += 1) await world.poll(120_000)
      expect(deaths).toBeGreaterThan(5)
      expect(await openTasks()).toBe(0)
      const { query } = world.ctx.database
      expect(await query.selectFrom('holds').selectAll().execute()).toEqual([])
      const tasks = await query.selectFrom('tasks').select(['status', 'quota', 'public_id']).execute()
      const charges = await query.selectFrom('charges').select(['request_id', 'quota']).execute()
      const done = tasks.filter(({ status }) => status === 'SUCCESS')
      expect(done.length).toBePositive()
      expect(charges.map(({ request_id }) => request_id).toSorted()).toEqual(
        done.map((one) => one.public_id).toSorted(),
      )
      expect(done.every(({ quota }) => quota === songPrice)).toBe(true)
      const user = await query.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
      const token = await query.selectFrom('tokens').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow()
      const spent = done.length * songPrice
      expect([user.quota, user.used_quota, token.remain_quota]).toEqual([
        1000 * songPrice - spent,
        spent,
        1000 * songPrice - spent,
      ])
      expect(await differencesIn(query, world.clock.seconds())).toEqual([])
    }, 120_000)
  })
}
