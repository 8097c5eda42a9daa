import { afterAll, describe, expect, test } from 'bun:test'

import { canary, createChannelWorld } from '../../test/channel-world'
import { FakeTime } from '../../test/fake-time'
import { kinds, onceOf } from '../../test/kinds'
import { fingerprintOf } from './catalog/channel-keys'
import { testChannels } from '../app/jobs/job-table'
import { disableChannel } from './channel-status'
import { testAndSwitchChannel } from './test-and-switch-channel'

interface VendorRequest {
  readonly path: string
  readonly key: string
  readonly model: string
}

const requests: VendorRequest[] = []
/** Returns a response in place of the vendor's own; null lets the vendor serve. */
let instead: (call: VendorRequest) => Response | null = () => null

const notFor = (model: string) =>
  Response.json(
    { error: { message: `This is not a chat model: ${model} is not supported here`, type: 'invalid_request_error' } },
    { status: 404 },
  )

/** Responds as OpenAI does: each address serves models of its kind alone. */
const serving: Readonly<Record<string, readonly [RegExp, () => Response]>> = {
  '/v1/chat/completions': [
    /^(?:gpt-4o|gpt-4o-mini|gpt-5|o3|gpt-audio|own-model|local-(?!paint))/,
    () => Response.json({ choices: [{ message: { role: 'assistant', content: 'hi' } }] }),
  ],
  '/v1/completions': [/instruct$|^davinci/, () => Response.json({ choices: [{ text: 'hi' }] })],
  '/v1/embeddings': [/embedding|bge-/, () => Response.json({ data: [{ embedding: [1] }] })],
  '/v1/moderations': [/moderation/, () => Response.json({ results: [{ flagged: false }] })],
  '/v1/rerank': [/rerank/, () => Response.json({ results: [{ index: 0, relevance_score: 1 }] })],
  '/v1/audio/speech': [
    /^tts|-tts$/,
    () => new Response(new Uint8Array([1, 2, 3]), { headers: { 'content-type': 'audio/mpeg' } }),
  ],
  '/v1/audio/transcriptions': [/whisper|transcribe/, () => Response.json({ text: '' })],
  '/v1/images/generations': [/image|dall-e/, () => Response.json({ data: [{ b64_json: 'aGk=' }] })],
}

async function modelIn(request: Request): Promise<string> {
  if (!request.headers.get('content-type')?.includes('json')) {
    const model = (await request.formData()).get('model')
    return typeof model === 'string' ? model : ''
  }
  const body: { model: string } = JSON.parse(await request.text())
  return body.model
}

const vendor = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const { pathname: path } = new URL(request.url)
    const key = request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
    const call = { path, key, model: await modelIn(request) }
    requests.push(call)
    const [pattern, respond] = serving[path] ?? []
    return instead(call) ?? (pattern?.test(call.model) ? (respond?.() ?? notFor(call.model)) : notFor(call.model))
  },
})
afterAll(() => vendor.stop(true))
const base_url = `http://127.0.0.1:${vendor.port}`

const refuses = () => Response.json({ error: { message: 'Bad key', code: 'invalid_api_key' } }, { status: 401 })
const fails = () => Response.json({ error: { message: 'Try later' } }, { status: 500 })

async function aStage(kind: (typeof kinds)[number]) {
  requests.length = 0
  instead = () => null
  const time = new FakeTime(1_800_000_000_000)
  const world = await createChannelWorld(kind, { clock: time })
  const values = {
    AutomaticDisableChannelEnabled: 'true',
    AutomaticEnableChannelEnabled: 'true',
    'monitor_setting.auto_test_channel_enabled': 'true',
    'monitor_setting.auto_test_channel_minutes': '1',
  }
  const rows = Object.entries(values).map(([key, value]) => ({ key, value }))
  await world.ctx.database.query.insertInto('options').values(rows).execute()
  await world.ctx.catalog.rebuild()
  const events = async () => {
    const found = await world.ctx.database.query.selectFrom('operator_events').select('kind').orderBy('kind').execute()
    return found.map(({ kind: name }) => name)
  }
  return { ...world, time, events }
}

/** One model of each kind that vendors sell. */
const twenty = [
  'gpt-image-1',
  'dall-e-3',
  'sora-2',
  'whisper-1',
  'gpt-4o-transcribe',
  'tts-1',
  'gpt-4o-mini-tts',
  'gpt-realtime',
  'text-embedding-3-small',
  'omni-moderation-latest',
  'jina-reranker-v2-base-multilingual',
  'gpt-3.5-turbo-instruct',
  'gpt-4o',
  'gpt-4o-mini',
  'gpt-5',
  'o3-mini',
  'gpt-audio',
  'own-model',
  'local-paint',
  'flux-1-schnell',
]

