import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import type { PriceMode } from '@tollgate/contract'
import { startVideoVendors, type VideoVendors } from '@tollgate/simulator'
import OpenAI, { toFile } from 'openai'

import { FakeTime } from '../../gateway/test/fake-time'
import { pollRounds } from '../../gateway/test/poll-rounds'
import { createRelayWorld, type RelayWorld } from '../../gateway/test/relay-world'
import { lockPrices, storePrices } from '../../gateway/src/billing/pricing/price-store'
import { ModeTable } from './mode-table'
import { serviceAccount } from './studio'

const dollar = 500_000
const rich = 100 * dollar
/** Yuan for a dollar, as on a new site. */
const yuanRate = 7.1
/** A second at the mainland address, which is the default. */
const wanYuan = 0.6

/** What a vendor needs of its channel, and what eight seconds of 1280 x 720 cost there by the published list, in dollars a second. */
interface Vendor {
  readonly name: string
  /** In the documentation. */
  readonly title: string
  readonly type: number
  readonly model: string
  readonly key?: string
  /** Where the lists have no price. */
  readonly ownPrice?: number
  readonly perSecond: number
}

const vendors: readonly Vendor[] = [
  { name: 'openai', title: 'OpenAI’s form', type: 1, model: 'sora-2', perSecond: 0.1 },
  { name: 'kling', title: 'Kling', type: 50, model: 'kling-v2-6', key: 'ak|sk', ownPrice: 0.07, perSecond: 0.07 },
  {
    name: 'jimeng',
    title: 'Jimeng',
    type: 51,
    model: 'jimeng_v30',
    key: 'AKLT|secret',
    ownPrice: 0.04,
    perSecond: 0.04,
  },
  { name: 'vidu', title: 'Vidu', type: 52, model: 'viduq3-pro', ownPrice: 0.15, perSecond: 0.15 },
  { name: 'gemini', title: 'Veo (Gemini)', type: 24, model: 'veo-3.1-fast-generate-preview', perSecond: 0.1 },
  {
    name: 'vertex',
    title: 'Veo (Vertex AI)',
    type: 41,
    model: 'veo-3.1-generate-001',
    key: serviceAccount,
    perSecond: 0.4,
  },
  { name: 'volcengine', title: 'Seedance', type: 45, model: 'doubao-seedance-2-0-260128', perSecond: 0.14194286 },
  { name: 'dashscope', title: 'Wan', type: 17, model: 'wan2.7-t2v', perSecond: wanYuan / yuanRate },
  { name: 'minimax', title: 'MiniMax', type: 35, model: 'MiniMax-H3', perSecond: 0.08 },
  { name: 'xai', title: 'Grok Imagine', type: 48, model: 'grok-imagine-video-1.5', perSecond: 0.14 },
]

const table = new ModeTable({
  heading: '# Videos',
  intro:
    'Videos from each vendor (w) by `client.videos` of OpenAI’s SDK, followed to their end, downloaded, and charged by the published formula.',
  columns: ['from text', 'from an image', 'remix'],
})

const clock = new FakeTime()
let world: RelayWorld
let stand: VideoVendors
let user: number
let client: OpenAI
beforeAll(async () => {
  world = await createRelayWorld({ clock })
  stand = startVideoVendors()
  for (const { name, type, model, key = 'key-1', ownPrice } of vendors) {
    const key_sealed = world.ctx.seal.seal(key)
    await world.addChannel({ type, key_sealed, models: model, name, base_url: `${stand.url}/${name}` })
    if (ownPrice !== undefined) await setPrice(model, ownPrice)
  }
  await world.setOptions({ RetryTimes: '0' })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await stand[Symbol.asyncDispose]()
  await table.keep()
})
beforeEach(async () => {
  user = await world.addUser(rich)
  client = new OpenAI({ apiKey: await world.addToken(user), baseURL: `${world.url}/v1`, maxRetries: 0 })
})

async function setPrice(model: string, perSecond: number, modes: readonly PriceMode[] = []): Promise<void> {
  const { ctx } = world
  await ctx.database.query.transaction().execute(async (transaction) => {
    await lockPrices(ctx, transaction)
    const entry = { prices: { per_second: perSecond }, modes }
    await storePrices(ctx, [{ channelId: 0, model, entry }], { source: 'own', username: 'test' }, transaction)
  })
  await ctx.changes.deliver()
}

const poll = (rounds: number) => pollRounds(world.ctx, clock, rounds)
const readSpending = async () => rich - (await world.balanceOf(user))

const make = (model: string, more: object = {}) =>
  client.videos.create({ model, prompt: 'A fox crosses a frozen harbour.', seconds: '8', size: '1280x720', ...more })

