import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { defaultOptions, optionText, type OptionKey } from '@tollgate/contract'
import { midjourneyPicture, startMidjourney, type MidjourneyStandIn } from '@tollgate/simulator'

import { ManualClock } from '../../../../test/ledger'
import { createRelayWorld, upstreamKey, type RelayWorld } from '../../../../test/relay-world'
import { pollTasks } from '../../../tasks/poll-tasks'

const dollar = 500_000
const actions = 'imagine,upscale,variation,reroll,blend,describe,shorten,upload,inpaint,modal,zoom'
const models = `${actions
  .split(',')
  .map((action) => `mj_${action}`)
  .join(',')},swap_face`

const clock = new ManualClock()
let world: RelayWorld
let proxy: MidjourneyStandIn
let user: number
let key: string
beforeAll(async () => {
  world = await createRelayWorld({ clock })
  proxy = await startMidjourney()
  await world.addChannel({ type: 5, base_url: proxy.url, models })
  await world.setOptions({ RetryTimes: '0', ServerAddress: 'https://gate.example' })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
})
beforeEach(async () => {
  user = await world.addUser(dollar)
  key = await world.addToken(user, { unlimited_quota: 0, remain_quota: dollar })
})

/** What responses hold, of submissions and of tasks. */
interface Shown {
  readonly id: string
  readonly code: number
  readonly description: string
  readonly result: string
  readonly status: string
  readonly failReason: string
  readonly imageUrl: string
  readonly submitTime: number
  readonly finishTime: number
  readonly buttons: readonly { readonly customId: string; readonly label: string }[]
}

interface Told<Json> {
  readonly status: number
  readonly json: Json
}

/** A call as programs for midjourney-proxy make it: with their secret, and what they send beside it. */
async function ask<Json = Shown>(path: string, body?: object, secret = key): Promise<Told<Json>> {
  const response = await fetch(world.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', authorization: 'midjourney-proxy', 'mj-api-secret': secret },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, json: (await response.json()) as Json }
}

/** Submits and resolves with the task's id. */
const submitted = async (operation: string, body: object, secret = key): Promise<string> =>
  (await ask(`/mj/submit/${operation}`, body, secret)).json.result

const fetched = async (id: string) => (await ask(`/mj/task/${id}/fetch`)).json

/** Lets enough time pass for one question about each open task. */
async function poll(times = 1): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    clock.advance(20_000)
    await pollTasks(world.ctx, new AbortController().signal)
  }
}

async function finished(operation: string, body: object): Promise<string> {
  const id = await submitted(operation, body)
  await poll(3)
  expect(await fetched(id)).toMatchObject({ status: 'SUCCESS' })
  return id
}

/** What the user and the key have left. */
async function left(): Promise<readonly (number | undefined)[]> {
  const { ledger, database } = world.ctx
  await ledger.applied()
  const { id } = await database.query
    .selectFrom('tokens')
    .select('id')
    .where('user_id', '=', user)
    .executeTakeFirstOrThrow()
  return [(await ledger.balanceOf([user])).get(user), (await ledger.tokenBalanceOf([id])).get(id)]
}

const spent = async (): Promise<number> => dollar - ((await left())[0] ?? 0)

const sentLast = () => proxy.requests.at(-1)

/** Changes options until the end of the block. */
async function switched(texts: Partial<Record<OptionKey, string>>): Promise<AsyncDisposable> {
  await world.setOptions(texts)
  const keys = Object.keys(texts) as OptionKey[]
  const before = Object.fromEntries(keys.map((name) => [name, optionText(name, defaultOptions[name])]))
  return { [Symbol.asyncDispose]: () => world.setOptions(before) }
}

