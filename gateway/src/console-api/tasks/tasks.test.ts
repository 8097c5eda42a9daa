import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { role, storedPhrase, taskRoutes, type Client, type Route, type RouteSent } from '@tollgate/contract'

import { aTask } from '../../../test/a-task'
import { anAccount, createTestConsole } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { createWorld, type World } from '../../../test/world'
import { taskHandlers } from './tasks'

const at = 1_800_000_000_000

describe.each(kinds)('lists of tasks (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let mei: Client
  let operator: Client
  let root: { readonly id: number; readonly client: Client }
  let meiId: number

  beforeAll(async () => {
    world = await createWorld({ kind })
    const site = createTestConsole(world.ctx, taskHandlers)
    const signedIn = async (ofRole: number, username: string) => {
      const { id } = await anAccount(world.ctx, { role: ofRole, username })
      return { id, client: site.client(await site.signIn(id)) }
    }
    const user = await signedIn(role.user, 'mei')
    const other = await signedIn(role.user, 'lars')
    meiId = user.id
    mei = user.client
    operator = (await signedIn(role.admin, 'operator')).client
    root = await signedIn(role.root, 'root')
    const drawing = { platform: 'mj', action: 'IMAGINE', model: 'mj_imagine', channel_name: 'Drawing', channel_id: 8 }
    const rows = [
      aTask({ public_id: 'song', user_id: meiId, progress: 30 }),
      aTask({ public_id: 'song-of-lars', user_id: other.id, username: 'lars', submitted_at: at + 1000 }),
      aTask({
        public_id: 'clip',
        user_id: meiId,
        platform: 'video',
        action: 'GENERATE',
        submitted_at: at + 2999,
        request: JSON.stringify({ seconds: 8, parameters: { seconds: '8', seed: 7 }, left_out: ['image'] }),
      }),
      aTask({ public_id: 'removed', user_id: meiId, deleted_at: at, submitted_at: at + 3000 }),
      aTask({ ...drawing, public_id: 'drawing', user_id: meiId, prompt: 'a kite', prompt_en: 'kite' }),
      aTask({
        ...drawing,
        public_id: 'refused',
        user_id: meiId,
        channel_id: 0,
        channel_name: '',
        status: 'FAILURE',
        fail_reason: storedPhrase('key.missing'),
        submitted_at: at + 1,
        finished_at: at + 61_000,
      }),
    ]
    for (const row of rows) await world.ctx.database.query.insertInto('tasks').values(row).execute()
    await world.ctx.database.query
      .insertInto('holds')
      .values({ id: 'song', user_id: meiId, token_id: 4, is_token_limited: 0, amount: 5000, created_at: 1 })
      .execute()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const idsOf = ({ items }: { items: readonly object[] }) =>
    items.map((item) => ('mj_id' in item ? item.mj_id : 'task_id' in item ? item.task_id : undefined))
  type Query<R extends Route> = RouteSent<R>['query']
  const tasks = async (query?: Query<typeof taskRoutes.listTasks>) =>
    idsOf(await operator.call(taskRoutes.listTasks, { query }))
  const ownTasks = async (query?: Query<typeof taskRoutes.listOwnTasks>) =>
    idsOf(await mei.call(taskRoutes.listOwnTasks, { query }))
  const drawings = async (query?: Query<typeof taskRoutes.listDrawings>) =>
    idsOf(await operator.call(taskRoutes.listDrawings, { query }))

  test('users see their own tasks but those they removed, and nothing of channels', async () => {
    const { items, total } = await mei.call(taskRoutes.listOwnTasks)
    expect(idsOf({ items })).toEqual(['clip', 'song'])
    expect(total).toBe(2)
    expect(JSON.stringify(items)).not.toContain('hannel')
    expect(items[1]).toMatchObject({
      status: 'IN_PROGRESS',
      progress: '30%',
      platform: 'suno',
      quota: 0,
      held: 5000,
      submit_time: at / 1000,
      finish_time: 0,
    })
  })

  test('a task is shown with what it was asked for, as far as that is kept', async () => {
    const { items } = await mei.call(taskRoutes.listOwnTasks)
    expect(items.map((item) => [item.parameters, item.parameters_left_out])).toEqual([
      [{ seconds: '8', seed: 7 }, ['image']],
      [{}, []],
    ])
  })

  once('operators see the tasks of all users, with user and channel', async () => {
    expect(await tasks()).toEqual(['removed', 'clip', 'song-of-lars', 'song'])
    const { items } = await operator.call(taskRoutes.listTasks, { query: { username: 'LARS' } })
    expect(items).toMatchObject([{ task_id: 'song-of-lars', username: 'lars', channel_id: 3, channel_name: 'Music' }])
    expect(await tasks({ username: 'no-such-user' })).toEqual([])
  })

  test('what a user of a higher rank wrote and made is not shown, and their task not cancelled', async () => {
    const { query } = world.ctx.database
    const results = JSON.stringify([{ kind: 'image', url: 'https://vendor.example/1.png' }])
    const content = { prompt: 'secret', prompt_en: 'secret', results }
    const row = aTask({ platform: 'mj', public_id: 'of-root', user_id: root.id, ...content })
    const { id } = await query.insertInto('tasks').values(row).returning('id').executeTakeFirstOrThrow()
    const asSeenBy = async (reader: Client) =>
      (await reader.call(taskRoutes.listDrawings, { query: { mj_id: 'of-root' } })).items[0]
    expect(await asSeenBy(operator)).toMatchObject({ prompt: '', prompt_en: '', image_url: '', results: [] })
    expect(await asSeenBy(root.client)).toMatchObject({ prompt: 'secret', results: [{ kind: 'image' }] })
    const request = JSON.stringify({ parameters: { title: 'secret' } })
    const song = aTask({ platform: 'suno', public_id: 'song-of-root', user_id: root.id, ...content, request })
    await query.insertInto('tasks').values(song).execute()
    const readBy = async (reader: Client) =>
      (await reader.call(taskRoutes.listTasks, { query: { task_id: 'song-of-root' } })).items[0]?.parameters
    expect([await readBy(operator), await readBy(root.client)]).toEqual([{}, { title: 'secret' }])
    const cancelling = operator.call(taskRoutes.cancelTask, { params: { id } })
    expect(await cancelling.catch((error: unknown) => error)).toMatchObject({ code: 'auth.forbidden' })
    await query.deleteFrom('tasks').where('user_id', '=', root.id).execute()
  })

  once('drawings have a list of their own, with times in milliseconds', async () => {
    const { items } = await mei.call(taskRoutes.listOwnDrawings)
    expect(items).toMatchObject([
      {
        mj_id: 'refused',
        code: 0,
        status: 'FAILURE',
        fail_reason: expect.stringMatching(/^\w.* key/),
        finish_time: at + 61_000,
      },
      { mj_id: 'drawing', code: 1, prompt: 'a kite', prompt_en: 'kite', submit_time: at, image_url: '' },
    ])
    expect(await drawings({ start_timestamp: at + 1 })).toEqual(['refused'])
    expect(await drawings({ end_timestamp: at })).toEqual(['drawing'])
  })

  test('times of other tasks are whole seconds, both inclusive', async () => {
    expect(await tasks({ start_timestamp: at / 1000 + 1, end_timestamp: at / 1000 + 2 })).toEqual([
      'clip',
      'song-of-lars',
    ])
  })

  test('filters are exact and apply together', async () => {
    expect(await tasks({ task_id: 'song' })).toEqual(['song'])
    expect(await tasks({ task_id: 'drawing' })).toEqual([])
    expect(await drawings({ mj_id: 'drawing', channel_id: 8 })).toEqual(['drawing'])
    expect(await drawings({ channel_id: 3 })).toEqual([])
    expect(await tasks({ platform: 'video' })).toEqual(['clip'])
    expect(await tasks({ platform: 'mj' })).toEqual([])
    expect(await drawings({ status: 'FAILURE', action: 'IMAGINE' })).toEqual(['refused'])
    expect(await drawings({ status: 'FAILURE', action: 'PAN' })).toEqual([])
  })

  test('the progress of rows is asked for by their ids, of one’s own alone', async () => {
    const { items } = await operator.call(taskRoutes.listTasks)
    const all = items.map(({ id }) => id)
    expect(await ownTasks({ ids: all })).toEqual(['clip', 'song'])
    expect(await ownTasks({ ids: [] })).toEqual([])
  })

  once('pages count from 0', async () => {
    const page = await operator.call(taskRoutes.listTasks, { query: { p: 1, page_size: 3 } })
    expect(idsOf(page)).toEqual(['song'])
    expect(page).toMatchObject({ page: 1, page_size: 3, total: 4, total_is_lower_bound: false })
    expect(await tasks({ p: 9 })).toEqual([])
  })
})
