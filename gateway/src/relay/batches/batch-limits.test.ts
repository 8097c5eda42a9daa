import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'

import { BatchWorld, callCost, chatLine, completion } from '../../../test/batch-world'
import { eachDatabase } from '../../../test/databases'
import { onceOf } from '../../../test/kinds'
import { eventually } from '../../../test/eventually'

for (const kind of eachDatabase) {
  const once = onceOf(kind)

  describe(`limits of batches (${kind})`, () => {
    let world: BatchWorld
    beforeAll(async () => {
      world = await BatchWorld.create(kind)
    })
    afterEach(async () => {
      await world.reset()
      await world.relay.setOptions({
        BatchesEnabled: 'true',
        BatchPriceFactor: '1',
        BatchLinesAtOnce: '4',
        BatchMaxLines: '50000',
        BatchUserBatches: '20',
      })
    })
    afterAll(() => world[Symbol.asyncDispose]())

    once(
      'a batch is refused where its file is not one of a batch, the balance is too small, too many are open, or there are none',
      async () => {
        const { key } = await world.addPayer(1000)
        const codeOf = (call: Promise<unknown>) =>
          call.then(
            () => null,
            (error: { status: number; code: string }) => [error.status, error.code],
          )
        const client = world.openAi(key)
        const notes = await client.files.create({ file: new File(['{}'], 'x'), purpose: 'user_data' })
        const order = { endpoint: '/v1/chat/completions', completion_window: '24h' } as const
        expect(await codeOf(client.batches.create({ ...order, input_file_id: notes.id }))).toEqual([
          400,
          'invalid_value',
        ])
        expect(await codeOf(client.batches.create({ ...order, input_file_id: 'file-none' }))).toEqual([
          404,
          'file.none',
        ])
        const lines = Array.from({ length: 20 }, (_, index) => chatLine(`q${index}`))
        expect(await codeOf(world.submit(key, lines))).toEqual([403, 'insufficient_quota'])
        const rich = await world.addPayer(1_000_000)
        await world.relay.setOptions({ BatchUserBatches: '1' })
        const first = await world.submit(rich.key, [chatLine('a')])
        expect(await codeOf(world.submit(rich.key, [chatLine('a')]))).toEqual([429, 'batch.open'])
        await world.openAi(rich.key).batches.cancel(first.id)
        await world.runAll()
        await world.relay.setOptions({ BatchesEnabled: 'false' })
        expect(await codeOf(world.submit(rich.key, [chatLine('a')]))).toMatchObject([501, expect.any(String)])
        await world.requireClean()
      },
    )

    once('calls in batches cost what the site says, at the prices of the submission', async () => {
      world.reply = completion
      await world.relay.setOptions({ BatchPriceFactor: '0.5' })
      const { key, books } = await world.addPayer(1_000_000)
      const batch = await world.submit(key, [chatLine('a')])
      await world.relay.setOptions({ BatchPriceFactor: '1', GroupRatio: JSON.stringify({ default: 7 }) })
      await world.runAll()
      expect(await books()).toMatchObject({ used: callCost / 2, held: 0 })
      const [row] = (await world.relay.logs()).filter(({ request_id: id }) => id === `${batch.id}-1`)
      expect(JSON.parse(row?.other ?? '{}')).toMatchObject({ task_id: batch.id, price_mode: 'batch' })
      await world.relay.setOptions({ GroupRatio: JSON.stringify({ default: 1 }) })
      await world.requireClean()
    })

    once(
      'a batch waits while the vendor has no room, and a call that keeps failing fails alone',
      async () => {
        let calls = 0
        world.reply = (content) => {
          calls += 1
          if (calls === 1) return Response.json({ error: { message: 'slow down' } }, { status: 429 })
          return content === 'broken' ? new Response('oops', { status: 500 }) : completion()
        }
        const { key, books } = await world.addPayer(1_000_000)
        const batch = await world.submit(key, [chatLine('a'), chatLine('b', 'broken')])
        const runner = world.relay.newBatchRunner()
        await runner.tick()
        await runner.whenIdle()
        const done = await world.openAi(key).batches.retrieve(batch.id)
        expect(done).toMatchObject({ status: 'completed', request_counts: { completed: 1, failed: 1 } })
        expect(world.contents.filter((content) => content === 'broken').length).toBeLessThanOrEqual(3)
        expect(await books()).toMatchObject({ used: callCost, held: 0 })
        await world.requireClean()
      },
      30_000,
    )

    once('no more calls of a batch are made at once than the site says', async () => {
      await world.relay.setOptions({ BatchLinesAtOnce: '2' })
      let [running, max] = [0, 0]
      world.reply = async () => {
        running += 1
        max = Math.max(max, running)
        await Bun.sleep(5)
        running -= 1
        return completion()
      }
      const { key } = await world.addPayer(1_000_000)
      await world.submit(
        key,
        Array.from({ length: 9 }, (_, index) => chatLine(`q${index}`)),
      )
      await world.runAll()
      expect([world.contents.length, max]).toEqual([9, 2])
    })

    test('a key that was disabled meanwhile calls no more', async () => {
      world.reply = completion
      const { key, books, userId } = await world.addPayer(1_000_000)
      const batch = await world.submit(key, [chatLine('a')])
      await world.relay.ctx.database.query
        .updateTable('tokens')
        .set({ status: 2 })
        .where('user_id', '=', userId)
        .execute()
      const token = await world.relay.ctx.database.query
        .selectFrom('tokens')
        .select('id')
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      await world.relay.ctx.database.query
        .transaction()
        .execute((transaction) => world.relay.ctx.changes.announce({ topic: 'token', refId: token.id }, transaction))
      await world.relay.ctx.changes.deliver()
      await world.runAll()
      expect(world.contents).toEqual([])
      expect(await books()).toMatchObject({ used: 0, held: 0, user: 1_000_000 })
      const row = await world.relay.ctx.database.query
        .selectFrom('batches')
        .selectAll()
        .where('task_id', '=', batch.id)
        .executeTakeFirstOrThrow()
      expect(row.failed).toBe(1)
    })

    once('a batch takes half of the requests that its user may make, and waits for more', async () => {
      await world.relay.setOptions({
        ModelRequestRateLimitEnabled: 'true',
        ModelRequestRateLimitDurationMinutes: '60',
        ModelRequestRateLimitCount: '6',
        BatchLinesAtOnce: '1',
      })
      const { key, books } = await world.addPayer(1_000_000)
      const batch = await world.submit(
        key,
        Array.from({ length: 5 }, (_, index) => chatLine(`q${index}`)),
      )
      const runner = world.relay.newBatchRunner()
      const third = Promise.withResolvers<void>()
      world.reply = () => {
        if (world.contents.length === 3) third.resolve()
        return completion()
      }
      await runner.tick()
      await third.promise
      const counts = async () => (await world.openAi(key).batches.retrieve(batch.id)).request_counts
      await eventually(async () => ((await counts())?.completed === 3 ? true : null))
      await runner.stop()
      expect([world.contents.length, await counts()]).toEqual([3, { total: 5, completed: 3, failed: 0 }])
      await world.relay.setOptions({ ModelRequestRateLimitEnabled: 'false' })
      await world.runAll()
      expect(await books()).toMatchObject({ used: 5 * callCost, held: 0 })
      await world.requireClean()
    })

    once('a batch of a user who was banned meanwhile makes no more calls, and returns what was held', async () => {
      const { key, books, userId } = await world.addPayer(1_000_000)
      const batch = await world.submit(key, [chatLine('a'), chatLine('b')])
      const { ctx } = world.relay
      const { query } = ctx.database
      await query.updateTable('users').set({ status: 2 }).where('id', '=', userId).execute()
      await query
        .transaction()
        .execute((transaction) => ctx.changes.announce({ topic: 'user', refId: userId }, transaction))
      await ctx.changes.deliver()
      await world.runAll()
      expect(world.contents).toEqual([])
      const row = await query
        .selectFrom('batches')
        .selectAll()
        .where('task_id', '=', batch.id)
        .executeTakeFirstOrThrow()
      expect([row.completed, row.failed]).toEqual([0, 2])
      expect(await books()).toMatchObject({ used: 0, held: 0, user: 1_000_000 })
      await world.requireClean()
    })

    once(
      'calls that get a share of a small balance are told to be short, and cost no more than their share',
      async () => {
        const limits: unknown[] = []
        const share = chatLine('a', 'x', { body: { model: 'gpt-4.1', messages: [{ role: 'user', content: 'x' }] } })
        const lines = [share, share.replace('"a"', '"b"'), share.replace('"a"', '"c"')]
        world.onBody = ({ max_tokens, max_completion_tokens: max = max_tokens }) => void limits.push(max)
        world.reply = () => {
          const usage = { prompt_tokens: 10, completion_tokens: 100_000, total_tokens: 100_010 }
          const choices = [{ index: 0, message: { role: 'assistant', content: 'Forty-two' }, finish_reason: 'stop' }]
          return Response.json({ id: 'c', object: 'chat.completion', created: 1, model: 'gpt-4.1', choices, usage })
        }
        const { key, books } = await world.addPayer(6000)
        await world.submit(key, lines)
        await world.runAll()
        world.onBody = () => {}
        expect(limits).toHaveLength(3)
        for (const limit of limits) expect(Number(limit)).toBeLessThan(600)
        const { user, used, held } = await books()
        expect([held, used + user, user >= 0, used > 0]).toEqual([0, 6000, true, true])
        await world.requireClean()
      },
    )

    test('a batch that is cancelled while its last call ends has ended in one of the two ways, with that call', async () => {
      const { key, books } = await world.addPayer(1_000_000)
      const cancelling: Promise<unknown>[] = []
      const { promise: batchId, resolve } = Promise.withResolvers<string>()
      world.reply = async () => {
        cancelling.push(world.openAi(key).batches.cancel(await batchId))
        return completion()
      }
      const batch = await world.submit(key, [chatLine('a')])
      resolve(batch.id)
      await world.runAll()
      await Promise.all(cancelling)
      const done = await world.openAi(key).batches.retrieve(batch.id)
      expect(['cancelled', 'completed']).toContain(done.status)
      expect(done.request_counts).toEqual({ total: 1, completed: 1, failed: 0 })
      expect(await world.linesOf(key, done.output_file_id)).toHaveLength(1)
      expect(await books()).toMatchObject({ used: callCost, held: 0 })
      await world.requireClean()
    })
  })
}
