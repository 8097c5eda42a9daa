import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'

import { BatchWorld, callCost, chatLine, message } from '../../../../test/batch-world'
import { eachDatabase } from '../../../../test/databases'
import { onceOf } from '../../../../test/kinds'

const lineCost = callCost / 2

for (const kind of eachDatabase) {
  const once = onceOf(kind)

  describe(`batches at vendors that say odd things (${kind})`, () => {
    let world: BatchWorld
    beforeAll(async () => {
      world = await BatchWorld.withVendors(kind)
      await world.relay.setOptions({ ModelRatio: '{"claude-opus-4-6":1}', CompletionRatio: '{"claude-opus-4-6":4}' })
    })
    afterEach(async () => {
      await world.reset()
      world.vendors.openAi.broken = null
      await world.runOut()
    })
    afterAll(() => world[Symbol.asyncDispose]())

    const rowOf = (id: string) =>
      world.relay.ctx.database.query
        .selectFrom('batches')
        .selectAll()
        .where('task_id', '=', id)
        .executeTakeFirstOrThrow()

    /** Returns a worker for which some responses of vendors are replaced; null: this one is not. */
    const runnerWith = (
      replace: (request: string, response: Response) => Promise<Response | null> | Response | null,
    ) => {
      const { fetch } = world.relay.ctx
      const replaced: typeof fetch = Object.assign(
        async (...[url, init]: Parameters<typeof fetch>) => {
          const response = await fetch(url, init)
          const { pathname } = new URL(url instanceof Request ? url.url : url)
          return (await replace(`${init?.method ?? 'GET'} ${pathname}`, response.clone())) ?? response
        },
        { preconnect: fetch.preconnect },
      )
      return world.relay.newBatchRunner({ fetch: replaced })
    }

    const isResults = (request: string) => /^GET .*\/content$/.test(request)

    once(
      'a result that cannot be read does not stop those after it, which are charged and not made again',
      async () => {
        const { key, books } = await world.addPayer(1_000_000)
        const runner = runnerWith(async (request, response) => {
          if (!isResults(request)) return null
          const [first = '', ...others] = (await response.text()).trimEnd().split('\n')
          const double = others.at(-1) ?? ''
          const unknown = first.replace(/"custom_id":"[^"]*"/, '"custom_id":"other-1"')
          return new Response([unknown, '{"custom_id":7}', '[]', 'no', ...others, double].join('\n'))
        })
        const batch = await world.submit(key, [chatLine('a', 'one'), chatLine('b', 'two'), chatLine('c', 'three')])
        await world.runOut(runner)
        expect(await rowOf(batch.id)).toMatchObject({ completed: 3, failed: 0 })
        // The first one is made here.
        expect(world.contents.toSorted()).toEqual(['one', 'one', 'three', 'two'])
        expect(await books()).toMatchObject({ used: 2 * lineCost + callCost, held: 0 })
        await world.requireClean()
      },
    )

    once('a key that the vendor refuses for a while does not make the calls again', async () => {
      const { openAi } = world.vendors
      const { key, books } = await world.addPayer(1_000_000)
      const batch = await world.submit(key, [chatLine('a')])
      await world.runAll()
      for (const status of [401, 403]) {
        openAi.broken = status
        await world.wakeAll()
        await world.runAll()
      }
      openAi.broken = null
      await world.runOut()
      expect(await rowOf(batch.id)).toMatchObject({ completed: 1, failed: 0 })
      expect(await books()).toMatchObject({ used: lineCost, held: 0 })
      expect(world.contents).toHaveLength(1)
      expect(openAi.files.size).toBe(0)
      await world.requireClean()
    })

    once('failed questions about a batch that runs leave all tries for its results', async () => {
      const { openAi } = world.vendors
      const { key, books } = await world.addPayer(1_000_000)
      openAi.batchBook.next('hang')
      const batch = await world.submit(key, [chatLine('a')])
      await world.runAll()
      openAi.broken = 503
      for (let round = 0; round < 61; round += 1) {
        await world.wakeAll()
        await world.runAll()
      }
      openAi.broken = null
      await world.wakeAll()
      await world.runAll()
      for (const one of openAi.batchBook.batches.values()) Object.assign(one, { fate: 'at-once' })
      let failures = 0
      const runner = runnerWith((request) =>
        isResults(request) && (failures += 1) === 1 ? new Response('', { status: 500 }) : null,
      )
      await world.wakeAll()
      await world.runOut(runner)
      expect(await rowOf(batch.id)).toMatchObject({ completed: 1, failed: 0 })
      expect(await books()).toMatchObject({ used: lineCost, held: 0 })
      expect(world.contents).toHaveLength(1)
      await world.requireClean()
    })

    for (const [what, change] of [
      ['was disabled', { status: 2 }],
      ['lost the model', { models: 'gpt-4o' }],
      ['names the model otherwise', { model_mapping: '{"gpt-4.1":"gpt-4.1-2025-04-14"}' }],
    ] as const)
      once(`what a vendor made is charged though its channel ${what} meanwhile`, async () => {
        const { openAi } = world.vendors
        const { key, books } = await world.addPayer(1_000_000)
        const batch = await world.submit(key, [chatLine('a'), chatLine('b')])
        await world.runAll()
        const channel = await world.relay.ctx.database.query
          .selectFrom('channels')
          .selectAll()
          .where('name', '=', 'ours')
          .executeTakeFirstOrThrow()
        await world.relay.changeChannel(channel.id, change)
        await world.relay.setOptions({ GroupRatio: JSON.stringify({ default: 1.5 }) })
        await world.wakeAll()
        await world.runOut()
        const { status, models, model_mapping } = channel
        const restored = { status, models, model_mapping }
        await world.relay.changeChannel(channel.id, restored)
        await world.relay.setOptions({ GroupRatio: JSON.stringify({ default: 1 }) })
        expect(await rowOf(batch.id)).toMatchObject({ completed: 2, failed: 0 })
        expect(await books()).toMatchObject({ used: 2 * lineCost, held: 0 })
        expect(openAi.files.size).toBe(0)
        await world.requireClean()
      })

    test('a batch that may be foreign and has no results is not deleted', async () => {
      const { anthropic } = world.vendors
      world.reply = message
      const { key, books } = await world.addPayer(1_000_000)
      const params = { model: 'claude-opus-4-6', max_tokens: 50, messages: [{ role: 'user' as const, content: 'x' }] }
      const batch = await world.anthropic(key).messages.batches.create({ requests: [{ custom_id: 'a', params }] })
      anthropic.broken = 500
      await world.runAll()
      anthropic.broken = null
      anthropic.batchBook.next('at-once')
      const foreign = anthropic.batchBook.submit('msgbatch_foreign', [{ id: 'z', path: '/v1/messages', body: params }])
      const runner = runnerWith((request) =>
        request === 'GET /v1/messages/batches/msgbatch_foreign/results' ? new Response('') : null,
      )
      await world.wakeAll()
      await world.runOut(runner)
      expect((await rowOf(batch.id)).completed).toBe(1)
      expect((await books()).held).toBe(0)
      expect([...anthropic.batchBook.batches.values()]).toEqual([foreign])
      anthropic.batchBook.batches.clear()
    })

    for (const path of ['files', 'batches'])
      once(
        `what a vendor accepts at /v1/${path} under a name that no request can have is sent once, and made here`,
        async () => {
          const { openAi } = world.vendors
          const { key, books } = await world.addPayer(1_000_000)
          const since = openAi.requests.length
          const runner = runnerWith((request) =>
            request === `POST /v1/${path}` ? Response.json({ id: 'a b', status: 'validating' }) : null,
          )
          const batch = await world.submit(key, [chatLine('a')])
          await world.runOut(runner)
          expect(openAi.requests.slice(since).filter((request) => request === `POST /v1/${path}`)).toHaveLength(1)
          expect(await rowOf(batch.id)).toMatchObject({ completed: 1, failed: 0 })
          expect(await books()).toMatchObject({ used: callCost, held: 0 })
          expect(openAi.files.size).toBe(0)
          openAi.batchBook.batches.clear()
          await world.requireClean()
        },
      )

    once('the files of a batch that is not waited for any more are deleted at the vendor', async () => {
      const { openAi } = world.vendors
      const { key, books } = await world.addPayer(1_000_000)
      const batch = await world.submit(key, [chatLine('a')])
      await world.runAll()
      openAi.batchBook.batches.clear()
      await world.wakeAll()
      await world.runOut()
      expect(await rowOf(batch.id)).toMatchObject({ completed: 1, failed: 0 })
      expect(await books()).toMatchObject({ used: callCost, held: 0 })
      expect(openAi.files.size).toBe(0)
      await world.requireClean()
    })
  })
}
