import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'

import { BatchWorld, callCost, chatLine, completion } from '../../../test/batch-world'
import { eachDatabase } from '../../../test/databases'
import { onceOf } from '../../../test/kinds'
import type { Ledger } from '../../billing/ledger/ledger'
import { DatabaseUnavailableError } from '../../platform/store/database-errors'
import { claimMs } from '../../tasks/batches/batch-store'
import { lineState } from '../../tasks/batches/batch-lines'
import { removeExpiredBatches } from '../../tasks/batches/remove-batches'

for (const kind of eachDatabase) {
  describe(`batches whose workers die (${kind})`, () => {
    let world: BatchWorld
    beforeAll(async () => {
      world = await BatchWorld.create(kind)
    })
    afterEach(() => world.reset())
    afterAll(() => world[Symbol.asyncDispose]())

    /** The claims of a worker that died have expired. */
    const expireClaims = () =>
      world.relay.ctx.database.query
        .updateTable('batches')
        .set({ claimed_until: world.relay.ctx.clock.now() - claimMs })
        .where('claimed_until', 'is not', null)
        .execute()
    const count = 12
    const lines = Array.from({ length: count }, (_, index) => chatLine(`q${index}`, `question ${index}`))
    const requireWhole = async (key: string, id: string, books: () => Promise<{ used: number; held: number }>) => {
      const done = await world.openAi(key).batches.retrieve(id)
      expect(done).toMatchObject({ status: 'completed', request_counts: { total: count, completed: count, failed: 0 } })
      const output = await world.linesOf(key, done.output_file_id)
      expect(output.map((line) => line['custom_id'])).toEqual(lines.map((_, index) => `q${index}`))
      expect(await books()).toMatchObject({ used: count * callCost, held: 0 })
      const rows = (await world.relay.logs()).filter(({ request_id: request }) => request.startsWith(`${id}-`))
      expect([rows.length, rows.reduce((sum, { quota }) => sum + quota, 0)]).toEqual([count, count * callCost])
      await world.requireClean()
    }

    test('two workers that take one batch make and charge each call once as far as the customer is concerned', async () => {
      const { key, books } = await world.addPayer(1_000_000)
      const batch = await world.submit(key, lines)
      const [first, second] = [world.relay.newBatchRunner(), world.relay.newBatchRunner()]
      await first.tick()
      // The first one hangs, and comes back.
      await expireClaims()
      await second.tick()
      await Promise.all([first.whenIdle(), second.whenIdle()])
      await requireWhole(key, batch.id, books)
    })

    onceOf(kind)('a worker that finds no database while it takes batches stops like any other', async () => {
      const { promise: response, reject } = Promise.withResolvers<Response>()
      const database = { ...world.relay.ctx.database, query: { selectFrom: () => hanging } as never }
      const hanging: object = new Proxy({}, { get: (_, name) => (name === 'execute' ? () => response : () => hanging) })
      const runner = world.relay.newBatchRunner({ database })
      const failure = runner.tick().catch(String)
      const stopping = runner.stop()
      reject(new DatabaseUnavailableError('gone'))
      await stopping
      expect(await failure).toContain('DatabaseUnavailableError')
    })

    test('a worker that stops lets the next one go on where it was', async () => {
      const { key, books } = await world.addPayer(1_000_000)
      const { promise: isFifth, resolve } = Promise.withResolvers<void>()
      let calls = 0
      world.reply = () => {
        calls += 1
        if (calls === 5) resolve()
        return completion()
      }
      const batch = await world.submit(key, lines)
      const runner = world.relay.newBatchRunner()
      await runner.tick()
      await isFifth
      await runner.stop()
      const { request_counts: counts } = await world.openAi(key).batches.retrieve(batch.id)
      expect(counts?.completed).toBeGreaterThan(3)
      await world.runAll()
      await requireWhole(key, batch.id, books)
      expect(world.contents).toHaveLength(count)
    })

    test('a result whose transaction fails at any step is neither kept nor charged, and made once more', async () => {
      const { key, books } = await world.addPayer(1_000_000)
      const { ctx } = world.relay
      let failures = 0
      const ledger: { chargeHeld: Ledger['chargeHeld'] } = ctx.ledger
      const chargeHeld = ledger.chargeHeld.bind(ledger)
      ledger.chargeHeld = async (id, part, transaction) => {
        failures += 1
        if (failures % 3 === 1) throw new Error('The database broke off before the charge')
        const isDone = await chargeHeld(id, part, transaction)
        if (failures % 3 === 2) throw new Error('The database broke off after the charge')
        return isDone
      }
      const batch = await world.submit(key, lines)
      for (let round = 0; round < 60; round += 1) {
        await expireClaims()
        await world.runAll()
        await world.requireClean()
        const { status } = await world.openAi(key).batches.retrieve(batch.id)
        if (status !== 'in_progress') break
      }
      ledger.chargeHeld = chargeHeld
      expect(failures).toBeGreaterThan(count)
      await requireWhole(key, batch.id, books)
    }, 30_000)

    test('a worker that comes back after the end of a batch changes nothing', async () => {
      const { key, books } = await world.addPayer(1_000_000)
      const { promise: isLate, resolve: reply } = Promise.withResolvers<void>()
      const { promise: isRequested, resolve: recordRequest } = Promise.withResolvers<void>()
      let isFirst = true
      world.reply = async () => {
        if (isFirst) {
          isFirst = false
          recordRequest()
          await isLate
        }
        return completion()
      }
      const batch = await world.submit(key, lines)
      const late = world.relay.newBatchRunner()
      await late.tick()
      await isRequested
      await expireClaims()
      await world.runAll()
      await requireWhole(key, batch.id, books)
      reply()
      await late.whenIdle()
      await requireWhole(key, batch.id, books)
    })

    test('a creation that is cut short leaves no batch, no hold and, in the end, no lines', async () => {
      const { key, books } = await world.addPayer(1_000_000)
      const { ctx } = world.relay
      const ledger: { hold: Ledger['hold'] } = ctx.ledger
      const hold = ledger.hold.bind(ledger)
      ledger.hold = () => Promise.reject(new Error('The worker died'))
      expect(await world.submit(key, lines).catch((error: { status: number }) => error.status)).toBe(500)
      ledger.hold = hold
      expect(await books()).toMatchObject({ used: 0, held: 0, user: 1_000_000 })
      expect((await world.openAi(key).batches.list()).data).toEqual([])
      const waiting = () =>
        ctx.database.query.selectFrom('batch_lines').select('line').where('state', '=', lineState.waiting).execute()
      expect((await waiting()).length).toBe(count)
      await removeExpiredBatches(ctx, new AbortController().signal)
      expect(await waiting()).toEqual([])
      await world.requireClean()
    })
  })
}
