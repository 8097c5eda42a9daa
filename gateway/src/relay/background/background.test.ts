import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { logType } from '@tollgate/contract'
import type { JsonObject } from '@tollgate/dialects'

import { eachDatabase } from '../../../test/databases'
import { onceOf } from '../../../test/kinds'
import { eventually } from '../../../test/eventually'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import { differencesIn } from '../../app/commands/differences'
import { pruneTaskResponses } from '../../app/jobs/prune'
import { pollTasks } from '../../tasks/poll-tasks'
import { claimMs } from './background-calls'

const drawn = { b64_json: Buffer.from('a frozen harbour').toString('base64') }
const vendorResponse = {
  id: 'resp_of_the_vendor',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'gpt-4.1',
  output: [
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Forty-two', annotations: [] }],
    },
  ],
  usage: { input_tokens: 10, output_tokens: 20, total_tokens: 30 },
}
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content: [{ type: 'text', text: 'Forty-two' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 10, output_tokens: 20 },
}
/** 2 and 8 dollars a million tokens, half a million quota a dollar. */
const responseCost = 10 * 1 + 20 * 4
const imageCost = 0.04 * 500_000

for (const kind of eachDatabase) {
  const once = onceOf(kind)

  describe(`calls in the background (${kind})`, () => {
    let world: RelayWorld
    let replyAsVendor: () => Response | Promise<Response>
    let requests: { path: string; body: string }[]
    let left = 0
    const upstream = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      idleTimeout: 0,
      async fetch(request) {
        requests.push({ path: new URL(request.url).pathname, body: await request.text() })
        request.signal.addEventListener('abort', () => (left += 1))
        return replyAsVendor()
      },
    })
    beforeAll(async () => {
      world = await createRelayWorld({ kind })
      const place = { base_url: String(upstream.url).replace(/\/$/, ''), setting: JSON.stringify({ max_retries: 0 }) }
      await world.addChannel({ ...place, models: 'dall-e-3,gpt-4.1', name: 'ours' })
      await world.addChannel({ ...place, type: 14, models: 'claude-sonnet-4-5', name: 'others' })
      await world.setOptions({ LogErrorEnabled: 'true' })
    })
    afterAll(async () => {
      await world[Symbol.asyncDispose]()
      await upstream.stop(true)
    })
    beforeEach(() => {
      requests = []
      left = 0
    })

    const draw = (body: object = {}, key?: string) =>
      world.post('/v1/images/generations', { model: 'dall-e-3', prompt: 'a harbour', async: true, ...body }, { key })
    const respond = (body: object = {}, key?: string) =>
      world.post('/v1/responses', { model: 'gpt-4.1', input: 'why?', background: true, ...body }, { key })
    const get = (path: string, key = world.key) =>
      fetch(world.url + path, { headers: { authorization: `Bearer ${key}` } })
    const object = async (response: Response | Promise<Response>) => (await (await response).json()) as JsonObject
    const idOf = async (response: Promise<Response>) => String((await object(response))['id'])
    const awaitEnd = (path: string, key?: string) =>
      eventually(async () => {
        const read = await object(get(path, key))
        return ['queued', 'in_progress'].includes(String(read['status'])) ? null : read
      })
    /** Channels that stop their upstreams when the client leaves, for as long as it is kept. */
    const stopping = async () => {
      const { query } = world.ctx.database
      const channels = await query.selectFrom('channels').select(['id', 'setting']).execute()
      const set = async (setting: string) => {
        for (const { id } of channels) await world.changeChannel(id, { setting })
      }
      await set(JSON.stringify({ max_retries: 0, on_disconnect: 'cancel' }))
      return { [Symbol.asyncDispose]: () => set(JSON.stringify({ max_retries: 0 })) }
    }
    const row = (id: string) =>
      world.ctx.database.query.selectFrom('tasks').selectAll().where('public_id', '=', id).executeTakeFirstOrThrow()
    const gate = () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      return { opened: promise, open: () => resolve() }
    }
    const aPayer = async (quota: number) => {
      const userId = await world.addUser(quota)
      const key = await world.addToken(userId, { unlimited_quota: 0, remain_quota: quota })
      const books = async () => {
        await world.ctx.ledger.waitUntilApplied()
        const { query } = world.ctx.database
        const user = await query.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
        const token = await query
          .selectFrom('tokens')
          .selectAll()
          .where('user_id', '=', userId)
          .executeTakeFirstOrThrow()
        const held = await query.selectFrom('holds').select('amount').where('user_id', '=', userId).execute()
        return { user: user.quota, used: user.used_quota, token: token.remain_quota, held: held.length }
      }
      return { userId, key, books }
    }
    const isClean = async () =>
      expect(await differencesIn(world.ctx.database.query, world.ctx.clock.seconds())).toEqual([])

    once(
      'images are answered with an id at once, and fetched, downloaded and charged when they are there',
      async () => {
        const { opened, open } = gate()
        replyAsVendor = () => opened.then(() => Response.json({ created: 5, data: [drawn, drawn] }))
        const { key, books } = await aPayer(1_000_000)
        const submission = await draw({ n: 3 }, key)
        expect(submission.status).toBe(200)
        const first = await object(submission)
        const id = String(first['id'])
        expect(first).toMatchObject({ object: 'image.generation', status: 'queued', model: 'dall-e-3', data: null })
        expect(await books()).toMatchObject({ used: 0, held: 1 })
        open()
        const done = await awaitEnd(`/v1/images/generations/${id}`, key)
        expect(done).toMatchObject({ id, status: 'completed', created: 5, data: [drawn, drawn], error: null })
        expect(requests).toEqual([
          { path: '/v1/images/generations', body: '{"model":"dall-e-3","prompt":"a harbour","n":3}' },
        ])
        const left = 1_000_000 - 2 * imageCost
        expect(await books()).toEqual({ user: left, used: 2 * imageCost, token: left, held: 0 })
        const task = await object(get(`/v1/tasks/${id}`, key))
        expect(task).toMatchObject({ platform: 'image', status: 'SUCCESS', action: 'GENERATE', quota: 2 * imageCost })
        expect(task['results']).toHaveLength(2)
        const file = await get(`/v1/tasks/${id}/results/1`, key)
        expect(file.headers.get('content-type')).toBe('image/png')
        expect(await file.text()).toBe('a frozen harbour')
        const [log] = (await world.logs()).filter(({ request_id }) => request_id === id)
        expect(log).toMatchObject({ quota: 2 * imageCost, channel_name: 'ours', type: 2 })
        expect(JSON.parse(log?.other ?? '')).toMatchObject({ task_id: id, image_count: 2 })
        expect(await (await get(`/v1/tasks/${id}/events`, key)).text()).toContain('event: ended')
        await isClean()
      },
    )

    once('an edit sent as a form reaches the upstream as a form without what is meant for the gateway', async () => {
      replyAsVendor = () => Response.json({ created: 5, data: [drawn] })
      const form = new FormData()
      form.set('model', 'dall-e-3')
      form.set('prompt', 'a harbour in summer')
      form.set('async', 'true')
      form.set('callback_url', 'https://customer.example/done')
      form.set('image', new File(['pixels'], 'harbour.png', { type: 'image/png' }))
      const headers = { authorization: `Bearer ${world.key}` }
      const id = await idOf(fetch(`${world.url}/v1/images/edits`, { method: 'POST', headers, body: form }))
      expect(await awaitEnd(`/v1/images/edits/${id}`)).toMatchObject({ status: 'completed', data: [drawn] })
      expect(requests[0]?.body).toContain('pixels')
      expect(requests[0]?.body).not.toContain('async')
      expect(requests[0]?.body).not.toContain('callback_url')
      const { query } = world.ctx.database
      const [delivery] = await query.selectFrom('webhook_deliveries').selectAll().execute()
      expect(delivery?.url).toBe('https://customer.example/done')
      expect(await row(id)).toMatchObject({ action: 'EDITS', prompt: 'a harbour in summer' })
    })

    once('a response is made in the background and fetched whole, whatever its upstream speaks', async () => {
      replyAsVendor = () => Response.json(requests[0]?.path.endsWith('/messages') ? message : vendorResponse)
      for (const model of ['gpt-4.1', 'claude-sonnet-4-5']) {
        requests = []
        const submission = await object(respond({ model, store: true, metadata: { order: '7' } }))
        expect(submission).toMatchObject({ object: 'response', status: 'queued', background: true, output: [], model })
        expect(submission['metadata']).toEqual({ order: '7' })
        const id = String(submission['id'])
        expect(id).toStartWith('resp_')
        const done = await awaitEnd(`/v1/responses/${id}`)
        expect(done).toMatchObject({ id, object: 'response', status: 'completed', background: true })
        expect(JSON.stringify(done['output'])).toContain('Forty-two')
        expect(requests[0]?.body).not.toContain('background')
        expect(await row(id)).toMatchObject({ platform: 'response', action: 'RESPOND', prompt: '', status: 'SUCCESS' })
        expect(await object(world.post(`/v1/responses/${id}/cancel`, {}))).toMatchObject({ status: 'completed' })
      }
      await isClean()
    })

    once('a finished call names what its vendor could not be told, and no other does', async () => {
      replyAsVendor = () => Response.json(requests[0]?.path.endsWith('/messages') ? message : vendorResponse)
      const tools = [{ type: 'of_tomorrow', name: 'x' }]
      const id = await idOf(respond({ model: 'claude-sonnet-4-5', tools }))
      await awaitEnd(`/v1/responses/${id}`)
      const { headers } = await get(`/v1/responses/${id}`)
      expect(headers.get('tollgate-dropped')).toBe('the built-in tool of_tomorrow x')
      expect(headers.get('access-control-expose-headers')).toBe('*')
      const whole = await idOf(respond())
      await awaitEnd(`/v1/responses/${whole}`)
      expect((await get(`/v1/responses/${whole}`)).headers.has('tollgate-dropped')).toBe(false)
    })

    test('an answer is stored sealed, removed by its owner, and deleted when it expires', async () => {
      replyAsVendor = () => Response.json(vendorResponse)
      const { query } = world.ctx.database
      const ids = [await idOf(respond()), await idOf(respond())]
      for (const id of ids) await awaitEnd(`/v1/responses/${id}`)
      const readStored = () => query.selectFrom('task_answers').selectAll().where('task_id', 'in', ids).execute()
      expect(await readStored()).toHaveLength(2)
      expect(JSON.stringify(await readStored())).not.toContain('Forty-two')
      const [removed = '', expired = ''] = ids
      const headers = { authorization: `Bearer ${world.key}` }
      const gone = await fetch(`${world.url}/v1/responses/${removed}`, { method: 'DELETE', headers })
      expect(await gone.json()).toEqual({ id: removed, object: 'response', deleted: true })
      expect((await get(`/v1/responses/${removed}`)).status).toBe(404)
      await query.updateTable('task_answers').set({ expires_at: 1 }).where('task_id', '=', expired).execute()
      expect(await object(get(`/v1/responses/${expired}`))).toMatchObject({ error: { code: 'task.result_none' } })
      await pruneTaskResponses(world.ctx).run(new AbortController().signal)
      expect(await readStored()).toEqual([])
    })

    once('answers are kept for as many hours as the site wants', async () => {
      await world.setOptions({ BackgroundResultHours: '2' })
      replyAsVendor = () => Response.json({ created: 1, data: [drawn] })
      const id = await idOf(draw())
      const { expires_at: until } = await awaitEnd(`/v1/images/generations/${id}`)
      const { submitted_at: submitted } = await row(id)
      const twoHoursAfter = (milliseconds: number) => Math.floor(milliseconds / 1000) + 2 * 3600
      expect(Number(until)).toBeWithin(twoHoursAfter(submitted), twoHoursAfter(Date.now()) + 1)
      await world.setOptions({ BackgroundResultHours: '72' })
    })

    once('a call that fails says why, costs nothing and gives its hold back to the wallet and the key', async () => {
      replyAsVendor = () =>
        Response.json({ error: { message: 'That prompt is not allowed', code: 'bad' } }, { status: 400 })
      const { key, books } = await aPayer(1_000_000)
      const id = await idOf(respond({}, key))
      expect(await awaitEnd(`/v1/responses/${id}`, key)).toMatchObject({
        status: 'failed',
        output: [],
        error: { code: 'server_error', message: 'That prompt is not allowed' },
      })
      expect(await books()).toEqual({ user: 1_000_000, used: 0, token: 1_000_000, held: 0 })
      const { channel_id: channelId, channel_name: channelName, terms } = await row(id)
      expect([channelId, channelName]).toEqual([expect.any(Number), 'ours'])
      expect(JSON.parse(terms)).toMatchObject({ attempts: [{ channel: channelId, status: 400 }] })
      // Rows of failed attempts are written behind the call.
      const rows = await eventually(async () => {
        const found = (await world.logs()).filter(({ request_id }) => request_id === id)
        return found.length > 0 ? found : null
      })
      expect(rows.every(({ type, quota }) => type === logType.error && quota === 0)).toBe(true)
    })

    once('a call that is cancelled is charged like one whose client left: the vendor bills what it makes', async () => {
      const { opened, open } = gate()
      replyAsVendor = () => opened.then(() => Response.json(vendorResponse))
      const { key, books } = await aPayer(1_000_000)
      const id = await idOf(respond({}, key))
      await eventually(async () => (requests.length > 0 ? true : null))
      const cancelled = await object(world.post(`/v1/responses/${id}/cancel`, {}, { key }))
      expect(cancelled).toMatchObject({ id, status: 'cancelled', output: [], error: null })
      expect(await object(get(`/v1/tasks/${id}`, key))).toMatchObject({ status: 'CANCEL' })
      expect(await books()).toMatchObject({ used: 0, held: 1 })
      open()
      await eventually(async () => (world.inFlight.count === 0 ? true : null))
      expect(left).toBe(0)
      const rest = 1_000_000 - responseCost
      expect(await books()).toEqual({ user: rest, used: responseCost, token: rest, held: 0 })
      expect(await row(id)).toMatchObject({
        status: 'CANCEL',
        quota: responseCost,
        fail_reason: '{"code":"task.cancelled"}',
      })
      expect(await object(get(`/v1/responses/${id}`, key))).toMatchObject({ status: 'cancelled', output: [] })
      await isClean()
    })

    once('a call that is cancelled where the channel stops its upstream gives its hold back once', async () => {
      await using _ = await stopping()
      const { opened, open } = gate()
      replyAsVendor = () => opened.then(() => Response.json(vendorResponse))
      const { key, books } = await aPayer(1_000_000)
      const id = await idOf(respond({}, key))
      await eventually(async () => (requests.length > 0 ? true : null))
      const cancelled = await object(world.post(`/v1/responses/${id}/cancel`, {}, { key }))
      expect(cancelled).toMatchObject({ id, status: 'cancelled', output: [], error: null })
      expect(await object(world.post(`/v1/responses/${id}/cancel`, {}, { key }))).toMatchObject({ status: 'cancelled' })
      await world.inFlight.background.renew(world.ctx)
      await eventually(async () => (left > 0 && world.inFlight.count === 0 ? true : null))
      open()
      expect(await books()).toEqual({ user: 1_000_000, used: 0, token: 1_000_000, held: 0 })
      expect(await row(id)).toMatchObject({ status: 'CANCEL', quota: 0 })
      await isClean()
    })

    test('a call whose user is banned while it runs says so, where the channel stops its upstream', async () => {
      await using _ = await stopping()
      const { opened, open } = gate()
      replyAsVendor = () => opened.then(() => Response.json(vendorResponse))
      const { userId, key, books } = await aPayer(1_000_000)
      const id = await idOf(respond({}, key))
      await eventually(async () => (requests.length > 0 ? true : null))
      await world.ctx.database.query.transaction().execute(async (transaction) => {
        await transaction.updateTable('users').set({ status: 2 }).where('id', '=', userId).execute()
        await world.ctx.changes.announce({ topic: 'user', refId: userId }, transaction)
      })
      await world.ctx.changes.deliver()
      await eventually(async () => (world.inFlight.count === 0 ? true : null))
      open()
      expect(JSON.parse((await row(id)).fail_reason)).toMatchObject({ code: 'caller.revoked' })
      expect(await books()).toMatchObject({ used: 0, held: 0 })
    })

    once('an answer that comes after its task was given up is neither charged nor kept', async () => {
      const { opened, open } = gate()
      replyAsVendor = () => opened.then(() => Response.json(vendorResponse))
      const { key, books } = await aPayer(1_000_000)
      const id = await idOf(respond({}, key))
      await eventually(async () => (requests.length > 0 ? true : null))
      // Its worker did not renew the claim in time, as one that hangs does not.
      await world.ctx.database.query.updateTable('tasks').set({ poll_at: 1 }).where('public_id', '=', id).execute()
      await pollTasks(world.ctx, new AbortController().signal)
      expect(await object(get(`/v1/responses/${id}`, key))).toMatchObject({ status: 'failed' })
      open()
      await eventually(async () => (world.inFlight.count === 0 ? true : null))
      expect(await books()).toEqual({ user: 1_000_000, used: 0, token: 1_000_000, held: 0 })
      const { query } = world.ctx.database
      expect(await query.selectFrom('task_answers').select('task_id').where('task_id', '=', id).execute()).toEqual([])
      await isClean()
    })

    once('a claim is renewed for as long as the call runs', async () => {
      const { opened, open } = gate()
      replyAsVendor = () => opened.then(() => Response.json(vendorResponse))
      const id = await idOf(respond())
      await world.ctx.database.query.updateTable('tasks').set({ poll_at: 1 }).where('public_id', '=', id).execute()
      await world.inFlight.background.renew(world.ctx)
      expect((await row(id)).poll_at).toBeGreaterThan(world.ctx.clock.now() + claimMs / 2)
      open()
      expect(await awaitEnd(`/v1/responses/${id}`)).toMatchObject({ status: 'completed' })
    })

    once('a user and a key run as many calls in the background as the site allows', async () => {
      await world.setOptions({ BackgroundUserCalls: '2', BackgroundTokenCalls: '1' })
      const { opened, open } = gate()
      replyAsVendor = () => opened.then(() => Response.json(vendorResponse))
      const { userId, key } = await aPayer(1_000_000)
      const [second, third] = [await world.addToken(userId), await world.addToken(userId)]
      const id = await idOf(respond({}, key))
      const sameKey = await respond({}, key)
      expect(sameKey.status).toBe(429)
      expect(await object(sameKey)).toMatchObject({ error: { code: 'background.calls' } })
      expect((await respond({}, second)).status).toBe(200)
      expect((await respond({}, third)).status).toBe(429)
      open()
      await awaitEnd(`/v1/responses/${id}`, key)
      const last = await idOf(respond({}, third))
      await awaitEnd(`/v1/responses/${last}`, third)
      await world.setOptions({ BackgroundUserCalls: '20', BackgroundTokenCalls: '0' })
    })

    once('a balance that cannot pay the longest answer is held for a shorter one', async () => {
      replyAsVendor = () => Response.json(vendorResponse)
      const { key, books } = await aPayer(20_000)
      const id = await idOf(respond({}, key))
      expect(await awaitEnd(`/v1/responses/${id}`, key)).toMatchObject({ status: 'completed' })
      const { max_output_tokens: limit } = JSON.parse(requests.at(-1)?.body ?? '{}') as { max_output_tokens: number }
      expect(limit).toBeWithin(1, 20_000 / 4 + 1)
      expect(await books()).toMatchObject({ used: responseCost, held: 0 })
      const poor = await aPayer(1)
      expect((await respond({}, poor.key)).status).toBe(403)
      expect(await poor.books()).toMatchObject({ user: 1, held: 0 })
    })

    once('what cannot be done in the background is refused before anything is held', async () => {
      replyAsVendor = () => Response.json(vendorResponse)
      const codeOf = async (response: Promise<Response>) => ((await object(response))['error'] as JsonObject)['code']
      expect(await codeOf(respond({ stream: true }))).toBe('background.stream')
      expect(await codeOf(respond({ store: false }))).toBe('background.store')
      expect(await codeOf(respond({ model: 'unknown' }))).toBe('model_not_found')
      expect(await codeOf(respond({ callback_url: 'http://plain.example' }))).toBe('invalid_value')
      expect(await codeOf(draw({ stream: true }))).toBe('background.stream')
      expect(await codeOf(get('/v1/responses/resp_unknown'))).toBe('turn.none')
      expect(await codeOf(get('/v1/responses/resp_unknown?stream=true'))).toBe('turn.none')
      await world.setOptions({ TaskEnabled: 'false' })
      expect(await codeOf(draw())).toBe('task.off')
      await world.setOptions({ TaskEnabled: 'true' })
      expect(requests).toEqual([])
      const stranger = await aPayer(1000)
      const id = await idOf(respond())
      await awaitEnd(`/v1/responses/${id}`)
      expect((await get(`/v1/responses/${id}`, stranger.key)).status).toBe(404)
    })

    once('a gateway that stops ends what has not ended in time, with the reason', async () => {
      replyAsVendor = () => new Promise<Response>(() => {})
      const { key, books } = await aPayer(1_000_000)
      const id = await idOf(respond({}, key))
      await eventually(async () => (requests.length > 0 ? true : null))
      expect(world.inFlight.count).toBe(1)
      world.inFlight.upstreams.stopAll('shutdown')
      expect(await world.inFlight.whenIdle(5000)).toBe(true)
      const failed = await object(get(`/v1/responses/${id}`, key))
      expect(failed).toMatchObject({
        status: 'failed',
        error: { message: expect.stringContaining('restart') as string },
      })
      expect(await books()).toEqual({ user: 1_000_000, used: 0, token: 1_000_000, held: 0 })
    })
  })
}
