import { afterAll, beforeAll, expect, test } from 'bun:test'

import { tokenStatus } from '@tollgate/contract'
import { startSuno, type SunoStandIn } from '@tollgate/simulator'

import { eventually } from '../../../../test/eventually'
import { createRelayWorld, type RelayWorld } from '../../../../test/relay-world'
import { callbackUrlOf } from '../../../tasks/callback-url'
import { pollTasks } from '../../../tasks/poll-tasks'
import { FakeTime } from '../../../../test/fake-time'

const time = new FakeTime()
let world: RelayWorld
let suno: SunoStandIn
beforeAll(async () => {
  world = await createRelayWorld({ time })
  suno = await startSuno()
  await world.addChannel({ type: 36, base_url: suno.url, models: 'suno_music', name: 'songs' })
  await world.setOptions({ ServerAddress: 'https://gateway.example' })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await suno[Symbol.asyncDispose]()
})

const submit = async (key?: string) => {
  const response = await world.post('/suno/submit/music', { prompt: 'rain' }, { key })
  const { data } = (await response.json()) as { data: string }
  return data
}
const get = (path: string, key = world.key) =>
  fetch(`${world.url}/v1/tasks${path}`, { headers: { authorization: `Bearer ${key}` } })
/** Asks the vendor now, whatever the pace is. */
const poll = async () => {
  await world.ctx.database.query.updateTable('tasks').set({ poll_at: 1 }).where('poll_at', 'is not', null).execute()
  await pollTasks(world.ctx, new AbortController().signal)
}

/** Lets a stream of progress read its task again. */
async function passLook(): Promise<void> {
  await time.untilWaiting(1000)
  time.advance(1000)
}

test('a task is read, listed and removed from no other owner’s sight', async () => {
  const id = await submit()
  expect(await (await get(`/${id}`)).json()).toMatchObject({
    id,
    object: 'task',
    platform: 'suno',
    status: 'SUBMITTED',
    model: 'suno_music',
    prompt: 'rain',
    results: [],
  })
  const list = (await (await get('?platform=suno&limit=1')).json()) as { data: { id: string }[] }
  expect(list.data.map((task) => task.id)).toEqual([id])
  const stranger = await world.addToken(await world.addUser(1_000_000))
  const refused = await get(`/${id}`, stranger)
  expect(refused.status).toBe(404)
  expect(await refused.json()).toMatchObject({ error: { code: 'task.none' } })
  expect(await (await get('', stranger)).json()).toEqual({ object: 'list', data: [], has_more: false })
  expect((await get('?limit=1000')).status).toBe(400)
  expect((await get(`/${id}/results/0`)).status).toBe(404)
})

test('a key that is limited to some models sees what it made alone; any other key of its user sees all', async () => {
  const userId = await world.addUser(1_000_000)
  const [limited, other] = [
    await world.addToken(userId, { model_limits_enabled: 1, model_limits: 'suno_music' }),
    await world.addToken(userId),
  ]
  const [ofLimited, ofOther] = [await submit(limited), await submit(other)]
  const statuses = (key: string) =>
    Promise.all([ofLimited, ofOther].map(async (id) => (await get(`/${id}`, key)).status))
  expect(await statuses(limited)).toEqual([200, 404])
  expect(await statuses(other)).toEqual([200, 200])
  const listIds = async (key: string) =>
    ((await (await get('?platform=suno', key)).json()) as { data: { id: string }[] }).data.map(({ id }) => id)
  expect(await listIds(limited)).toEqual([ofLimited])
  expect((await listIds(other)).toSorted()).toEqual([ofLimited, ofOther].toSorted())
})

test('progress is sent as it comes, and the stream ends with the task', async () => {
  suno.taskBook.next('at-once')
  const id = await submit()
  const events = await get(`/${id}/events`)
  expect(events.headers.get('content-type')).toBe('text/event-stream')
  const reading = events.text()
  await poll()
  await passLook()
  const text = await reading
  expect(text).toMatch(/^event: progress\ndata: \{.*"SUBMITTED".*\}\n\n/)
  expect(text).toMatch(/event: ended\ndata: \{.*"SUCCESS".*\}\n\n$/)
})

