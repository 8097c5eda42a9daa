import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'

import { BatchWorld, callCost, chatLine, completion, message } from '../../../../test/batch-world'
import { eachDatabase } from '../../../../test/databases'
import { onceOf } from '../../../../test/kinds'
import type { Ledger } from '../../../billing/ledger/ledger'

const count = 3
const lineCost = callCost / 2
const lines = Array.from({ length: count }, (_, index) => chatLine(`q${index}`, `question ${index}`))
const requests = Array.from({ length: count }, (_, index) => ({
  custom_id: `q${index}`,
  params: { model: 'claude-opus-4-6', max_tokens: 50, messages: [{ role: 'user' as const, content: `why ${index}?` }] },
}))

for (const kind of eachDatabase) {
  describe(`batches at vendors whose workers die (${kind})`, () => {
    let world: BatchWorld
    beforeAll(async () => {
      world = await BatchWorld.withVendors(kind)
      await world.relay.setOptions({ ModelRatio: '{"claude-opus-4-6":1}', CompletionRatio: '{"claude-opus-4-6":4}' })
    })
    afterEach(async () => {
      await world.reset()
      for (const vendor of [world.vendors.openAi, world.vendors.anthropic])
        Object.assign(vendor, { cuts: 0, broken: null })
    })
    afterAll(() => world[Symbol.asyncDispose]())

    const submissions = (calls: readonly string[], since: number) =>
      calls.slice(since).filter((call) => call === 'POST /v1/batches' || call === 'POST /v1/messages/batches').length

    const requireWhole = async (id: string, books: () => Promise<{ used: number; held: number }>, cost: number) => {
      const { query } = world.relay.ctx.database
      const row = await query.selectFrom('batches').selectAll().where('task_id', '=', id).executeTakeFirstOrThrow()
      expect([row.completed, row.failed, row.claimed_until]).toEqual([count, 0, null])
      expect(await books()).toMatchObject({ used: count * cost, held: 0 })
      const rows = (await world.relay.logs()).filter(({ request_id: request }) => request.startsWith(`${id}-`))
      expect([rows.length, rows.reduce((sum, { quota }) => sum + quota, 0)]).toEqual([count, count * cost])
      await world.requireClean()
    }

    /** Runs batches as a worker that stops for good at its n-th call of the vendor, before the vendor hears of it or after it did what it says. */
    const dieAt = async (call: number, isHeard: boolean) => {
      const { fetch } = world.relay.ctx
      const death = Promise.withResolvers<void>()
      const revival = Promise.withResolvers<never>()
      const state = { calls: 0 }
      const dying: typeof fetch = Object.assign(
        async (...args: Parameters<typeof fetch>) => {
          state.calls += 1
          if (state.calls !== call) return fetch(...args)
          if (isHeard) await (await fetch(...args)).arrayBuffer()
          death.resolve()
          return revival.promise
        },
        { preconnect: fetch.preconnect },
      )
      const runner = world.relay.newBatchRunner({ fetch: dying })
      const isOver = (async () => {
        for (let round = 0; round < 20; round += 1) {
          await runner.tick()
          await Promise.race([runner.whenIdle(), death.promise])
          if (state.calls >= call) return
          await world.wakeAll()
        }
      })()
      await Promise.race([death.promise, isOver])
      return {
        isDead: state.calls >= call,
        revive: async () => {
          if (state.calls >= call) revival.reject(new Error('The connection broke'))
          await runner.whenIdle()
        },
      }
    }

    for (const isHeard of [true, false]) {
      const when = isHeard ? 'after' : 'before'
      const testOnce = isHeard ? test : onceOf(kind)
      testOnce(
        `a worker that dies ${when} any call of OpenAI loses and doubles nothing`,
        async () => {
          const { openAi } = world.vendors
          for (let call = 1; ; call += 1) {
            const { key, books } = await world.addPayer(1_000_000)
            const since = openAi.requests.length
            const batch = await world.submit(key, lines)
            const { isDead, revive } = await dieAt(call, isHeard)
            await world.wakeAll()
            await world.runOut()
            await requireWhole(batch.id, books, lineCost)
            expect([call, submissions(openAi.requests, since)]).toEqual([call, 1])
            await revive()
            await requireWhole(batch.id, books, lineCost)
            expect([...openAi.files.values()]).toEqual([])
            if (!isDead) {
              expect(call).toBeGreaterThan(6)
              break
            }
          }
        },
        60_000,
      )

      onceOf(kind)(
        `a worker that dies ${when} any call of Anthropic loses and doubles nothing`,
        async () => {
          world.reply = message
          const { anthropic } = world.vendors
          for (let call = 1; ; call += 1) {
            const { key, books } = await world.addPayer(1_000_000)
            const since = anthropic.requests.length
            const batch = await world.anthropic(key).messages.batches.create({ requests })
            const { isDead, revive } = await dieAt(call, isHeard)
            await world.wakeAll()
            await world.runOut()
            await requireWhole(batch.id, books, 45)
            expect([call, submissions(anthropic.requests, since)]).toEqual([call, 1])
            await revive()
            await requireWhole(batch.id, books, 45)
            expect([...anthropic.batchBook.batches.values()]).toEqual([])
            if (!isDead) {
              expect(call).toBeGreaterThan(4)
              break
            }
          }
        },
        60_000,
      )
    }

    test('submissions whose responses are lost are found at their vendors, and not made again', async () => {
      const { openAi, anthropic } = world.vendors
      const { key, books } = await world.addPayer(1_000_000)
      openAi.cuts = 2
      const since = openAi.requests.length
      const batch = await world.submit(key, lines)
      await world.runOut()
      await requireWhole(batch.id, books, lineCost)
      expect(openAi.requests.slice(since).filter((call) => call.startsWith('POST'))).toEqual([
        'POST /v1/files',
        'POST /v1/batches',
      ])
      world.reply = message
      anthropic.cuts = 1
      const before = anthropic.requests.length
      const second = await world.anthropic(key).messages.batches.create({ requests })
      await world.runOut()
      expect(submissions(anthropic.requests, before)).toBe(1)
      const done = await world.anthropic(key).messages.batches.retrieve(second.id)
      expect(done.request_counts).toMatchObject({ succeeded: count })
      await world.requireClean()
    })

    test('batches of messages of the same length whose responses are lost are told apart by their results', async () => {
      const { anthropic } = world.vendors
      world.reply = message
      const since = anthropic.requests.length
      anthropic.cuts = 2
      anthropic.batchBook.next('at-once', 'hang')
      const payers = [await world.addPayer(1_000_000), await world.addPayer(1_000_000)]
      const batches = []
      for (const { key } of payers) batches.push(await world.anthropic(key).messages.batches.create({ requests }))
      await world.runAll()
      for (let round = 0; round < 4; round += 1) {
        await world.wakeAll()
        await world.runAll()
      }
      // The one that still runs is waited for.
      for (const one of anthropic.batchBook.batches.values()) Object.assign(one, { fate: 'at-once' })
      await world.wakeAll()
      await world.runOut()
      for (const [index, { books }] of payers.entries()) await requireWhole(batches[index]?.id ?? '', books, 45)
      expect(submissions(anthropic.requests, since)).toBe(2)
      expect(anthropic.batchBook.batches.size).toBe(0)
    })

    test('a batch of messages of the same length that another client submitted is neither taken for this one nor touched', async () => {
      const { anthropic } = world.vendors
      world.reply = message
      const { key, books } = await world.addPayer(1_000_000)
      const calls = requests.map(({ custom_id: id, params }) => ({ id, path: '/v1/messages', body: params }))
      const batch = await world.anthropic(key).messages.batches.create({ requests })
      // The submission never arrives.
      anthropic.broken = 500
      await world.runAll()
      anthropic.broken = null
      anthropic.batchBook.next('at-once')
      const foreign = anthropic.batchBook.submit('msgbatch_foreign', calls)
      await world.wakeAll()
      await world.runOut()
      await requireWhole(batch.id, books, 45)
      expect([...anthropic.batchBook.batches.values()]).toEqual([foreign])
      expect(foreign.isCancelled).toBe(false)
      anthropic.batchBook.batches.clear()
    })

    test('results whose transaction fails at any step are charged once', async () => {
      const { key, books } = await world.addPayer(1_000_000)
      const ledger: { chargeHeld: Ledger['chargeHeld'] } = world.relay.ctx.ledger
      const chargeHeld = ledger.chargeHeld.bind(ledger)
      let failures = 0
      ledger.chargeHeld = async (id, part, transaction) => {
        failures += 1
        if (failures % 3 === 1) throw new Error('The database broke off before the charge')
        const isDone = await chargeHeld(id, part, transaction)
        if (failures % 3 === 2) throw new Error('The database broke off after the charge')
        return isDone
      }
      const batch = await world.submit(key, lines)
      await world.runOut()
      ledger.chargeHeld = chargeHeld
      expect(failures).toBeGreaterThan(count)
      await requireWhole(batch.id, books, lineCost)
      expect(world.contents).toHaveLength(count)
    }, 30_000)

    test('two workers that take one batch submit it once', async () => {
      world.reply = completion
      const { key, books } = await world.addPayer(1_000_000)
      const since = world.vendors.openAi.requests.length
      const batch = await world.submit(key, lines)
      const [first, second] = [world.relay.newBatchRunner(), world.relay.newBatchRunner()]
      const ticking = first.tick()
      await ticking
      await world.wakeAll()
      await second.tick()
      await Promise.all([first.whenIdle(), second.whenIdle()])
      await world.runOut()
      await requireWhole(batch.id, books, lineCost)
      expect(submissions(world.vendors.openAi.requests, since)).toBe(1)
    })
  })
}
