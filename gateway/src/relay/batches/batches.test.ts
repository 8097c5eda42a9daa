import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'

import type { JsonObject } from '@tollgate/dialects'

import { BatchWorld, callCost, chatLine, completion } from '../../../test/batch-world'
import { eachDatabase } from '../../../test/databases'
import { onceOf } from '../../../test/kinds'
import { lineState, nextLines, waitingLines } from '../../tasks/batches/batch-lines'
import { removeExpiredBatches, removeLines } from '../../tasks/batches/remove-batches'
import { removeExpiredFiles } from '../../tasks/files/remove-files'

const { signal } = new AbortController()

for (const kind of eachDatabase) {
  const once = onceOf(kind)

  describe(`batches that the gateway makes (${kind})`, () => {
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

    test('a batch holds its cost, makes its calls, charges each and gives its results to the SDK of OpenAI', async () => {
      world.reply = (content) =>
        content === 'bad'
          ? Response.json({ error: { message: 'no', type: 'invalid_request_error' } }, { status: 400 })
          : completion()
      const { key, books, userId } = await world.addPayer(1_000_000)
      const batch = await world.submit(key, [chatLine('a'), chatLine('b', 'bad'), chatLine('c')], {
        metadata: { of: 'night' },
      })
      expect(batch).toMatchObject({
        object: 'batch',
        status: 'in_progress',
        endpoint: '/v1/chat/completions',
        request_counts: { total: 3, completed: 0, failed: 0 },
        metadata: { of: 'night' },
        errors: null,
      })
      const during = await books()
      expect([during.held, during.used, during.user < 1_000_000]).toEqual([1, 0, true])
      await world.requireClean()
      await world.runAll()
      const done = await world.openAi(key).batches.retrieve(batch.id)
      expect(done).toMatchObject({ status: 'completed', request_counts: { total: 3, completed: 2, failed: 1 } })
      const output = await world.linesOf(key, done.output_file_id)
      expect(output).toMatchObject([
        { custom_id: 'a', response: { status_code: 200, body: { object: 'chat.completion' } }, error: null },
        { custom_id: 'c', response: { status_code: 200 } },
      ])
      const errors = await world.linesOf(key, done.error_file_id)
      expect(errors).toMatchObject([
        { custom_id: 'b', response: { status_code: 400, body: { error: { message: expect.any(String) } } } },
      ])
      const file = await world.openAi(key).files.retrieve(done.output_file_id ?? '')
      const content = await (await world.openAi(key).files.content(file.id)).text()
      expect(file).toMatchObject({ purpose: 'batch_output', bytes: Buffer.byteLength(content) })
      const left = 1_000_000 - 2 * callCost
      expect(await books()).toEqual({ user: left, used: 2 * callCost, token: left, held: 0 })
      const rows = (await world.relay.logs()).filter((row) => row.user_id === userId && row.quota > 0)
      expect(rows.map(({ request_id: id }) => id).toSorted()).toEqual([`${batch.id}-1`, `${batch.id}-3`])
      for (const { other } of rows) expect(other).toContain(batch.id)
      const task = (await (
        await fetch(`${world.relay.url}/v1/tasks/${batch.id}`, { headers: { authorization: `Bearer ${key}` } })
      ).json()) as JsonObject
      expect(task).toMatchObject({ platform: 'batch', status: 'SUCCESS', quota: 2 * callCost, progress: 100 })
      await world.requireClean()
    })

    test('a submission that is repeated with its key is the same batch, and another one with it is refused', async () => {
      world.reply = () => completion()
      const { key, books } = await world.addPayer(1_000_000)
      const client = world.openAi(key)
      const { id: input_file_id } = await client.files.create({
        file: new File([chatLine('a')], 'batch.jsonl'),
        purpose: 'batch',
      })
      const submit = (metadata: Record<string, string>) =>
        client.batches.create(
          { input_file_id, endpoint: '/v1/chat/completions', completion_window: '24h', metadata },
          { headers: { 'idempotency-key': 'batch-0001' } },
        )
      // The one that comes second may be told that the first is under way.
      const both = await Promise.allSettled([submit({}), submit({})])
      const first = await submit({})
      const started = both.flatMap((settled) => (settled.status === 'fulfilled' ? [settled.value] : []))
      expect(started).not.toBeEmpty()
      expect(started).toEqual(started.map(() => first))
      expect(await submit({ of: 'night' }).catch((error: unknown) => error)).toMatchObject({ status: 422 })
      expect((await books()).held).toBe(1)
      const anthropic = world.anthropic(key).messages.batches
      const requests = [
        {
          custom_id: 'a',
          params: { model: 'gpt-4.1', max_tokens: 9, messages: [{ role: 'user' as const, content: 'x' }] },
        },
      ]
      const headers = { 'idempotency-key': 'batch-0001' }
      const created = await anthropic.create({ requests }, { headers })
      expect((await anthropic.create({ requests }, { headers })).id).toBe(created.id)
      await world.runAll()
      expect((await books()).used).toBe(2 * callCost)
      await world.requireClean()
    })

    once('a batch of the SDK of Anthropic is made, streamed as results and deleted', async () => {
      world.reply = (content) =>
        content === 'bad' ? Response.json({ error: { message: 'no' } }, { status: 400 }) : completion()
      const { key, books } = await world.addPayer(1_000_000)
      const client = world.anthropic(key).messages.batches
      const request = (id: string, content: string) => ({
        custom_id: id,
        params: { model: 'gpt-4.1', max_tokens: 50, messages: [{ role: 'user' as const, content }] },
      })
      const batch = await client.create({ requests: [request('a', 'why?'), request('b', 'bad')] })
      expect(batch).toMatchObject({
        type: 'message_batch',
        processing_status: 'in_progress',
        request_counts: { processing: 2 },
      })
      expect(
        await client.results(batch.id).then(
          () => null,
          (error: unknown) => error,
        ),
      ).not.toBeNull()
      await world.runAll()
      const done = await client.retrieve(batch.id)
      expect(done).toMatchObject({
        processing_status: 'ended',
        request_counts: { succeeded: 1, errored: 1, processing: 0 },
      })
      const results: unknown[] = []
      for await (const result of await client.results(batch.id)) results.push(result)
      expect(results).toMatchObject([
        {
          custom_id: 'a',
          result: { type: 'succeeded', message: { type: 'message', content: [{ text: 'Forty-two' }] } },
        },
        { custom_id: 'b', result: { type: 'errored', error: { type: 'error' } } },
      ])
      expect((await client.list()).data.map(({ id }) => id)).toEqual([batch.id])
      expect(await client.delete(batch.id)).toEqual({ id: batch.id, type: 'message_batch_deleted' })
      expect((await client.list()).data).toEqual([])
      const left = await world.relay.ctx.database.query
        .selectFrom('batch_lines')
        .select('line')
        .where('batch_id', '=', batch.id)
        .execute()
      expect(left).toEqual([])
      expect(await books()).toMatchObject({ used: callCost, held: 0 })
      const refused = client.create({ requests: [request('a', 'x'), request('a', 'x')] })
      expect(
        await refused.catch((error: { status: number; message: string }) => [error.status, error.message]),
      ).toMatchObject([400, expect.stringContaining('requests.1')])
      await world.requireClean()
    })

    once('a batch whose lines are not as they should be fails and says why, and holds nothing', async () => {
      const { key, books } = await world.addPayer(1_000_000)
      const wrong = [
        chatLine('a'),
        chatLine('a'),
        chatLine('b', 'x', { method: 'GET' }),
        chatLine('c', 'x', { url: '/v1/embeddings' }),
        chatLine('d', 'x', { body: { model: 'gpt-4.1', stream: true, messages: [{ role: 'user', content: 'x' }] } }),
        chatLine('e', 'x', { body: { model: 'unheard-of', messages: [{ role: 'user', content: 'x' }] } }),
        chatLine('f', 'x', { body: { model: 'gpt-4.1' } }),
      ]
      const batch = await world.submit(key, wrong)
      expect(batch).toMatchObject({ status: 'failed', output_file_id: null })
      expect(batch.errors?.data?.map(({ line, param }) => [line, param])).toEqual([
        [2, 'custom_id'],
        [3, 'method'],
        [4, 'url'],
        [5, 'stream'],
        [6, 'model'],
        [7, 'messages'],
      ])
      expect(await books()).toMatchObject({ user: 1_000_000, held: 0 })
      await world.runAll()
      expect(world.contents).toEqual([])
      await world.relay.setOptions({ BatchMaxLines: '2' })
      const long = await world.submit(key, [chatLine('a'), chatLine('b'), chatLine('c')])
      expect(long.errors?.data).toMatchObject([{ line: 3, code: 'too_many_requests' }])
      await world.requireClean()
    })

    test('batches of others are not found', async () => {
      world.reply = completion
      const { key } = await world.addPayer(1_000_000)
      const stranger = world.openAi((await world.addPayer(1000)).key)
      const batch = await world.submit(key, [chatLine('a')])
      const statusOf = (call: Promise<unknown>) =>
        call.then(
          () => 200,
          (error: { status: number }) => error.status,
        )
      expect(await statusOf(stranger.batches.retrieve(batch.id))).toBe(404)
      expect(await statusOf(stranger.batches.cancel(batch.id))).toBe(404)
      expect((await stranger.batches.list()).data).toEqual([])
      await world.runAll()
      const { output_file_id: output } = await world.openAi(key).batches.retrieve(batch.id)
      expect(await statusOf(stranger.files.content(output ?? ''))).toBe(404)
      const second = await world.submit(key, [chatLine('a')])
      const ids: string[] = []
      for await (const { id } of world.openAi(key).batches.list({ limit: 1 })) ids.push(id)
      expect(ids).toEqual([second.id, batch.id])
      await world.runAll()
    })

    once('a cancelled batch charges what was made and returns the rest', async () => {
      const { key, books } = await world.addPayer(1_000_000)
      const client = world.openAi(key)
      await world.relay.setOptions({ BatchLinesAtOnce: '1' })
      const { promise: isRequested, resolve } = Promise.withResolvers<void>()
      const { promise: isCancelled, resolve: goOn } = Promise.withResolvers<void>()
      world.reply = async () => {
        resolve()
        await isCancelled
        return completion()
      }
      const batch = await world.submit(key, [chatLine('a'), chatLine('b'), chatLine('c'), chatLine('d'), chatLine('e')])
      const running = world.runAll()
      await isRequested
      expect((await client.batches.cancel(batch.id)).status).toBe('cancelling')
      goOn()
      await running
      const done = await client.batches.retrieve(batch.id)
      const { completed = 0 } = done.request_counts ?? {}
      expect(done.status).toBe('cancelled')
      expect(completed).toBeLessThan(5)
      expect(await world.linesOf(key, done.output_file_id)).toHaveLength(completed)
      const left = await world.linesOf(key, done.error_file_id)
      expect(left).toHaveLength(5 - completed)
      expect(left.at(-1)).toMatchObject({ custom_id: 'e', response: null, error: { code: 'batch_cancelled' } })
      expect(await books()).toMatchObject({ used: completed * callCost, held: 0 })
      expect((await client.batches.cancel(batch.id)).status).toBe('cancelled')
      await world.requireClean()
    })

    once('a batch whose day is over expires with what was made', async () => {
      world.reply = completion
      const { key, books } = await world.addPayer(1_000_000)
      const batch = await world.submit(key, [chatLine('a'), chatLine('b')])
      const { query } = world.relay.ctx.database
      await query.updateTable('tasks').set({ deadline_at: 1 }).where('public_id', '=', batch.id).execute()
      await world.runAll()
      const done = await world.openAi(key).batches.retrieve(batch.id)
      expect(done).toMatchObject({ status: 'expired', output_file_id: null })
      expect(await world.linesOf(key, done.error_file_id)).toMatchObject([
        { error: { code: 'batch_expired' } },
        { custom_id: 'b' },
      ])
      expect(await books()).toMatchObject({ used: 0, held: 0, user: 1_000_000 })
      await world.requireClean()
    })

    test('a batch whose lines cannot be opened any more ends with its time, and returns what was held', async () => {
      const { key, books } = await world.addPayer(1_000_000)
      const { id } = await world.submit(key, [chatLine('a')])
      const { query } = world.relay.ctx.database
      await query.updateTable('batches').set({ key_sealed: 'lost' }).where('task_id', '=', id).execute()
      await world.runAll()
      expect((await books()).held).toBe(1)
      await query.updateTable('tasks').set({ deadline_at: 1 }).where('public_id', '=', id).execute()
      await world.wakeAll()
      await world.runAll()
      expect(await books()).toMatchObject({ held: 0, used: 0, user: 1_000_000 })
      expect((await world.openAi(key).batches.retrieve(id)).status).toBe('expired')
      await world.requireClean()
    })

    test('lines are read together as long as they are small together', async () => {
      const { query } = world.relay.ctx.database
      const line = { batch_id: 'sizes', model: 'm', max_quota: 0, min_quota: 0, bytes: 0 }
      const sizes = [6, 1, 2, 2, 5].map((megabytes) => megabytes * 1024 * 1024)
      for (const [index, size] of sizes.entries())
        await query
          .insertInto('batch_lines')
          .values({ ...line, line: index + 1, state: lineState.waiting, content: new Uint8Array(size) })
          .execute()
      const found: number[][] = []
      for (let after = 0, lines = [0]; lines.length > 0; after = lines.at(-1) ?? after) {
        lines = await nextLines(query, 'sizes', { states: [lineState.waiting], limit: 100, after })
        found.push(lines)
      }
      expect(found).toEqual([[1], [2, 3], [4], [5], []])
      await removeLines(query, 'sizes')
      expect(await waitingLines(query, 'sizes', 100)).toEqual([])
    })

    test('a deleted file of results and an expired batch leave nothing readable', async () => {
      world.reply = completion
      const { key } = await world.addPayer(1_000_000)
      const batch = await world.submit(key, [chatLine('a')])
      await world.runAll()
      const { query } = world.relay.ctx.database
      const lines = () => query.selectFrom('batch_lines').select('line').where('batch_id', '=', batch.id).execute()
      expect(await lines()).toHaveLength(1)
      const { output_file_id: output } = await world.openAi(key).batches.retrieve(batch.id)
      await world.openAi(key).files.delete(output ?? '')
      await removeExpiredFiles(world.relay.ctx, signal)
      expect(await lines()).toEqual([])
      const second = await world.submit(key, [chatLine('a')])
      await query.updateTable('batches').set({ expires_at: 1 }).where('task_id', 'in', [batch.id, second.id]).execute()
      await removeExpiredBatches(world.relay.ctx, signal)
      const rows = await query
        .selectFrom('batches')
        .select('task_id')
        .where('task_id', 'in', [batch.id, second.id])
        .execute()
      expect(rows.map((row) => row.task_id)).toEqual([second.id])
      await world.runAll()
    })
  })
}