test('progress ends when its key does', async () => {
  const userId = await world.addUser(10_000_000)
  const key = await world.addToken(userId)
  const events = await get(`/${await submit(key)}/events`, key)
  const reading = events.text()
  const { query } = world.ctx.database
  await query.transaction().execute(async (transaction) => {
    const changed = transaction
      .updateTable('tokens')
      .set({ status: tokenStatus.disabled })
      .where('user_id', '=', userId)
    const { id } = await changed.returning('id').executeTakeFirstOrThrow()
    await world.ctx.changes.announce({ topic: 'token', refId: id }, transaction)
  })
  await world.ctx.changes.deliver()
  await passLook()
  const text = await reading
  expect(text).toContain('event: progress')
  expect(text).not.toContain('event: ended')
})

test('a user follows 50 tasks at once and no more, and other users are not affected', async () => {
  const [key, other] = [
    await world.addToken(await world.addUser(10_000_000)),
    await world.addToken(await world.addUser(10_000_000)),
  ]
  const id = await submit(key)
  const leaving = new AbortController()
  const follow = () =>
    fetch(`${world.url}/v1/tasks/${id}/events`, { headers: { authorization: `Bearer ${key}` }, signal: leaving.signal })
  // They are held: the runtime closes the connection of a response that is collected.
  const followed: Response[] = []
  while (followed.length < 50) followed.push(await follow())
  const refused = await follow()
  expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, true])
  expect((await get(`/${id}`, key)).status).toBe(200)
  const events = await get(`/${await submit(other)}/events`, other)
  expect(events.status).toBe(200)
  await events.body?.cancel()
  expect(new Set(followed.map(({ status }) => status))).toEqual(new Set([200]))
  leaving.abort()
  const served = await eventually(async () => {
    const response = await get(`/${id}/events`, key)
    await response.body?.cancel()
    return response.ok ? response : null
  })
  expect(served.status).toBe(200)
})

test('a forged callback is refused, and a true one makes the vendor be asked', async () => {
  const id = await submit()
  const url = callbackUrlOf(world.ctx, id) ?? ''
  const path = new URL(url).pathname
  const forged = { status: 'SUCCESS', task_id: id }
  const refused = await world.post(path.replace(/.$/, '~'), forged, { key: 'none' })
  expect(refused.status).toBe(404)
  const row = () =>
    world.ctx.database.query.selectFrom('tasks').selectAll().where('public_id', '=', id).executeTakeFirstOrThrow()
  const { poll_at: planned } = await row()
  expect((await world.post(path, forged, { key: 'none' })).status).toBe(200)
  const hastened = await eventually(async () => {
    const now = await row()
    return now.poll_at !== planned ? now : null
  })
  expect(hastened.poll_at).toBeLessThan(planned ?? 0)
  expect(hastened.status).toBe('SUBMITTED')
})

test('a vendor that tries the address of a callback gets its challenge back, and a stranger does not', async () => {
  const id = await submit()
  const path = new URL(callbackUrlOf(world.ctx, id) ?? '').pathname
  const row = () =>
    world.ctx.database.query.selectFrom('tasks').selectAll().where('public_id', '=', id).executeTakeFirstOrThrow()
  const before = await row()
  const tried = await world.post(path, { challenge: 'c-4711' }, { key: 'none' })
  expect(await tried.json()).toEqual({ challenge: 'c-4711' })
  expect(await row()).toEqual(before)
  const strange = await world.post(path.replace(/.$/, '~'), { challenge: 'c-4711' }, { key: 'none' })
  expect([strange.status, await strange.text()]).toEqual([404, expect.not.stringContaining('c-4711')])
})

test('a vendor that cannot cancel is not asked to', async () => {
  const id = await submit()
  const refused = await world.post(`/v1/tasks/${id}/cancel`, {})
  expect(refused.status).toBe(409)
  expect(await refused.json()).toMatchObject({ error: { code: 'task.cancel_unsupported' } })
})
