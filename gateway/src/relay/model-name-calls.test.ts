import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { readLogDetails } from '@tollgate/contract'
import { faults, RealtimeUpstream } from '@tollgate/simulator'

import { eachDatabase } from '../../test/databases'
import { onceOf } from '../../test/kinds'
import { eventually } from '../../test/eventually'
import { aWav } from '../../test/recordings'
import { connectRealtime } from '../../test/realtime-client'
import { createRelayWorld, type RelayWorld } from '../../test/relay-world'
import { chooseModel } from './admission/model-choice'

const messages = [{ role: 'user', content: 'hello' }]
const parts = { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] }
const chats = ['gpt-4o', 'gpt-4o-mini'] as const
const vectors = ['text-embedding-3-small', 'text-embedding-3-large'] as const
const imageModels = ['gpt-image-1', 'gpt-image-1-mini'] as const

/** The docs have the same table: docs/calling.md, Aliases and chains. */
const calls: readonly [path: string, body: object, models: readonly [string, string]][] = [
  ['/v1/chat/completions', { messages }, chats],
  ['/v1/responses', { input: 'hello' }, chats],
  ['/v1/messages', { messages, max_tokens: 9 }, chats],
  ['/v1beta/models/NAME:generateContent', parts, chats],
  ['/api/chat', { messages, stream: false }, chats],
  ['/v2/chat', { messages }, chats],
  ['/v1/completions', { prompt: 'hello' }, ['gpt-3.5-turbo-instruct', 'davinci-002']],
  ['/v1/embeddings', { input: 'hello' }, vectors],
  ['/v1beta/models/NAME:embedContent', { content: { parts: [{ text: 'hello' }] } }, vectors],
  ['/v1/moderations', { input: 'hello' }, ['omni-moderation-latest', 'text-moderation-latest']],
  ['/v1/images/generations', { prompt: 'a harbour' }, imageModels],
  ['/v1/audio/speech', { input: 'hello', voice: 'alloy' }, ['tts-1', 'tts-1-hd']],
]

/** Calls to vendors that the simulator is not: the type of their channel. */
const vendorCalls: readonly [path: string, body: object, models: readonly [string, string], type: number][] = [
  ['/v1/rerank', { query: 'ice', documents: ['thin', 'thick'] }, ['jina-reranker-v3', 'jina-reranker-m0'], 38],
  ['/v1/fim/completions', { prompt: 'def add(' }, ['codestral-latest', 'codestral-2508'], 42],
  [
    '/v1/ocr',
    { document: { type: 'document_url', document_url: 'https://docs.example/a.pdf' } },
    ['mistral-ocr-latest', 'mistral-ocr-2512'],
    42,
  ],
]
const usage = { prompt_tokens: 8, completion_tokens: 4, total_tokens: 12 }
const vendorResponses: Readonly<Record<string, object>> = {
  '/v1/rerank': { results: [{ index: 1, relevance_score: 0.9 }], usage: { total_tokens: 8 } },
  '/v1/fim/completions': { choices: [{ message: { content: 'a, b)' }, finish_reason: 'stop' }], usage },
  '/v1/ocr': { pages: [{ index: 0, markdown: 'Ice' }], usage_info: { pages_processed: 1 } },
}