describe('a program for midjourney-proxy', () => {
  test('a program draws, watches, enlarges and lists, and pays once for each drawing', async () => {
    const submission = await ask('/mj-fast/mj/submit/imagine', {
      prompt: 'A frozen harbour',
      base64Array: [],
      notifyHook: '',
      state: 'note 7',
      botType: 'MID_JOURNEY',
    })
    expect<object>(submission).toEqual({
      status: 200,
      json: { code: 1, description: 'Submit success', result: expect.stringMatching(/^task_\w{20,}$/), properties: {} },
    })
    const id = submission.json.result
    expect(sentLast()).toEqual({
      call: 'POST /mj/submit/imagine',
      secret: upstreamKey,
      body: { prompt: 'A frozen harbour', base64Array: [], state: 'note 7', botType: 'MID_JOURNEY' },
    })
    expect(await fetched(id)).toMatchObject({ id, status: 'SUBMITTED', progress: '0%', imageUrl: '', state: 'note 7' })
    expect(await left()).toEqual([0.9 * dollar, 0.9 * dollar])

    await poll()
    expect(await fetched(id)).toMatchObject({ status: 'SUBMITTED' })
    await poll()
    expect(await fetched(id)).toMatchObject({
      status: 'IN_PROGRESS',
      progress: '50%',
      imageUrl: expect.stringMatching(/^https:\/\/gate\.example\/mj\/image\/task_\w+\?rand=\d+$/),
    })
    await poll()
    const drawing = await fetched(id)
    expect<object>(drawing).toEqual({
      id,
      action: 'IMAGINE',
      prompt: 'A frozen harbour',
      promptEn: 'A frozen harbour, in English',
      description: '/imagine A frozen harbour',
      state: 'note 7',
      submitTime: expect.any(Number),
      startTime: expect.any(Number),
      finishTime: expect.any(Number),
      imageUrl: `https://gate.example/mj/image/${id}`,
      status: 'SUCCESS',
      progress: '100%',
      failReason: '',
      buttons: expect.any(Array),
      properties: { finalPrompt: 'A frozen harbour --v 6' },
    })
    expect(drawing.finishTime).toBeGreaterThan(drawing.submitTime)

    const button = drawing.buttons.find(({ label }) => label === 'U2')
    const enlarged = await finished('action', { taskId: id, customId: button?.customId, chooseSameChannel: true })
    const origin = proxy.requests.find(({ call }) => call === 'POST /mj/submit/action')?.body['taskId']
    expect(proxy.book.tasks.has(String(origin))).toBe(true)
    expect(await fetched(enlarged)).toMatchObject({ action: 'UPSCALE', prompt: 'A frozen harbour' })

    const listed = await ask<Shown[]>('/mj/task/list-by-condition', { ids: [enlarged, id, 'task_unknown'] })
    expect(listed.json.map((one) => one.id)).toEqual([id, enlarged])
    expect<object>((await ask(`/mj/task/${id}/image-seed`)).json).toEqual({
      code: 1,
      description: 'Success',
      result: '2518472190',
    })

    const image = await fetch(`${world.url}/mj/image/${id}`)
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(Buffer.from(await image.arrayBuffer())).toEqual(midjourneyPicture)
    expect(sentLast()).toMatchObject({ call: expect.stringMatching(/^GET \/pictures\//), secret: '' })

    await poll(2)
    expect(await left()).toEqual([0.85 * dollar, 0.85 * dollar])
    const rows = (await world.logs()).filter((row) => row.user_id === user && row.type === 2)
    expect(rows.map((row) => [row.model_name, row.quota])).toEqual([
      ['mj_imagine', 0.1 * dollar],
      ['mj_upscale', 0.05 * dollar],
    ])
  })

  test('a drawing is changed by index and by words', async () => {
    const id = await finished('imagine', { prompt: 'A harbour' })
    const vendorId = [...proxy.book.tasks.keys()].at(-1)
    await submitted('change', { taskId: id, action: 'VARIATION', index: 3 })
    expect(sentLast()).toMatchObject({
      call: 'POST /mj/submit/change',
      body: { taskId: vendorId, action: 'VARIATION', index: 3 },
    })
    await submitted('simple-change', { content: `${id} R` })
    expect(sentLast()).toMatchObject({ call: 'POST /mj/submit/change', body: { taskId: vendorId, action: 'REROLL' } })
  })

  test('a dialog costs nothing, and what answers it costs its price', async () => {
    const id = await finished('imagine', { prompt: 'A harbour' })
    const before = await spent()
    const opened = await ask('/mj/submit/action', { taskId: id, customId: 'MJ::Inpaint::1::hash::SOLO' })
    expect(opened.json).toMatchObject({
      code: 21,
      description: 'Waiting for window confirm',
      properties: { remix: true },
    })
    await poll()
    expect(await fetched(opened.json.result)).toMatchObject({ status: 'MODAL', action: 'INPAINT' })
    const modal = await submitted('modal', {
      taskId: opened.json.result,
      prompt: 'a lighthouse',
      maskBase64: 'AAAA',
    })
    await poll(3)
    expect(await fetched(modal)).toMatchObject({ status: 'SUCCESS', action: 'MODAL', prompt: 'a lighthouse' })
    expect(await spent()).toBe(before + 0.1 * dollar)
  })

  test('a variation that opens a dialog costs once when that is answered, and nothing when it is left open', async () => {
    const id = await finished('imagine', { prompt: 'A harbour' })
    const before = await spent()
    proxy.isRemix = true
    const button = { taskId: id, customId: 'MJ::JOB::variation::1::hash' }
    const [answered, left] = [await ask('/mj/submit/action', button), await ask('/mj/submit/action', button)]
    proxy.isRemix = false
    expect([answered.json.code, left.json.code]).toEqual([21, 21])
    await submitted('modal', { taskId: answered.json.result, prompt: 'A lighthouse' })
    await poll(3)
    expect(await fetched(answered.json.result)).toMatchObject({ status: 'SUCCESS', action: 'VARIATION' })
    clock.advance(3_600_000)
    await poll()
    expect(await fetched(left.json.result)).toMatchObject({ status: 'FAILURE' })
    expect(await spent()).toBe(before + 0.1 * dollar)
  })

  test('an upload responds with the addresses of its pictures at once', async () => {
    const { json } = await ask('/mj/submit/upload-discord-images', { base64Array: ['data:image/png;base64,AAAA'] })
    expect(json).toMatchObject({ code: 1, result: [`${proxy.url}/pictures/upload-0.png`] })
    expect(await spent()).toBe(0.05 * dollar)
  })

  test('a drawing that the proxy has already is done and charged at once', async () => {
    const properties = { status: 'SUCCESS', imageUrl: `${proxy.url}/pictures/old.png` }
    proxy.replies.push({ body: { code: 21, description: 'It exists already', result: '0741798445574458', properties } })
    const { json } = await ask('/mj/submit/imagine', { prompt: 'A harbour' })
    expect(json).toMatchObject({ code: 1, description: 'It exists already' })
    expect(await fetched(json.result)).toMatchObject({ status: 'SUCCESS', progress: '100%' })
    expect(await spent()).toBe(0.1 * dollar)
  })

  test('faces are swapped, pictures described and blended, prompts shortened, each at its price', async () => {
    const swapped = await ask('/mj/insight-face/swap', { sourceBase64: 'AAAA', targetBase64: 'BBBB' })
    await submitted('describe', { base64: 'AAAA' })
    await submitted('blend', { base64Array: ['AAAA', 'BBBB'], dimensions: 'SQUARE' })
    await submitted('shorten', { prompt: 'A very frozen harbour' })
    await poll(3)
    expect(await fetched(swapped.json.result)).toMatchObject({ action: 'SWAP_FACE', prompt: 'InsightFace' })
    expect(await spent()).toBe(0.3 * dollar)
  })

  test('a drawing that fails gives its hold back to wallet and key, once', async () => {
    proxy.book.next('fail')
    const id = await submitted('imagine', { prompt: 'A harbour' })
    await poll(5)
    expect(await fetched(id)).toMatchObject({ status: 'FAILURE', failReason: 'The prompt was declined' })
    expect(await left()).toEqual([dollar, dollar])
  })

  test('a drawing that the proxy has lost is given up, with a reason in the client’s language', async () => {
    proxy.book.next('forget')
    const id = await submitted('imagine', { prompt: 'A harbour' })
    await poll(8)
    const { failReason, status } = await fetched(id)
    expect([status, failReason]).toEqual(['FAILURE', 'The provider no longer knows the task'])
    expect(await left()).toEqual([dollar, dollar])
  })
})

describe('refusals', () => {
  test.each([
    [{ code: 24, description: 'A banned word' }, 200, 24, 'A banned word'],
    [{ code: 23, description: 'The queue is full' }, 200, 23, 'busy'],
    [{ code: 3, description: 'No account is available' }, 200, 3, 'upstream service'],
    [{ code: 9, description: 'It failed at host-7' }, 200, 9, 'upstream service'],
    [{ code: 30, description: 'saturated' }, 429, 30, 'busy'],
  ])('a proxy’s %j keeps its code and costs nothing', async (body, status, code, words) => {
    proxy.replies.push({ body })
    const refused = await ask('/mj/submit/imagine', { prompt: 'A harbour' })
    expect(refused).toMatchObject({ status, json: { code, description: expect.stringContaining(words) } })
    expect(await left()).toEqual([dollar, dollar])
  })

  test('a proxy without an account is disabled where the site disables channels', async () => {
    await using _ = await switched({ AutomaticDisableChannelEnabled: 'true' })
    const id = await world.addChannel({ type: 2, base_url: proxy.url, models: 'mj_imagine', priority: 9 })
    proxy.replies.push({ body: { code: 3, description: '无可用的账号实例' } })
    await ask('/mj/submit/imagine', { prompt: 'A harbour' })
    const { query } = world.ctx.database
    const { status } = await query
      .selectFrom('channels')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await world.changeChannel(id, { status: 2 })
    expect(status).toBe(3)
  })

  test('a full proxy is followed by the next channel', async () => {
    await using _ = await switched({ RetryTimes: '1' })
    const id = await world.addChannel({ type: 2, base_url: proxy.url, models: 'mj_imagine', priority: 9 })
    proxy.replies.push({ body: { code: 23, description: 'The queue is full' } })
    const { json } = await ask('/mj/submit/imagine', { prompt: 'A harbour' })
    await world.changeChannel(id, { status: 2 })
    await world.setOptions({ RetryTimes: '0' })
    expect(json.code).toBe(1)
  })

  test('errors of the gateway have the code 4 and say what is wrong', async () => {
    const poor = await world.addToken(await world.addUser(1000))
    const cases = [
      await ask('/mj/submit/imagine', { prompt: '' }),
      await ask('/mj/submit/imagine', { prompt: 'A harbour' }, poor),
      await ask('/mj/submit/imagine', { prompt: 'A harbour' }, 'sk-wrong'),
      await ask('/mj/submit/pan', { prompt: 'A harbour' }),
      await ask('/mj/submit/imagine'),
      await ask('/mj/task/task_unknown/fetch'),
      await ask('/mj/submit/imagine', { prompt: 'test_sensitive' }),
      await ask('/mj/submit/edits', { prompt: 'A harbour' }),
    ]
    expect(cases.map(({ status, json }) => [status, json.code, json.description.split(/[:.]/, 1)[0]])).toEqual([
      [400, 4, 'The field prompt is missing'],
      [400, 4, 'quota_not_enough'],
      [401, 4, 'The API key is not valid'],
      [404, 4, 'There is no endpoint submit/pan'],
      [405, 4, 'This endpoint does not accept GET; use POST'],
      [400, 4, 'task_no_found'],
      [400, 4, expect.stringContaining('test_sensitive')],
      [404, 4, 'There is no model mj_edits in the group default'],
    ])
  })

  test('a task of another user is not found, by any call', async () => {
    const id = await finished('imagine', { prompt: 'A harbour' })
    const other = await world.addToken(await world.addUser(dollar))
    const customId = 'MJ::JOB::upsample::1::hash'
    const calls = [
      await ask(`/mj/task/${id}/fetch`, undefined, other),
      await ask(`/mj/task/${id}/image-seed`, undefined, other),
      await ask('/mj/submit/action', { taskId: id, customId }, other),
      await ask('/mj/submit/modal', { taskId: id, prompt: 'x' }, other),
    ]
    for (const { status, json } of calls)
      expect([status, json.description]).toEqual([400, expect.stringContaining('task_no_found')])
    expect((await ask<Shown[]>('/mj/task/list-by-condition', { ids: [id] }, other)).json).toEqual([])
  })

  test('a seed counts as a call for the rate limit of its key, and reading a task does not', async () => {
    key = await world.addToken(user, { rate_limit_enabled: 1, rate_limit_period: 3600, rate_limit_count: 2 })
    const id = await finished('imagine', { prompt: 'A harbour' })
    expect((await ask(`/mj/task/${id}/image-seed`)).status).toBe(200)
    const questions = proxy.requests.length
    expect((await ask(`/mj/task/${id}/image-seed`)).status).toBe(429)
    expect(proxy.requests).toHaveLength(questions)
    expect((await ask(`/mj/task/${id}/fetch`)).status).toBe(200)
  })

  test('an image that does not exist is not found without a key', async () => {
    expect((await fetch(`${world.url}/mj/image/task_unknown`)).status).toBe(400)
  })
})

describe('drawing options', () => {
  test('drawing is closed where the site does not offer it, and its pictures stay', async () => {
    const id = await finished('imagine', { prompt: 'A harbour' })
    await using _ = await switched({ DrawingEnabled: 'false' })
    expect((await ask('/mj/submit/imagine', { prompt: 'A harbour' })).status).toBe(403)
    expect((await ask(`/mj/task/${id}/fetch`)).status).toBe(403)
    expect((await fetch(`${world.url}/mj/image/${id}`)).status).toBe(200)
  })

  test('a proxy is told where to report only where the site accepts callbacks', async () => {
    const sent = { prompt: 'A harbour', notifyHook: 'https://app.example/hook' }
    await submitted('imagine', sent)
    expect(sentLast()?.body).toEqual({ prompt: 'A harbour' })
    await using _ = await switched({ MjNotifyEnabled: 'true' })
    const id = await submitted('imagine', sent)
    expect(sentLast()?.body['notifyHook']).toStartWith('https://gate.example/')
    expect(sentLast()?.body['notifyHook']).toContain(id)
  })

  test('the client’s hook is told of the end in the client’s form only where the site accepts callbacks', async () => {
    const sent = { prompt: 'A harbour', notifyHook: 'https://app.example/hook', state: 'note 7' }
    await finished('imagine', sent)
    await using _ = await switched({ MjNotifyEnabled: 'true' })
    const id = await finished('imagine', sent)
    await finished('imagine', { ...sent, notifyHook: 'http://10.0.0.1/hook' })
    const { query } = world.ctx.database
    const queued = await query.selectFrom('webhook_deliveries').selectAll().where('user_id', '=', user).execute()
    expect(queued.map(({ url }) => url)).toEqual([sent.notifyHook])
    expect(JSON.parse(queued[0]?.body ?? '')).toMatchObject({ ...(await fetched(id)), type: 'task' })
  })

  test('the account filter is passed on where the site allows it', async () => {
    const sent = { prompt: 'A harbour', accountFilter: { instanceId: '7' } }
    await submitted('imagine', sent)
    expect(sentLast()?.body).toEqual({ prompt: 'A harbour' })
    await using _ = await switched({ MjAccountFilterEnabled: 'true' })
    await submitted('imagine', sent)
    expect(sentLast()?.body).toEqual(sent)
  })

  test('mode words are removed from prompts where the site does not let callers choose', async () => {
    await submitted('imagine', { prompt: 'A harbour --turbo --ar 3:2' })
    expect(sentLast()?.body['prompt']).toBe('A harbour --turbo --ar 3:2')
    await using _ = await switched({ MjModeClearEnabled: 'true' })
    await submitted('imagine', { prompt: 'A harbour --turbo --ar 3:2' })
    expect(sentLast()?.body['prompt']).toBe('A harbour --ar 3:2')
  })

  test('pictures keep the proxy’s address where the site does not serve them', async () => {
    const id = await finished('imagine', { prompt: 'A harbour' })
    await using _ = await switched({ MjForwardUrlEnabled: 'false' })
    expect((await fetched(id)).imageUrl).toStartWith(`${proxy.url}/pictures/`)
  })

  test('pictures have the address that the client uses until the site’s own is set', async () => {
    const id = await finished('imagine', { prompt: 'A harbour' })
    await world.setOptions({ ServerAddress: 'http://localhost:3000' })
    const { imageUrl } = await fetched(id)
    await world.setOptions({ ServerAddress: 'https://gate.example' })
    expect(imageUrl).toBe(`${world.url}/mj/image/${id}`)
  })

  test('an unfinished picture can be enlarged only where the site does not check', async () => {
    const id = await submitted('imagine', { prompt: 'A harbour' })
    const change = { taskId: id, action: 'UPSCALE', index: 1 }
    const refused = await ask('/mj/submit/change', change)
    expect([refused.status, refused.json.description]).toEqual([400, expect.stringContaining('not finished')])
    await using _ = await switched({ MjActionCheckSuccessEnabled: 'false' })
    expect((await ask('/mj/submit/change', change)).json.code).toBe(1)
  })
})
