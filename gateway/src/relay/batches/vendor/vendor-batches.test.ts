import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'

import { BatchWorld, callCost, chatLine, completion, message } from '../../../../test/batch-world'
import { eachDatabase } from '../../../../test/databases'
import { onceOf } from '../../../../test/kinds'

for (const kind of eachDatabase) {
  const once = onceOf(kind)

  describe(`batches that vendors make (${kind})`, () => {
    let world: BatchWorld
    beforeAll(async () => {
      world = await BatchWorld.withVendors(kind)
      await world.relay.setOptions({
        ModelRatio: JSON.stringify({ 'claude-opus-4-6': 1 }),
        CompletionRatio: '{"claude-opus-4-6":4}',
      })
    })
    afterEach(async () => {
      await world.reset()
      world.vendors.openAi.broken = null
      await world.relay.setOptions({ BatchesAtVendors: 'true', BatchPriceFactor: '1' })
    })
    afterAll(() => world[Symbol.asyncDispose]())

    once('a batch of OpenAI is uploaded, made by the vendor at its price, and leaves nothing there', async () => {
      world.reply = (content) =>
        content === 'bad'
          ? Response.json({ error: { message: 'no', type: 'invalid_request_error' } }, { status: 400 })
          : completion()
      const { key, books } = await world.addPayer(1_000_000)
      const { openAi } = world.vendors
      const batch = await world.submit(key, [chatLine('a'), chatLine('b', 'bad'), chatLine('c')])
      await world.runAll()
      expect(openAi.files.size).toBe(1)
      const [sent] = [...openAi.files.values()].map(({ text }) => text.split('\n').map((line) => JSON.parse(line)))
      expect(sent).toMatchObject([
        { custom_id: `${batch.id}-1`, method: 'POST', url: '/v1/chat/completions', body: { model: 'gpt-4.1' } },
        { custom_id: `${batch.id}-2` },
        { custom_id: `${batch.id}-3` },
      ])
      const started = await world.openAi(key).batches.retrieve(batch.id)
      expect(started).toMatchObject({ status: 'in_progress', request_counts: { completed: 0, failed: 0 } })
      expect(world.contents).toEqual([])
      await world.runOut()
      const done = await world.openAi(key).batches.retrieve(batch.id)
      expect(done).toMatchObject({ status: 'completed', request_counts: { total: 3, completed: 2, failed: 1 } })
      expect(await world.linesOf(key, done.output_file_id)).toMatchObject([
        { custom_id: 'a', response: { status_code: 200, body: { object: 'chat.completion' } }, error: null },
        { custom_id: 'c' },
      ])
      expect(await world.linesOf(key, done.error_file_id)).toMatchObject([
        { custom_id: 'b', response: { status_code: 400, body: { error: { message: expect.stringContaining('no') } } } },
      ])
      // Half of the price, as the list has it for batches.
      expect(await books()).toMatchObject({ used: callCost, held: 0 })
      expect([...openAi.files.keys()]).toEqual([])
      expect(openAi.requests.filter((call) => call.startsWith('POST'))).toEqual(['POST /v1/files', 'POST /v1/batches'])
      await world.requireClean()
    })

    once('a batch of messages goes to Anthropic in one piece, and its results come back by their names', async () => {
      world.reply = (content) =>
        content === 'bad'
          ? Response.json({ type: 'error', error: { type: 'invalid_request_error', message: 'no' } }, { status: 400 })
          : message()
      const { key, books } = await world.addPayer(1_000_000)
      const client = world.anthropic(key).messages.batches
      const request = (id: string, content: string) => ({
        custom_id: id,
        params: { model: 'claude-opus-4-6', max_tokens: 50, messages: [{ role: 'user' as const, content }] },
      })
      const batch = await client.create({ requests: [request('a', 'why?'), request('b', 'bad')] })
      await world.runOut()
      const done = await client.retrieve(batch.id)
      expect(done).toMatchObject({ processing_status: 'ended', request_counts: { succeeded: 1, errored: 1 } })
      const results: unknown[] = []
      for await (const result of await client.results(batch.id)) results.push(result)
      expect(results).toMatchObject([
        { custom_id: 'a', result: { type: 'succeeded', message: { content: [{ text: 'Forty-two' }] } } },
        { custom_id: 'b', result: { type: 'errored', error: { error: { message: expect.stringContaining('no') } } } },
      ])
      expect((await books()).held).toBe(0)
      expect(world.vendors.anthropic.batchBook.batches.size).toBe(0)
      expect(world.vendors.anthropic.requests.filter((call) => call === 'POST /v1/messages/batches')).toHaveLength(1)
      await world.requireClean()
    })

    const rowOf = (id: string) =>
      world.relay.ctx.database.query
        .selectFrom('batches')
        .selectAll()
        .where('task_id', '=', id)
        .executeTakeFirstOrThrow()
    const posts = (since: number) =>
      world.vendors.openAi.requests.slice(since).filter((call) => call.startsWith('POST'))

    once(
      'the gateway makes the calls where the site or the channel wants no batches of vendors, or calls are not fit for one',
      async () => {
        const since = world.vendors.openAi.requests.length
        const requireOwnCalls = async (lines: readonly string[]) => {
          const { key, books } = await world.addPayer(1_000_000)
          const batch = await world.submit(key, lines)
          await world.runOut()
          const { completed, failed } = await rowOf(batch.id)
          expect([completed, failed, posts(since)]).toEqual([lines.length, 0, []])
          expect(await books()).toMatchObject({ used: lines.length * callCost, held: 0 })
        }
        await world.relay.setOptions({ BatchesAtVendors: 'false' })
        await requireOwnCalls([chatLine('a')])
        await world.relay.setOptions({ BatchesAtVendors: 'true' })
        const channel = await world.relay.ctx.database.query
          .selectFrom('channels')
          .selectAll()
          .where('name', '=', 'ours')
          .executeTakeFirstOrThrow()
        for (const vendor_batches of ['off', 'auto'])
          await world.relay
            .changeChannel(channel.id, { setting: JSON.stringify({ vendor_batches }) })
            .then(() => requireOwnCalls([chatLine('a')]))
        await world.relay.changeChannel(channel.id, { setting: channel.setting, models: 'gpt-4.1,gpt-4.1-2025-04-14' })
        const other = {
          body: { model: 'gpt-4.1-2025-04-14', max_tokens: 50, messages: [{ role: 'user', content: 'x' }] },
        }
        await requireOwnCalls([chatLine('a'), chatLine('b', 'x', other)])
        await world.relay.changeChannel(channel.id, { models: 'gpt-4.1', priority: -1 })
        const first = await world.relay.addChannel({ base_url: channel.base_url, models: 'gpt-4.1', type: 8 })
        await requireOwnCalls([chatLine('a')])
        await world.relay.changeChannel(first, { status: 2 })
        await world.relay.changeChannel(channel.id, { priority: 0 })
        await world.requireClean()
      },
    )

    once('the gateway makes the calls of a batch that the vendor refuses, and cleans up there', async () => {
      const { openAi } = world.vendors
      const { key, books } = await world.addPayer(1_000_000)
      openAi.batchBook.next('refuse')
      const batch = await world.submit(key, [chatLine('a'), chatLine('b')])
      await world.runOut()
      const { completed } = await rowOf(batch.id)
      expect([completed, openAi.files.size]).toEqual([2, 0])
      expect(await books()).toMatchObject({ used: 2 * callCost, held: 0 })
      openAi.broken = 404
      const second = await world.submit(key, [chatLine('a')])
      await world.runOut()
      expect((await rowOf(second.id)).completed).toBe(1)
      expect(await books()).toMatchObject({ used: 3 * callCost, held: 0 })
      await world.requireClean()
    })

    once('a batch waits for a vendor that is out of order, and goes on where it was', async () => {
      const { openAi } = world.vendors
      const { key, books } = await world.addPayer(1_000_000)
      const batch = await world.submit(key, [chatLine('a')])
      for (const status of [500, 429, 503]) {
        openAi.broken = status
        await world.runAll()
        await world.wakeAll()
      }
      openAi.broken = null
      await world.runOut()
      expect((await rowOf(batch.id)).completed).toBe(1)
      expect(await books()).toMatchObject({ used: callCost / 2, held: 0 })
    })

    once('a cancelled batch is cancelled at its vendor, and what was made there is charged', async () => {
      const { openAi } = world.vendors
      const { key, books } = await world.addPayer(1_000_000)
      openAi.batchBook.next('hang')
      const batch = await world.submit(key, [chatLine('a'), chatLine('b'), chatLine('c')])
      await world.runAll()
      const before = await rowOf(batch.id)
      expect((await world.openAi(key).batches.cancel(batch.id)).status).toBe('cancelling')
      // It is due at once.
      expect((await rowOf(batch.id)).claimed_until).toBeLessThan(before.claimed_until ?? 0)
      await world.runOut()
      const done = await world.openAi(key).batches.retrieve(batch.id)
      expect(done).toMatchObject({ status: 'cancelled', request_counts: { total: 3, completed: 2 } })
      expect(await world.linesOf(key, done.output_file_id)).toMatchObject([{ custom_id: 'a' }, { custom_id: 'b' }])
      expect(await world.linesOf(key, done.error_file_id)).toMatchObject([
        { custom_id: 'c', response: null, error: { code: 'batch_cancelled' } },
      ])
      expect(await books()).toMatchObject({ used: callCost, held: 0 })
      expect([openAi.files.size, [...openAi.batchBook.batches.values()].at(-1)?.isCancelled]).toEqual([0, true])
      await world.requireClean()
    })

    once('a batch whose day is over is cancelled at its vendor, and expires with what was made there', async () => {
      const { key, books } = await world.addPayer(1_000_000)
      world.vendors.openAi.batchBook.next('hang')
      const batch = await world.submit(key, [chatLine('a'), chatLine('b')])
      await world.runAll()
      const { query } = world.relay.ctx.database
      const deadline_at = world.relay.ctx.clock.now() - 1
      await query.updateTable('tasks').set({ deadline_at }).where('public_id', '=', batch.id).execute()
      await world.wakeAll()
      await world.runOut()
      const done = await world.openAi(key).batches.retrieve(batch.id)
      expect(done).toMatchObject({ status: 'expired', request_counts: { total: 2, completed: 1 } })
      expect(await world.linesOf(key, done.error_file_id)).toMatchObject([
        { custom_id: 'b', error: { code: 'batch_expired' } },
      ])
      expect(await books()).toMatchObject({ used: callCost / 2, held: 0 })
      await world.requireClean()
    })

    once('calls that the vendor did not make in its time are made here', async () => {
      const { key, books } = await world.addPayer(1_000_000)
      world.vendors.openAi.batchBook.next('half')
      const batch = await world.submit(key, [chatLine('a'), chatLine('b')])
      await world.runOut()
      expect(await rowOf(batch.id)).toMatchObject({ completed: 2, failed: 0 })
      expect(await books()).toMatchObject({ used: callCost / 2 + callCost, held: 0 })
      await world.requireClean()
    })

    for (const [what, table, change] of [
      ['key was disabled', 'tokens', { status: 2 }],
      ['user was deleted', 'users', { deleted_at: 1 }],
    ] as const)
      test(`what a vendor made is charged though the ${what} and the prices changed meanwhile, and no call is made for it any more`, async () => {
        const { openAi } = world.vendors
        const { key, books, userId } = await world.addPayer(1_000_000)
        openAi.batchBook.next('hang')
        const batch = await world.submit(key, [chatLine('a'), chatLine('b')])
        await world.runAll()
        const { ctx } = world.relay
        const { query } = ctx.database
        const [owner, topic] = table === 'users' ? (['id', 'user'] as const) : (['user_id', 'token'] as const)
        const { id: refId } = await query
          .updateTable(table)
          .set(change)
          .where(owner, '=', userId)
          .returning('id')
          .executeTakeFirstOrThrow()
        await query.transaction().execute((transaction) => ctx.changes.announce({ topic, refId }, transaction))
        await ctx.changes.deliver()
        await world.relay.setOptions({ GroupRatio: JSON.stringify({ default: 7 }), BatchPriceFactor: '0.9' })
        await world.wakeAll()
        await world.runOut()
        expect(await rowOf(batch.id)).toMatchObject({ completed: 1, failed: 1 })
        expect(await books()).toMatchObject({ used: callCost / 2, held: 0 })
        expect(world.contents).toHaveLength(1)
        await world.relay.setOptions({ GroupRatio: JSON.stringify({ default: 1 }) })
        await world.requireClean()
      })

    test('the counts of a batch follow those of its vendor while it runs, and its log rows have no duration', async () => {
      const { openAi } = world.vendors
      const { key } = await world.addPayer(1_000_000)
      openAi.batchBook.next('hang')
      const batch = await world.submit(key, [chatLine('a'), chatLine('b'), chatLine('c')])
      await world.runAll()
      const [running] = [...openAi.batchBook.batches.values()].slice(-1)
      if (!running) throw new Error('The vendor has no batch')
      Object.assign(running, { shown: { succeeded: 1, failed: 1 } })
      await world.wakeAll()
      await world.runAll()
      const counts = async () => (await world.openAi(key).batches.retrieve(batch.id)).request_counts
      expect(await counts()).toEqual({ total: 3, completed: 1, failed: 1 })
      const { query } = world.relay.ctx.database
      const task = query.selectFrom('tasks').selectAll().where('public_id', '=', batch.id)
      expect(await task.executeTakeFirst()).toMatchObject({ progress: 66, prompt_en: '1 ✓ 1 ✗ / 3' })
      Object.assign(running, { fate: 'at-once' })
      await world.wakeAll()
      await world.runOut()
      expect(await counts()).toEqual({ total: 3, completed: 3, failed: 0 })
      const rows = (await world.relay.logs()).filter(({ request_id: request }) => request.startsWith(batch.id))
      expect(rows.map(({ use_time, other }) => [use_time, JSON.parse(other).use_time_ms])).toEqual(
        rows.map(() => [0, null]),
      )
      await world.requireClean()
    })

    test('calls that fail as their account may make no more, or as the vendor is down, are made elsewhere and cost what was made', async () => {
      for (const [status, error] of [
        [429, { code: 'insufficient_quota', type: 'insufficient_quota', message: 'You exceeded your current quota' }],
        [401, { code: 'invalid_api_key', type: 'invalid_request_error', message: 'Incorrect API key provided' }],
        [503, { code: null, type: 'server_error', message: 'overloaded' }],
      ] as const) {
        await world.reset()
        const { key, books } = await world.addPayer(1_000_000)
        world.reply = () => (world.contents.length <= 2 ? Response.json({ error }, { status }) : completion())
        const since = world.vendors.openAi.requests.length
        const batch = await world.submit(key, [chatLine('a'), chatLine('b')])
        await world.runOut()
        expect([status, await rowOf(batch.id)]).toMatchObject([status, { completed: 2, failed: 0 }])
        expect(await books()).toMatchObject({ used: 2 * callCost, held: 0 })
        expect(posts(since)).toEqual(['POST /v1/files', 'POST /v1/batches'])
        await world.requireClean()
      }
    })

    test('a call costs at a vendor no more than here, and is shown under the name that its caller has for the model', async () => {
      await world.relay.setOptions({ BatchPriceFactor: '0.2' })
      const { query } = world.relay.ctx.database
      const { id } = await query
        .selectFrom('channels')
        .select('id')
        .where('name', '=', 'ours')
        .executeTakeFirstOrThrow()
      await world.relay.changeChannel(id, { models: 'mine', model_mapping: '{"mine":"gpt-4.1"}' })
      const { key, books } = await world.addPayer(1_000_000)
      const body = { model: 'mine', max_tokens: 20, messages: [{ role: 'user', content: 'x' }] }
      const batch = await world.submit(key, [chatLine('a', 'x', { body })])
      await world.runAll()
      expect(world.vendors.openAi.files.values().next().value?.text).toContain('"model":"gpt-4.1"')
      await world.runOut()
      const done = await world.openAi(key).batches.retrieve(batch.id)
      expect(await world.linesOf(key, done.output_file_id)).toMatchObject([{ response: { body: { model: 'mine' } } }])
      const { used, held } = await books()
      expect(held).toBe(0)
      expect(used).toBeLessThanOrEqual(callCost / 4)
      const [row] = (await world.relay.logs()).filter(({ request_id: request }) => request === `${batch.id}-1`)
      expect(row?.model_name).toBe('mine')
      await world.relay.changeChannel(id, { models: 'gpt-4.1', model_mapping: '' })
      await world.requireClean()
    })
  })
}
