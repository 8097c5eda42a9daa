import { afterAll, beforeAll, expect, test } from 'bun:test'

import { ApiError, role, taskRoutes } from '@tollgate/contract'

import { anAccount, createTestConsole, type SignedIn, type TestConsole } from '../../../test/console-client'
import { booksOf } from '../../../test/ledger'
import { createTaskWorld, type TaskWorld } from '../../../test/task-world'
import { taskHandlers } from './tasks'

let world: TaskWorld
let site: TestConsole
let owner: SignedIn
let other: SignedIn
let operator: SignedIn

beforeAll(async () => {
  world = await createTaskWorld()
  site = createTestConsole(world.ctx, taskHandlers)
  owner = await site.signIn((await world.submit()).user_id)
  other = await site.signIn((await anAccount(world.ctx)).id)
  operator = await site.signIn((await anAccount(world.ctx, { role: role.admin })).id)
})
afterAll(() => world[Symbol.asyncDispose]())

/** A task with this result. */
async function aFinished(result: object) {
  const { id, public_id: publicId } = await world.submit()
  await world.ctx.database.query
    .updateTable('tasks')
    .set({ results: JSON.stringify([result]), status: 'SUCCESS' })
    .where('id', '=', id)
    .execute()
  return { id, path: `/api/task/result/${publicId}/audio/0` }
}

/** As an element of the page asks: with the cookie, without the header that names the user. */
const asElement = (path: string, as?: SignedIn, headers: Record<string, string> = {}) =>
  site.send('GET', path, { headers: { ...(as && { Cookie: as.cookie }), ...headers } })

const codeOf = async (response: Response) => ((await response.json()) as { code?: string }).code

test('the owner and readers of all tasks play a result, which never shows where the vendor keeps it', async () => {
  const { path, id } = await aFinished({ kind: 'audio', url: `${world.suno.url}/files/one`, isSecret: true })
  for (const reader of [owner, operator]) {
    const response = await asElement(path, reader, { range: 'bytes=0-' })
    expect(response.headers.get('content-type')).toBe('audio/mpeg')
    expect(response.headers.get('content-disposition')).toStartWith('inline')
    expect(response.headers.get('cache-control')).toBe('private, max-age=86400')
    expect(await response.text()).toBe('sound of one')
  }
  const { items } = await site.client(owner).call(taskRoutes.listOwnTasks, { query: { ids: [id] } })
  expect(items[0]?.results).toEqual([{ kind: 'audio', url: path, title: '', text: '' }])
  expect(JSON.stringify(items)).not.toContain(world.suno.url)
})

test('a result is not for guests, other users, or pages of other sites', async () => {
  const { path } = await aFinished({ kind: 'audio', url: `${world.suno.url}/files/two` })
  expect(await codeOf(await asElement(path))).toBe('auth.required')
  expect(await codeOf(await asElement(path, other))).toBe('task.result_none')
  expect(await codeOf(await asElement(path, owner, { 'sec-fetch-site': 'cross-site' }))).toBe('auth.forbidden')
})

test('what a user of a higher rank made is not for an administrator', async () => {
  const { path, id } = await aFinished({ kind: 'audio', url: `${world.suno.url}/files/four` })
  const { id: rootId } = await anAccount(world.ctx, { role: role.root })
  await world.ctx.database.query.updateTable('tasks').set({ user_id: rootId }).where('id', '=', id).execute()
  expect(await codeOf(await asElement(path, operator))).toBe('task.result_none')
  expect((await asElement(path, await site.signIn(rootId))).status).toBe(200)
})

test('a result that is not there says so', async () => {
  const { path } = await aFinished({ kind: 'audio', url: `${world.suno.url}/no-such-file` })
  expect(await codeOf(await asElement(path.replace('audio', 'video'), owner))).toBe('task.result_none')
  expect(await codeOf(await asElement(path, owner))).toBe('upstream.failed')
})

const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  )

test('a task is cancelled by its owner or an operator, once, and what was held goes back', async () => {
  const free = async () => (await booksOf(world.ctx.database, owner.userId)).free
  const before = await free()
  for (const [as, route] of [
    [owner, taskRoutes.cancelOwnTask],
    [operator, taskRoutes.cancelTask],
  ] as const) {
    const { id } = await world.submit()
    const client = site.client(as)
    const readTask = async () =>
      (await site.client(operator).call(taskRoutes.listTasks, { query: { ids: [id] } })).items[0]
    expect(await readTask()).toMatchObject({ can_cancel: true })
    expect(await free()).toBeLessThan(before)
    expect(await outcomeOf(site.client(other).call(taskRoutes.cancelOwnTask, { params: { id } }))).toBe('task.none')
    expect(await outcomeOf(client.call(route, { params: { id } }))).toBe('ok')
    expect(await free()).toBe(before)
    expect(await readTask()).toMatchObject({ status: 'CANCEL', can_cancel: false, held: 0 })
    expect(await outcomeOf(client.call(route, { params: { id } }))).toBe('task.ended')
  }
})