describe('client.videos of the OpenAI SDK', () => {
  test.each(vendors.map((vendor) => [vendor.name, vendor] as const))(
    'makes, downloads and pays a video of %s',
    async (_name, { title, model, perSecond }) => {
      const videoTask = await make(model)
      expect(videoTask).toMatchObject({
        object: 'video',
        status: 'queued',
        model,
        seconds: '8',
        size: '1280x720',
        error: null,
      })
      expect(videoTask.id).toMatch(/^task_\w{20,}$/)
      const price = Math.round(8 * perSecond * dollar)
      expect(await readSpending()).toBe(price)
      await poll(2)
      expect(await client.videos.retrieve(videoTask.id)).toMatchObject({ status: 'in_progress', completed_at: null })
      await poll(2)
      expect(await client.videos.retrieve(videoTask.id)).toMatchObject({
        status: 'completed',
        progress: 100,
        seconds: '8',
        completed_at: expect.any(Number),
        prompt: 'A fox crosses a frozen harbour.',
      })
      const film = await client.videos.downloadContent(videoTask.id)
      expect(film.headers.get('content-type')).toBe('video/mp4')
      expect(await film.text()).toStartWith('film of ')
      expect(await readSpending()).toBe(price)
      table.pass(title, 'from text', 'w')
    },
  )

  test('a download that is redirected is followed without the key', async () => {
    const { id } = await make('veo-3.1-fast-generate-preview')
    await poll(4)
    await client.videos.downloadContent(id)
    const [download, file] = stand.requests.slice(-2)
    expect(download).toMatchObject({
      call: expect.stringMatching(/^GET \/gemini\/v1beta\/files\/.*:download$/),
      headers: { 'x-goog-api-key': 'key-1' },
    })
    expect(file?.call).toStartWith('GET /files/')
    expect(JSON.stringify(file?.headers)).not.toContain('key-1')
  })

  test('a video costs no more than was accepted, whatever its vendor reports', async () => {
    await make('wan2.7-t2v', { seconds: '4' })
    const [submitted] = [...stand.taskBook.tasks.values()].slice(-1)
    Object.assign(submitted?.body['parameters'] ?? {}, { duration: 60, resolution: '1080P' })
    await poll(4)
    expect(await readSpending()).toBe(Math.round((4 * wanYuan * dollar) / yuanRate))
  })

  test('images of a request and sound cost what the price says', async () => {
    const image = await toFile(Buffer.from('iVBORw0KGgo=', 'base64'), 'fox.png', { type: 'image/png' })
    await make('grok-imagine-video-1.5', { input_reference: image })
    await poll(4)
    const withImage = Math.round((8 * 0.14 + 0.01) * dollar)
    expect(await readSpending()).toBe(withImage)
    await setPrice('kling-v2-6', 0.07, [{ name: 'sound', match: { quality: 'std-sound' }, factor: 2 }])
    const spoken = await make('kling-v2-6', { generate_audio: true })
    await poll(4)
    expect(await readSpending()).toBe(withImage + Math.round(8 * 0.14 * dollar))
    const log = (await world.logs()).at(-1)
    expect(log).toMatchObject({ model_name: 'kling-v2-6', quota: Math.round(8 * 0.14 * dollar) })
    expect(JSON.parse(log?.other ?? '{}')).toMatchObject({ task_id: spoken.id, price_mode: 'sound' })
    await setPrice('kling-v2-6', 0.07)
  })

  test('the client is told of the end where it asks for that', async () => {
    const { id } = await make('viduq3-pro', { callback_url: 'https://app.example/hook' })
    expect(JSON.stringify(stand.requests.at(-1)?.body)).not.toContain('app.example')
    await poll(4)
    const deliveries = await world.ctx.database.query.selectFrom('webhook_deliveries').selectAll().execute()
    expect(deliveries).toMatchObject([{ user_id: user, type: 'task', url: 'https://app.example/hook' }])
    expect(JSON.parse(deliveries[0]?.body ?? '{}')).toMatchObject({ task: { id, status: 'SUCCESS' } })
  })

  test('a video that fails tells why and costs nothing', async () => {
    stand.taskBook.next('fail')
    const { id } = await make('kling-v2-6')
    await poll(4)
    const failed = await client.videos.retrieve(id)
    expect(failed).toMatchObject({
      status: 'failed',
      error: { code: 'video_generation_failed', message: 'The risk control refused it' },
    })
    expect(await readSpending()).toBe(0)
    const early = await client.videos.downloadContent(id).catch((error: unknown) => error)
    expect(early).toMatchObject({ status: 400, code: 'video.unfinished' })
  })

  test.each(vendors.map((vendor) => [vendor.name, vendor] as const))(
    'makes a video of %s from an uploaded image',
    async (name, { title, model }) => {
      const image = await toFile(Buffer.from('iVBORw0KGgo=', 'base64'), 'fox.png', { type: 'image/png' })
      expect(await make(model, { input_reference: image })).toMatchObject({ status: 'queued' })
      const { body = {} } = stand.requests.at(-1) ?? {}
      const file = body['input_reference']
      const sent =
        file instanceof Blob ? Buffer.from(await file.arrayBuffer()).toString('base64') : JSON.stringify(body)
      expect(sent).toContain('iVBORw0KGgo=')
      expect(file instanceof Blob).toBe(name === 'openai')
      table.pass(title, 'from an image', 'w')
      await poll(4)
    },
  )

  test('an uploaded image becomes the first frame, and metadata changes no length', async () => {
    const image = await toFile(Buffer.from('iVBORw0KGgo=', 'base64'), 'fox.png', { type: 'image/png' })
    await make('wan2.7-t2v', { input_reference: image, metadata: JSON.stringify({ duration: 60, seed: 7 }) })
    expect(stand.requests.at(-1)?.body).toEqual({
      model: 'wan2.7-t2v',
      input: {
        prompt: 'A fox crosses a frozen harbour.',
        media: [{ type: 'first_frame', url: 'data:image/png;base64,iVBORw0KGgo=' }],
      },
      parameters: { duration: 8, seed: 7, resolution: '720P', ratio: '16:9' },
    })
  })

  test('a remix goes to the vendor that made the video, as long as it was', async () => {
    const { id } = await make('sora-2')
    await poll(4)
    const [vendorId] = [...stand.taskBook.tasks.keys()].slice(-1)
    const remix = await client.videos.remix(id, { prompt: 'At night.' })
    expect(remix).toMatchObject({ status: 'queued', seconds: '8', remixed_from_video_id: id, prompt: 'At night.' })
    expect(stand.requests.at(-1)).toMatchObject({
      call: `POST /openai/v1/videos/${vendorId}/remix`,
      body: { prompt: 'At night.' },
    })
    table.pass('OpenAI’s form', 'remix', 'w')
    const { id: edited } = await make('grok-imagine-video-1.5')
    await poll(4)
    await client.videos.remix(edited, { prompt: 'At night.' })
    expect(stand.requests.at(-1)).toMatchObject({
      call: 'POST /xai/v1/videos/edits',
      body: { prompt: 'At night.', video: { url: expect.stringContaining('/files/') } },
    })
    table.pass('Grok Imagine', 'remix', 'w')
    const { id: other } = await make('viduq3-pro')
    await poll(4)
    const refused = await client.videos.remix(other, { prompt: 'At night.' }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ status: 400, code: 'unsupported_value' })
  })

  test('lists hold the own videos page by page, and deleted ones are gone', async () => {
    const ids: string[] = []
    for (let count = 0; count < 3; count += 1) {
      ids.push((await make('viduq3-pro')).id)
      clock.advance(1000)
    }
    await poll(4)
    const newest = ids.toReversed()
    const listed: string[] = []
    for await (const { id } of client.videos.list({ limit: 2 })) listed.push(id)
    expect(listed).toEqual(newest)
    const page = await client.videos.list({ limit: 2, order: 'asc', after: ids[0] })
    expect([page.data.map(({ id }) => id), page.has_more]).toEqual([ids.slice(1), false])
    const [first = ''] = ids
    expect(await client.videos.delete(first)).toEqual({ id: first, object: 'video.deleted', deleted: true })
    expect(await client.videos.retrieve(first).catch((error: unknown) => error)).toMatchObject({
      status: 404,
      code: 'task.none',
    })
    expect((await client.videos.list()).data).toHaveLength(2)
  })

  test('videos belong to their owner, and one in progress cannot be deleted', async () => {
    const { id } = await make('kling-v2-6')
    expect(await client.videos.delete(id).catch((error: unknown) => error)).toMatchObject({ code: 'video.unfinished' })
    const stranger = new OpenAI({
      apiKey: await world.addToken(await world.addUser(rich)),
      baseURL: `${world.url}/v1`,
      maxRetries: 0,
    })
    expect(await stranger.videos.retrieve(id).catch((error: unknown) => error)).toMatchObject({ status: 404 })
    expect((await stranger.videos.list()).data).toEqual([])
    await poll(4)
  })

  test.each([
    [{ prompt: '' }, 'missing_required_parameter', 'prompt'],
    [{ seconds: 'long' }, 'invalid_value', 'seconds'],
    [{ size: 'large' }, 'invalid_value', 'size'],
    [{ input_reference: { file_id: 'file-1' } }, 'invalid_value', 'input_reference'],
    [{ metadata: '{"aspect_ratio":"wide"}' }, 'invalid_value', 'aspect_ratio'],
  ])('%j is refused in OpenAI’s words', async (more, code, param) => {
    const body = { model: 'sora-2', prompt: 'A fox', ...more }
    const response = await fetch(`${world.url}/v1/videos`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${client.apiKey}` },
      body: JSON.stringify(body),
    })
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code, param } }])
    expect(await readSpending()).toBe(0)
  })
})