/** Which findings switch a channel is the same with either database: a few channels show that PostgreSQL keeps it. */
const sold = {
  sqlite: { models: twenty, tested: 12 },
  postgres: { models: ['gpt-image-1', 'tts-1', 'gpt-4o'], tested: 4 },
}

for (const kind of kinds) {
  const once = onceOf(kind)

  describe(`the round of channel tests (${kind})`, () => {
    once.each([
      ['whisper-1', '/v1/audio/transcriptions'],
      ['gpt-4o-transcribe', '/v1/audio/transcriptions'],
      ['tts-1', '/v1/audio/speech'],
      ['gpt-4o-mini-tts', '/v1/audio/speech'],
      ['text-embedding-3-small', '/v1/embeddings'],
      // Embeddings whose names do not say so, in a channel that serves nothing else.
      ['@cf/baai/bge-m3', '/v1/embeddings'],
      ['BAAI/bge-large-zh-v1.5', '/v1/embeddings'],
      ['omni-moderation-latest', '/v1/moderations'],
      ['gpt-3.5-turbo-instruct', '/v1/completions'],
      ['own-model', '/v1/chat/completions'],
    ])('a test asks %s at %s', async (model, path) => {
      await using stage = await aStage(kind)
      const { id } = await stage.aChannel({ base_url, models: model })
      expect((await stage.ask('GET', `/api/channel/test/${id}`)).success).toBe(true)
      expect(requests.map((call) => [call.model, call.path])).toEqual([[model, path]])
    })

    once('a test ranks texts at a vendor that ranks', async () => {
      await using stage = await aStage(kind)
      const { id } = await stage.aChannel({ type: 38, base_url, models: 'jina-reranker-v2-base-multilingual' })
      expect((await stage.ask('GET', `/api/channel/test/${id}`)).success).toBe(true)
      expect(requests.map(({ path }) => path)).toEqual(['/v1/rerank'])
    })

    once('a picture is drawn for an operator who names its model, and by no round', async () => {
      await using stage = await aStage(kind)
      const { id } = await stage.aChannel({ base_url, models: 'gpt-image-1,dall-e-3' })
      expect(await testAndSwitchChannel(stage.ctx, id)).toBe(true)
      expect(requests).toEqual([])
      expect((await stage.ask('GET', `/api/channel/test/${id}?model=dall-e-3`)).success).toBe(true)
      expect(requests.map(({ path }) => path)).toEqual(['/v1/images/generations'])
    })

    once.each(['gpt-image-1', 'sora-2', 'gpt-realtime', 'dall-e-3,sora-2'])(
      'a channel of %s alone is neither switched off nor kept off by a round',
      async (models) => {
        await using stage = await aStage(kind)
        const { id } = await stage.aChannel({ base_url, models })
        await testAndSwitchChannel(stage.ctx, id)
        expect((await stage.one(id)).status).toBe(1)
        await disableChannel(stage.ctx, id, { reason: 'x' })
        await testAndSwitchChannel(stage.ctx, id)
        expect((await stage.one(id)).status).toBe(1)
      },
    )

    once.each([
      ['a model that draws under an unknown name', 'local-paint', () => null],
      [
        'a vendor that only streams',
        'gpt-4o',
        () => Response.json({ detail: 'Stream must be set to true' }, { status: 400 }),
      ],
      [
        'a vendor with too many calls',
        'gpt-4o',
        () => Response.json({ error: { message: 'Slow down' } }, { status: 429 }),
      ],
    ])('%s is not switched off by its test', async (_what, models, respond) => {
      await using stage = await aStage(kind)
      instead = respond
      const { id } = await stage.aChannel({ base_url, models })
      await testAndSwitchChannel(stage.ctx, id)
      expect((await stage.one(id)).status).toBe(1)
    })

    once('a channel is switched off when three of its models fail, not when one does', async () => {
      await using stage = await aStage(kind)
      const { id } = await stage.aChannel({ base_url, models: 'gpt-4o,gpt-4o-mini,gpt-5' })
      instead = ({ model }) => (model === 'gpt-4o' ? fails() : null)
      expect(await testAndSwitchChannel(stage.ctx, id)).toBe(true)
      instead = fails
      requests.length = 0
      expect(await testAndSwitchChannel(stage.ctx, id)).toBe(false)
      expect([requests.map(({ model }) => model), (await stage.one(id)).status]).toEqual([
        ['gpt-4o', 'gpt-4o-mini', 'gpt-5'],
        3,
      ])
    })

    once('an address where nothing is found, and no money in Chinese, switch a channel off', async () => {
      await using stage = await aStage(kind)
      const { id } = await stage.aChannel({ base_url })
      instead = () => new Response('<html>', { status: 404 })
      await testAndSwitchChannel(stage.ctx, id)
      expect((await stage.one(id)).status).toBe(3)
      instead = () => Response.json({ error: { message: '余额不足，请充值' } }, { status: 400 })
      expect(await testAndSwitchChannel(stage.ctx, id)).toBe(false)
      expect((await stage.one(id)).status).toBe(3)
    })

    once('a disabled key of several is asked again and comes back, and operators are told of both', async () => {
      await using stage = await aStage(kind)
      const [ka, kb, kc] = ['a', 'b', 'c'].map((name) => `k${name}-${canary}`)
      const { id } = await stage.aChannel({ base_url, key: `${ka},${kb},${kc}` })
      const statuses = async () => (await stage.one(id)).keys.map(({ status }) => status)
      const dead = new Set([ka, kb])
      instead = ({ key }) => (dead.has(key) ? refuses() : null)
      await testAndSwitchChannel(stage.ctx, id)
      await disableChannel(stage.ctx, id, { reason: 'Bad key', keyFingerprint: fingerprintOf(kb ?? '') })
      expect(await statuses()).toEqual([3, 3, 1])
      dead.delete(kb)
      await testAndSwitchChannel(stage.ctx, id)
      expect(await statuses()).toEqual([3, 1, 1])
      dead.clear()
      await testAndSwitchChannel(stage.ctx, id)
      expect(await statuses()).toEqual([1, 1, 1])
      expect(await stage.events()).toEqual(['key-disabled', 'key-disabled', 'key-enabled', 'key-enabled'])
    })

    once('a key that was disabled by hand is not asked', async () => {
      await using stage = await aStage(kind)
      const { id } = await stage.aChannel({ base_url, key: `ka-${canary},kb-${canary}` })
      const order = { channel_id: id, action: 'disable_key', fingerprint: fingerprintOf(`kb-${canary}`) }
      await stage.ask('POST', '/api/channel/multi_key/manage', order)
      await testAndSwitchChannel(stage.ctx, id)
      expect((await stage.one(id)).keys.map(({ status }) => status)).toEqual([1, 2])
      expect(requests.map(({ key }) => key)).toEqual([`ka-${canary}`])
    })

    once('a disabled channel comes back when any of its keys serves', async () => {
      await using stage = await aStage(kind)
      const { id } = await stage.aChannel({ base_url, key: `ka-${canary},kb-${canary}` })
      await disableChannel(stage.ctx, id, { reason: 'x' })
      instead = ({ key }) => (key.startsWith('ka') ? refuses() : null)
      expect(await testAndSwitchChannel(stage.ctx, id)).toBe(true)
      expect((await stage.one(id)).status).toBe(1)
    })

    test('an hour of tests by the minute while a tenth of the calls fail leaves nothing off that serves and brings back all that recovered', async () => {
      await using stage = await aStage(kind)
      const { models, tested } = sold[kind]
      await stage.aChannel({ base_url, name: 'all', models: models.join(',') })
      await Promise.all(
        models.map((model, index) =>
          stage.aChannel({ base_url, name: model, models: model, key: `sk-${index}-${canary}` }),
        ),
      )
      await stage.aChannel({ base_url, name: 'down', key: `down-${canary}` })
      const several = await stage.aChannel({ base_url, name: 'several', key: `first-${canary},second-${canary}` })
      const { signal } = new AbortController()
      const job = testChannels(stage.ctx)
      // Counted by key and model, as the channels are tested at once, in any order.
      const calls = new Map<string, number>()
      let minute = 0
      instead = ({ key, model }) => {
        const nth = (calls.get(`${key} ${model}`) ?? 0) + 1
        calls.set(`${key} ${model}`, nth)
        if (key.startsWith('down') && minute >= 10 && minute < 20) return fails()
        if (key.startsWith('first') && minute >= 30 && minute < 40) return refuses()
        return nth % 10 === 0 ? fails() : null
      }
      const off: [number, string][] = []
      for (; minute < 60; minute += 1) {
        await job.run(signal)
        const channels = [...stage.ctx.catalog.current.channels.values()]
        off.push(...channels.flatMap(({ name, isEnabled }): [number, string][] => (isEnabled ? [] : [[minute, name]])))
        const keys = stage.ctx.catalog.current.channels.get(several.id)?.keys ?? []
        off.push(
          ...keys.flatMap(({ isEnabled }, index): [number, string][] => (isEnabled ? [] : [[minute, `key ${index}`]])),
        )
        stage.time.advance(60_000)
      }
      const minutes = (from: number, name: string) =>
        Array.from({ length: 10 }, (_, index): [number, string] => [from + index, name])
      expect(off).toEqual([...minutes(10, 'down'), ...minutes(30, 'key 0')])
      expect(requests.length).toBeGreaterThan(60 * tested)
      expect(requests.filter(({ path }) => /images|videos/.test(path))).toEqual([])
    })
  })
}