for (const kind of eachDatabase)
  describe(`calls of an alias with a chain (${kind})`, () => {
    const once = onceOf(kind)
    let world: RelayWorld
    let upstream: RealtimeUpstream
    let failing = ''
    const vendor = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      async fetch(request) {
        const { model } = (await request.json()) as { model: string }
        const response = vendorResponses[new URL(request.url).pathname]
        return model === failing ? new Response('', { status: 500 }) : Response.json({ model, ...response })
      },
    })
    beforeAll(async () => {
      upstream = RealtimeUpstream.start()
      world = await createRelayWorld({ kind })
      const models = new Set([...calls.flatMap(([, , names]) => names), 'whisper-1', 'gpt-4o-transcribe', 'sora-2'])
      await world.changeChannel(1, { models: [...models].join(',') })
      await world.addChannel({ models: 'gpt-realtime', base_url: 'http://127.0.0.1:1' })
      await world.addChannel({ models: 'gpt-realtime-mini', base_url: upstream.url })
      for (const [, , names, type] of vendorCalls)
        await world.addChannel({ type, models: names.join(','), base_url: String(vendor.url).replace(/\/$/, '') })
      const priced = ['davinci-002', 'text-moderation-latest', 'gpt-realtime', 'gpt-realtime-mini', ...models]
      await world.setOptions({ ModelRatio: JSON.stringify(Object.fromEntries(priced.map((model) => [model, 1]))) })
    })
    afterAll(async () => {
      await world[Symbol.asyncDispose]()
      await upstream[Symbol.asyncDispose]()
      await vendor.stop(true)
    })
    beforeEach(() => {
      world.simulator.reset()
      world.forgetHealth()
    })

    const lead = (first: string, next: string) =>
      world.setOptions({
        ModelAliases: JSON.stringify({ site: [{ targets: [{ model: first, weight: 1 }] }] }),
        ModelChains: JSON.stringify({ site: { models: [next] } }),
      })
    const servedBy = (response: Response) => [
      response.status,
      response.headers.get('tollgate-model'),
      response.headers.get('tollgate-model-reason'),
    ]
    const fail = (model: string) =>
      world.simulator.when(
        ({ body }) => body.includes(`"${model}"`) || body.includes(`\r\n${model}\r\n`),
        faults['status-500'],
      )

    test.each(calls)('a call to %s is served by the alias and by its chain', async (path, body, [first, next]) => {
      await lead(first, next)
      const call = async () => {
        const response = await world.post(path.replace('NAME', 'site'), { model: 'site', ...body })
        await response.arrayBuffer()
        return servedBy(response)
      }
      expect(await call()).toEqual([200, first, 'alias'])
      fail(first)
      expect(await call()).toEqual([200, next, 'failure'])
    })

    test.each(vendorCalls)(
      'a call to %s of a vendor is served by the alias and by its chain',
      async (path, body, models) => {
        const [first, next] = models
        failing = ''
        await lead(first, next)
        const { userId, key } = await world.addPayer(10_000_000)
        const call = async () => {
          const response = await world.post(path, { model: 'site', ...body }, { key })
          await response.text()
          return servedBy(response)
        }
        expect(await call()).toEqual([200, first, 'alias'])
        failing = first
        expect(await call()).toEqual([200, next, 'failure'])
        const rows = await world.chargesOf(userId, 2)
        expect(rows.map(({ model_name: model, quota }) => [model, quota > 0])).toEqual([
          [first, true],
          [next, true],
        ])
      },
    )

    test('a recording is transcribed by the alias and by its chain', async () => {
      await lead('whisper-1', 'gpt-4o-transcribe')
      const call = async () => {
        const form = new FormData()
        form.set('model', 'site')
        form.set('file', new File([aWav(1)], 'a.wav'))
        const response = await fetch(`${world.url}/v1/audio/transcriptions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${world.key}` },
          body: form,
        })
        await response.text()
        return servedBy(response)
      }
      expect(await call()).toEqual([200, 'whisper-1', 'alias'])
      fail('whisper-1')
      expect(await call()).toEqual([200, 'gpt-4o-transcribe', 'failure'])
    })

    const endOf = async (response: Response) => {
      const { id } = (await response.json()) as { id: string }
      return eventually(async () => {
        const row = await world.ctx.database.query
          .selectFrom('tasks')
          .selectAll()
          .where('public_id', '=', id)
          .executeTakeFirstOrThrow()
        return ['NOT_START', 'IN_PROGRESS'].includes(row.status) ? null : row
      })
    }
    const inBackground = { model: 'site', input: 'hello', background: true, max_output_tokens: 100 }

    once('a response in the background goes on within what was held, and is charged once', async () => {
      await lead('gpt-4o', 'gpt-4o-mini')
      fail('gpt-4o')
      const { userId, key } = await world.addPayer(1_000_000)
      const task = await endOf(await world.post('/v1/responses', inBackground, { key }))
      const [row] = await world.chargesOf(userId, 1)
      expect([task.status, row?.model_name]).toEqual(['SUCCESS', 'gpt-4o-mini'])
      expect(readLogDetails(row?.other ?? '')).toMatchObject({ requested_model: 'site', model_reason: 'failure' })
      expect(await world.balanceOf(userId)).toBe(1_000_000 - (row?.quota ?? 0))
    })

    once('a response in the background does not go on beyond what was held', async () => {
      const ratios = { 'gpt-4o': 1, 'gpt-4o-mini': 1000 }
      await world.setOptions({ ModelRatio: JSON.stringify(ratios) })
      await lead('gpt-4o', 'gpt-4o-mini')
      fail('gpt-4o')
      const { userId, key } = await world.addPayer(5000)
      const task = await endOf(await world.post('/v1/responses', inBackground, { key }))
      expect([task.status, await world.balanceOf(userId), world.simulator.requests.length]).toEqual([
        'FAILURE',
        5000,
        1,
      ])
      const rich = await world.addPayer(1_000_000)
      world.forgetHealth()
      const served = await endOf(await world.post('/v1/responses', inBackground, { key: rich.key }))
      const [row] = await world.chargesOf(rich.userId, 1)
      expect([served.status, await world.balanceOf(rich.userId)]).toEqual(['SUCCESS', 1_000_000 - (row?.quota ?? 0)])
      const priced = [...calls.flatMap(([, , names]) => names), 'gpt-realtime', 'gpt-realtime-mini']
      await world.setOptions({ ModelRatio: JSON.stringify(Object.fromEntries(priced.map((model) => [model, 1]))) })
    })

    once('a session is opened with the next model where the first cannot be, and its rows say so', async () => {
      await lead('gpt-realtime', 'gpt-realtime-mini')
      const userId = await world.addUser(10_000_000)
      using client = await connectRealtime(world.url, { key: await world.addToken(userId), model: 'site' })
      await client.next('session.created')
      await client.respond()
      const [row] = await world.chargesOf(userId, 1)
      expect(row?.model_name).toBe('gpt-realtime-mini')
      expect(readLogDetails(row?.other ?? '')).toMatchObject({ requested_model: 'site', model_reason: 'failure' })
    })

    test('a video is made by the model of the alias alone', async () => {
      await world.setOptions({ ModelPrice: JSON.stringify({ 'sora-2': 0.01 }) })
      await lead('sora-2', 'gpt-4o')
      world.simulator.when(() => true, faults['status-500'])
      const response = await world.post('/v1/videos', { model: 'site', prompt: 'a harbour' })
      await response.text()
      const tasks = await world.ctx.database.query
        .selectFrom('tasks')
        .select(['model', 'status'])
        .where('platform', '=', 'video')
        .execute()
      expect(tasks).toEqual([{ model: 'sora-2', status: 'FAILURE' }])
    })
  })

test('a call looks at nothing but the snapshot where the site has neither aliases nor chains', () => {
  const looked: (string | symbol)[] = []
  const watch = (value: object) =>
    new Proxy(value, {
      get(_, name) {
        looked.push(name)
        return name === 'catalog' ? watch({}) : name === 'siteModels' ? null : undefined
      },
    })
  const call = watch({}) as Parameters<typeof chooseModel>[1]
  expect(chooseModel('gpt-4o', call, watch({}) as Parameters<typeof chooseModel>[2])).toEqual({ model: 'gpt-4o' })
  expect(looked).toEqual(['catalog', 'siteModels'])
})
