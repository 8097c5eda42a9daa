import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { midjourneyImage } from '@tollgate/simulator'

import { createDrawingWorld, type DrawingWorld, type ShownDrawing } from '../../../../test/drawing-world'
import { upstreamKey } from '../../../../test/relay-world'

const dollar = 500_000

let world: DrawingWorld
beforeAll(async () => {
  world = await createDrawingWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.renewUser())

describe('a program for midjourney-proxy', () => {
  test('a program draws, watches, enlarges and lists, and pays once for each drawing', async () => {
    const submission = await world.call('/mj-fast/mj/submit/imagine', {
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
    expect(world.proxy.requests.at(-1)).toEqual({
      call: 'POST /mj/submit/imagine',
      secret: upstreamKey,
      body: { prompt: 'A frozen harbour', base64Array: [], state: 'note 7', botType: 'MID_JOURNEY' },
    })
    expect(await world.fetch(id)).toMatchObject({
      id,
      status: 'SUBMITTED',
      progress: '0%',
      imageUrl: '',
      state: 'note 7',
    })
    expect(await world.readBalances()).toEqual([0.9 * dollar, 0.9 * dollar])

    await world.poll()
    expect(await world.fetch(id)).toMatchObject({ status: 'SUBMITTED' })
    await world.poll()
    expect(await world.fetch(id)).toMatchObject({
      status: 'IN_PROGRESS',
      progress: '50%',
      imageUrl: expect.stringMatching(/^https:\/\/gate\.example\/mj\/image\/task_\w+\?rand=\d+$/),
    })
    await world.poll()
    const drawing = await world.fetch(id)
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
    const enlarged = await world.finish('action', { taskId: id, customId: button?.customId, chooseSameChannel: true })
    const origin = world.proxy.requests.find(({ call }) => call === 'POST /mj/submit/action')?.body['taskId']
    expect(world.proxy.taskBook.tasks.has(String(origin))).toBe(true)
    expect(await world.fetch(enlarged)).toMatchObject({ action: 'UPSCALE', prompt: 'A frozen harbour' })

    const listed = await world.call<ShownDrawing[]>('/mj/task/list-by-condition', {
      ids: [enlarged, id, 'task_unknown'],
    })
    expect(listed.json.map((one) => one.id)).toEqual([id, enlarged])
    expect<object>((await world.call(`/mj/task/${id}/image-seed`)).json).toEqual({
      code: 1,
      description: 'Success',
      result: '2518472190',
    })

    const image = await fetch(`${world.relay.url}/mj/image/${id}`)
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(Buffer.from(await image.arrayBuffer())).toEqual(midjourneyImage)
    expect(world.proxy.requests.at(-1)).toMatchObject({ call: expect.stringMatching(/^GET \/pictures\//), secret: '' })

    await world.poll(2)
    expect(await world.readBalances()).toEqual([0.85 * dollar, 0.85 * dollar])
    const rows = (await world.relay.logs()).filter((row) => row.user_id === world.user && row.type === 2)
    expect(rows.map((row) => [row.model_name, row.quota])).toEqual([
      ['mj_imagine', 0.1 * dollar],
      ['mj_upscale', 0.05 * dollar],
    ])
  })

  test('a drawing is changed by index and by words', async () => {
    const id = await world.finish('imagine', { prompt: 'A harbour' })
    const vendorId = [...world.proxy.taskBook.tasks.keys()].at(-1)
    await world.submit('change', { taskId: id, action: 'VARIATION', index: 3 })
    expect(world.proxy.requests.at(-1)).toMatchObject({
      call: 'POST /mj/submit/change',
      body: { taskId: vendorId, action: 'VARIATION', index: 3 },
    })
    await world.submit('simple-change', { content: `${id} R` })
    expect(world.proxy.requests.at(-1)).toMatchObject({
      call: 'POST /mj/submit/change',
      body: { taskId: vendorId, action: 'REROLL' },
    })
  })

  test('a dialog costs nothing, and what answers it costs its price', async () => {
    const id = await world.finish('imagine', { prompt: 'A harbour' })
    const before = await world.readSpending()
    const opened = await world.call('/mj/submit/action', { taskId: id, customId: 'MJ::Inpaint::1::hash::SOLO' })
    expect(opened.json).toMatchObject({
      code: 21,
      description: 'Waiting for window confirm',
      properties: { remix: true },
    })
    await world.poll()
    expect(await world.fetch(opened.json.result)).toMatchObject({ status: 'MODAL', action: 'INPAINT' })
    const modal = await world.submit('modal', {
      taskId: opened.json.result,
      prompt: 'a lighthouse',
      maskBase64: 'AAAA',
    })
    await world.poll(3)
    expect(await world.fetch(modal)).toMatchObject({ status: 'SUCCESS', action: 'MODAL', prompt: 'a lighthouse' })
    expect(await world.readSpending()).toBe(before + 0.1 * dollar)
  })

  test('a variation that opens a dialog costs once when that is answered, and nothing when it is left open', async () => {
    const id = await world.finish('imagine', { prompt: 'A harbour' })
    const before = await world.readSpending()
    world.proxy.isRemix = true
    const button = { taskId: id, customId: 'MJ::JOB::variation::1::hash' }
    const [confirmed, left] = [
      await world.call('/mj/submit/action', button),
      await world.call('/mj/submit/action', button),
    ]
    world.proxy.isRemix = false
    expect([confirmed.json.code, left.json.code]).toEqual([21, 21])
    await world.submit('modal', { taskId: confirmed.json.result, prompt: 'A lighthouse' })
    await world.poll(3)
    expect(await world.fetch(confirmed.json.result)).toMatchObject({ status: 'SUCCESS', action: 'VARIATION' })
    world.clock.advance(3_600_000)
    await world.poll()
    expect(await world.fetch(left.json.result)).toMatchObject({ status: 'FAILURE' })
    expect(await world.readSpending()).toBe(before + 0.1 * dollar)
  })

  test('an upload responds with the addresses of its pictures at once', async () => {
    const { json } = await world.call('/mj/submit/upload-discord-images', {
      base64Array: ['data:image/png;base64,AAAA'],
    })
    expect(json).toMatchObject({ code: 1, result: [`${world.proxy.url}/pictures/upload-0.png`] })
    expect(await world.readSpending()).toBe(0.05 * dollar)
  })

  test('a drawing that the proxy has already is done and charged at once', async () => {
    const properties = { status: 'SUCCESS', imageUrl: `${world.proxy.url}/pictures/old.png` }
    world.proxy.replies.push({
      body: { code: 21, description: 'It exists already', result: '0741798445574458', properties },
    })
    const { json } = await world.call('/mj/submit/imagine', { prompt: 'A harbour' })
    expect(json).toMatchObject({ code: 1, description: 'It exists already' })
    expect(await world.fetch(json.result)).toMatchObject({ status: 'SUCCESS', progress: '100%' })
    expect(await world.readSpending()).toBe(0.1 * dollar)
  })

  test('faces are swapped, pictures described and blended, prompts shortened, each at its price', async () => {
    const swapped = await world.call('/mj/insight-face/swap', { sourceBase64: 'AAAA', targetBase64: 'BBBB' })
    await world.submit('describe', { base64: 'AAAA' })
    await world.submit('blend', { base64Array: ['AAAA', 'BBBB'], dimensions: 'SQUARE' })
    await world.submit('shorten', { prompt: 'A very frozen harbour' })
    await world.poll(3)
    expect(await world.fetch(swapped.json.result)).toMatchObject({ action: 'SWAP_FACE', prompt: 'InsightFace' })
    expect(await world.readSpending()).toBe(0.3 * dollar)
  })

  test('a drawing that fails gives its hold back to wallet and key, once', async () => {
    world.proxy.taskBook.next('fail')
    const id = await world.submit('imagine', { prompt: 'A harbour' })
    await world.poll(5)
    expect(await world.fetch(id)).toMatchObject({ status: 'FAILURE', failReason: 'The prompt was declined' })
    expect(await world.readBalances()).toEqual([dollar, dollar])
  })

  test('a drawing that the proxy has lost is given up, with a reason in the client’s language', async () => {
    world.proxy.taskBook.next('forget')
    const id = await world.submit('imagine', { prompt: 'A harbour' })
    await world.poll(8)
    const { failReason, status } = await world.fetch(id)
    expect([status, failReason]).toEqual(['FAILURE', 'The provider no longer knows the task'])
    expect(await world.readBalances()).toEqual([dollar, dollar])
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
    world.proxy.replies.push({ body })
    const refused = await world.call('/mj/submit/imagine', { prompt: 'A harbour' })
    expect(refused).toMatchObject({ status, json: { code, description: expect.stringContaining(words) } })
    expect(await world.readBalances()).toEqual([dollar, dollar])
  })

  test('a proxy without an account is disabled where the site disables channels', async () => {
    await using _ = await world.withOptions({ AutomaticDisableChannelEnabled: 'true' })
    const id = await world.relay.addChannel({ type: 2, base_url: world.proxy.url, models: 'mj_imagine', priority: 9 })
    world.proxy.replies.push({ body: { code: 3, description: '无可用的账号实例' } })
    await world.call('/mj/submit/imagine', { prompt: 'A harbour' })
    const { query } = world.relay.ctx.database
    const { status } = await query
      .selectFrom('channels')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await world.relay.changeChannel(id, { status: 2 })
    expect(status).toBe(3)
  })

  test('a full proxy is followed by the next channel', async () => {
    await using _ = await world.withOptions({ RetryTimes: '1' })
    const id = await world.relay.addChannel({ type: 2, base_url: world.proxy.url, models: 'mj_imagine', priority: 9 })
    world.proxy.replies.push({ body: { code: 23, description: 'The queue is full' } })
    const { json } = await world.call('/mj/submit/imagine', { prompt: 'A harbour' })
    await world.relay.changeChannel(id, { status: 2 })
    await world.relay.setOptions({ RetryTimes: '0' })
    expect(json.code).toBe(1)
  })

  test('errors of the gateway have the code 4 and say what is wrong', async () => {
    const poor = await world.relay.addToken(await world.relay.addUser(1000))
    const cases = [
      await world.call('/mj/submit/imagine', { prompt: '' }),
      await world.call('/mj/submit/imagine', { prompt: 'A harbour' }, poor),
      await world.call('/mj/submit/imagine', { prompt: 'A harbour' }, 'sk-wrong'),
      await world.call('/mj/submit/pan', { prompt: 'A harbour' }),
      await world.call('/mj/submit/imagine'),
      await world.call('/mj/task/task_unknown/fetch'),
      await world.call('/mj/submit/imagine', { prompt: 'test_sensitive' }),
      await world.call('/mj/submit/edits', { prompt: 'A harbour' }),
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
    const id = await world.finish('imagine', { prompt: 'A harbour' })
    const other = await world.relay.addToken(await world.relay.addUser(dollar))
    const customId = 'MJ::JOB::upsample::1::hash'
    const calls = [
      await world.call(`/mj/task/${id}/fetch`, undefined, other),
      await world.call(`/mj/task/${id}/image-seed`, undefined, other),
      await world.call('/mj/submit/action', { taskId: id, customId }, other),
      await world.call('/mj/submit/modal', { taskId: id, prompt: 'x' }, other),
    ]
    for (const { status, json } of calls)
      expect([status, json.description]).toEqual([400, expect.stringContaining('task_no_found')])
    expect((await world.call<ShownDrawing[]>('/mj/task/list-by-condition', { ids: [id] }, other)).json).toEqual([])
  })

  test('a seed counts as a call for the rate limit of its key, and reading a task does not', async () => {
    world.key = await world.relay.addToken(world.user, {
      rate_limit_enabled: 1,
      rate_limit_period: 3600,
      rate_limit_count: 2,
    })
    const id = await world.finish('imagine', { prompt: 'A harbour' })
    expect((await world.call(`/mj/task/${id}/image-seed`)).status).toBe(200)
    const questions = world.proxy.requests.length
    expect((await world.call(`/mj/task/${id}/image-seed`)).status).toBe(429)
    expect(world.proxy.requests).toHaveLength(questions)
    expect((await world.call(`/mj/task/${id}/fetch`)).status).toBe(200)
  })

  test('an image that does not exist is not found without a key', async () => {
    expect((await fetch(`${world.relay.url}/mj/image/task_unknown`)).status).toBe(400)
  })
})
