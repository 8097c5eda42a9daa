import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { ApiError, messageRoutes, role, accountRoutes, type RouteSent } from '@tollgate/contract'

import { anAccount, createTestConsole, type TestConsole } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { setOptionsIn } from '../../../test/options'
import { createWorld, type World } from '../../../test/world'
import { selfHandlers } from '../account/account'
import { messageHandlers } from './messages'
import { WallClock } from '../../../test/fake-time'

setDefaultTimeout(120_000)

const start = Date.parse('2026-03-01T12:00:00Z')
const seconds = Math.floor(start / 1000)
const text = { title: 'Maintenance', content: 'On **Sunday**' }

const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  )

describe.each(kinds)('messages (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let site: TestConsole
  let clock: WallClock
  beforeEach(async () => {
    clock = new WallClock(start)
    world = await createWorld({ kind, clock })
    site = createTestConsole(world.ctx, [...messageHandlers, ...selfHandlers])
  })
  afterEach(() => world[Symbol.asyncDispose]())

  const query = () => world.ctx.database.query

  const anAdmin = async () => {
    const { id, username } = await anAccount(world.ctx, { role: role.admin })
    const as = await site.signIn(id)
    const client = site.client(as)
    const create = (body: RouteSent<typeof messageRoutes.createMessage>['body']) =>
      client.call(messageRoutes.createMessage, { body })
    const get = (message: number) => client.call(messageRoutes.getMessage, { params: { id: message } })
    return {
      id,
      username,
      as,
      client,
      create,
      get,
      createError: (body: object) => outcomeOf(create({ ...text, ...body })),
      list: (filter: object = {}) => client.call(messageRoutes.listMessages, { query: filter }),
      search: (filter: object) => client.call(messageRoutes.searchMessages, { query: filter }),
      count: (filter: RouteSent<typeof messageRoutes.countAudience>['query']) =>
        client.call(messageRoutes.countAudience, { query: filter }),
      recipients: async (message: number, filter: object = {}) => {
        const found = await client.call(messageRoutes.listRecipients, { params: { id: message }, query: filter })
        return Array.isArray(found) ? found : found.items
      },
      edit: (message: number, body: object) =>
        client.call(messageRoutes.updateMessage, { params: { id: message }, body }),
      remove: (message: number) => client.call(messageRoutes.deleteMessage, { params: { id: message } }),
    }
  }
  const aUser = async (seed: { group?: string; email?: string } = {}) => {
    const { id, username } = await anAccount(world.ctx, { email: seed.email })
    if (seed.group) await query().updateTable('users').set({ group: seed.group }).where('id', '=', id).execute()
    const as = await site.signIn(id)
    const client = site.client(as)
    return {
      id,
      username,
      as,
      client,
      inbox: async (pageQuery: object = {}) => (await client.call(messageRoutes.listInbox, { query: pageQuery })).items,
      page: (pageQuery: object) => client.call(messageRoutes.listInbox, { query: pageQuery }),
      one: (message: number | string) => client.call(messageRoutes.readInboxMessage, { params: { id: message } }),
      unread: async () => (await client.call(messageRoutes.unreadCount)).unread_count,
      read: (message: number | string) => client.call(messageRoutes.markRead, { params: { id: message } }),
      readAll: () => client.call(messageRoutes.markAllRead),
    }
  }
  const insertCall = (userId: number, model: string, hour: number) =>
    query()
      .insertInto('rollups')
      .values({
        hour,
        user_id: userId,
        token_name: 't',
        model_name: model,
        channel_id: 1,
        group: 'default',
        count: 1,
        errors: 0,
        quota: 1,
        prompt_tokens: 1,
        completion_tokens: 1,
        use_time: 1,
      })
      .execute()

  once('a message to users is only in their inboxes, unread until its reader marks it', async () => {
    const [admin, ann, bob, carl] = [await anAdmin(), await aUser(), await aUser(), await aUser()]
    const sent = await admin.create({ ...text, user_ids: [bob.id, ann.id, ann.id] })
    expect(sent).toMatchObject({
      ...text,
      format: 'markdown',
      created_by: admin.id,
      created_by_name: admin.username,
      audience: { kind: 'users', value: '' },
      stats: { total_recipients: 2, read_count: 0, unread_count: 2, read_rate: 0 },
    })
    expect([await ann.unread(), await carl.unread()]).toEqual([1, 0])
    expect(await ann.inbox()).toEqual([
      {
        id: sent.id,
        ...text,
        format: 'markdown',
        created_at: seconds,
        is_read: false,
        read_at: null,
        is_system: false,
      },
    ])
    expect(await ann.one(sent.id)).toMatchObject({ is_read: false })
    clock.jump(5000)
    await ann.read(sent.id)
    clock.jump(5000)
    await ann.read(sent.id)
    expect(await ann.one(sent.id)).toMatchObject({ is_read: true, read_at: seconds + 5 })
    expect([await ann.unread(), await bob.unread()]).toEqual([0, 1])
    expect((await admin.get(sent.id)).stats).toEqual({
      total_recipients: 2,
      read_count: 1,
      unread_count: 1,
      read_rate: 0.5,
    })
    expect(await admin.recipients(sent.id)).toEqual([
      { user_id: ann.id, username: ann.username, display_name: ann.username, read_at: seconds + 5 },
      { user_id: bob.id, username: bob.username, display_name: bob.username, read_at: null },
    ])
    expect(await admin.recipients(sent.id, { p: 2, page_size: 1 })).toMatchObject([{ user_id: bob.id }])
    expect(await admin.recipients(sent.id, { is_read: 'true' })).toMatchObject([{ user_id: ann.id }])
    expect(await outcomeOf(carl.read(sent.id))).toBe('message.not_yours')
    expect(await outcomeOf(carl.one(sent.id))).toBe('message.not_yours')
    expect(await outcomeOf(ann.read('one'))).toBe('message.id')
  })

  test('a message to everyone costs one row, and a receipt per reader; later accounts do not receive it', async () => {
    const [admin, ann, bob] = [await anAdmin(), await aUser(), await aUser()]
    const sent = await admin.create({ ...text, audience: { kind: 'all' } })
    const receipts = () => query().selectFrom('message_receipts').selectAll().execute()
    expect(await receipts()).toEqual([])
    expect(sent.stats.total_recipients).toBe(3)
    const late = await aUser()
    expect([await ann.unread(), await late.unread()]).toEqual([1, 0])
    expect(await late.inbox()).toEqual([])
    expect(await outcomeOf(late.read(sent.id))).toBe('message.not_yours')
    await ann.read(sent.id)
    await ann.read(sent.id)
    expect(await receipts()).toHaveLength(1)
    expect([await ann.unread(), await bob.unread()]).toEqual([0, 1])
    expect((await ann.inbox())[0]).toMatchObject({ id: sent.id, is_read: true, read_at: seconds })
    expect((await admin.get(sent.id)).stats).toMatchObject({ read_count: 1, unread_count: 2 })
    expect((await admin.recipients(sent.id)).map(({ user_id: id, read_at: at }) => [id, at])).toEqual([
      [admin.id, null],
      [ann.id, seconds],
      [bob.id, null],
    ])
    expect(await admin.recipients(sent.id, { p: 1, is_read: 'false' })).toHaveLength(2)
    expect(await admin.recipients(sent.id, { p: 1, is_read: 'true' })).toMatchObject([{ user_id: ann.id }])
  })

  test('a message to a group, a role or the users of a model goes to its members when it is sent', async () => {
    const [admin, ann, bob] = [await anAdmin(), await aUser({ group: 'vip' }), await aUser({ email: 'b@example.com' })]
    await insertCall(bob.id, 'gpt-x', seconds - 29 * 86_400)
    await insertCall(ann.id, 'gpt-x', seconds - 31 * 86_400)
    await insertCall(ann.id, 'gpt-y', seconds)
    expect(await admin.count({ kind: 'group', group: 'vip' })).toEqual({ count: 1, with_mail: 0, can_mail: false })
    expect(await admin.count({ kind: 'model', model: 'gpt-x' })).toMatchObject({ count: 1, with_mail: 1 })
    expect(await admin.count({ kind: 'role', role: role.admin })).toMatchObject({ count: 1 })
    expect(await admin.count({ kind: 'all' })).toMatchObject({ count: 3, with_mail: 1 })
    const vip = await admin.create({ ...text, title: 'vip', audience: { kind: 'group', group: 'vip' } })
    const users = await admin.create({ ...text, title: 'users', audience: { kind: 'role', role: role.user } })
    const model = await admin.create({ ...text, title: 'model', audience: { kind: 'model', model: 'gpt-x' } })
    expect([vip, users, model].map(({ audience, stats }) => [audience.value, stats.total_recipients])).toEqual([
      ['vip', 1],
      ['1', 2],
      ['gpt-x', 1],
    ])
    // A member who leaves keeps it, one who joins does not receive it.
    await query().updateTable('users').set({ group: 'default' }).where('id', '=', ann.id).execute()
    await query().updateTable('users').set({ group: 'vip' }).where('id', '=', bob.id).execute()
    const titles = async (user: typeof ann) => (await user.inbox()).map(({ title }) => title)
    expect(await titles(ann)).toEqual(['users', 'vip'])
    expect(await titles(bob)).toEqual(['model', 'users'])
    expect(await admin.recipients(vip.id)).toMatchObject([{ user_id: ann.id }])
    expect(await admin.createError({ audience: { kind: 'group', group: 'nobody' } })).toBe('message.audience_empty')
  })

  test('everything is marked as read at once, and counted once', async () => {
    const [admin, ann, bob] = [await anAdmin(), await aUser(), await aUser()]
    const one = await admin.create({ ...text, user_ids: [ann.id, bob.id] })
    const all = await admin.create({ ...text, audience: { kind: 'all' } })
    await ann.read(one.id)
    expect(await ann.readAll()).toBe(1)
    expect(await ann.readAll()).toBe(0)
    expect(await Promise.all([bob.readAll(), bob.readAll(), bob.read(all.id)])).toContain(undefined)
    expect([await ann.unread(), await bob.unread()]).toEqual([0, 0])
    expect((await admin.list()).items.map(({ stats }) => stats.read_count)).toEqual([2, 2])
  })

  once('the inbox is newest first, in pages of at most a hundred', async () => {
    const [admin, ann] = [await anAdmin(), await aUser()]
    for (const title of ['a', 'b', 'c']) await admin.create({ ...text, title, user_ids: [ann.id] })
    await admin.create({ ...text, title: 'd', audience: { kind: 'all' } })
    const { items, total, page_size: size } = await ann.page({ p: 2, page_size: 3 })
    expect([items.map(({ title }) => title), total, size]).toEqual([['a'], 4, 3])
    expect((await ann.inbox()).map(({ title }) => title)).toEqual(['d', 'c', 'b', 'a'])
    expect((await ann.page({ page_size: 1000 })).page_size).toBe(100)
  })

  once('an edit changes the text and keeps who read it', async () => {
    const [admin, ann] = [await anAdmin(), await aUser()]
    const sent = await admin.create({ ...text, user_ids: [ann.id] })
    await ann.read(sent.id)
    clock.jump(60_000)
    const edited = await admin.edit(sent.id, { ...sent, title: ' Later ', content: '<b>Monday</b>', format: 'html' })
    expect(edited).toMatchObject({ title: 'Later', format: 'html', updated_at: seconds + 60, created_at: seconds })
    expect(edited.stats.read_count).toBe(1)
    expect(await ann.one(sent.id)).toMatchObject({ title: 'Later', content: '<b>Monday</b>', is_read: true })
    expect((await admin.edit(sent.id, { title: 'x', content: 'y' })).format).toBe('html')
    expect(await outcomeOf(admin.edit(sent.id, { title: ' ', content: 'y' }))).toBe('message.title')
    expect(await outcomeOf(admin.edit(sent.id + 1, text))).toBe('message.none')
  })

  once('a deleted message is gone with its receipts, also for those who have it open', async () => {
    const [admin, ann] = [await anAdmin(), await aUser()]
    const one = await admin.create({ ...text, user_ids: [ann.id] })
    const all = await admin.create({ ...text, audience: { kind: 'all' } })
    await ann.read(all.id)
    for (const { id } of [one, all]) await admin.remove(id)
    expect([await ann.unread(), await ann.inbox(), (await admin.list()).total]).toEqual([0, [], 0])
    expect(await outcomeOf(ann.read(one.id))).toBe('message.not_yours')
    expect(await outcomeOf(admin.remove(one.id))).toBe('message.none')
    expect(await outcomeOf(admin.get(all.id))).toBe('message.none')
    expect(await query().selectFrom('message_receipts').selectAll().execute()).toEqual([])
    expect(await query().selectFrom('messages').selectAll().execute()).toEqual([])
  })

  once('what cannot be sent is refused with the reason, and nothing is sent', async () => {
    const [admin, ann] = [await anAdmin(), await aUser()]
    const closed = await aUser()
    await query().updateTable('users').set({ deleted_at: 1 }).where('id', '=', closed.id).execute()
    expect(await admin.createError({})).toBe('message.recipients')
    expect(await admin.createError({ user_ids: [] })).toBe('message.recipients')
    expect(await admin.createError({ user_ids: [ann.id], audience: { kind: 'all' } })).toBe('message.recipients_twice')
    expect(await admin.createError({ user_ids: [ann.id], title: ' ' })).toBe('message.title')
    expect(await admin.createError({ user_ids: [ann.id], content: '' })).toBe('message.content')
    expect(await admin.createError({ user_ids: [ann.id], format: 'text' })).toBe('message.format')
    expect(await admin.createError({ user_ids: [ann.id], title: 'x'.repeat(256) })).toBe('input.invalid')
    expect(await admin.createError({ user_ids: [ann.id], send_mail: true })).toBe('message.mail_off')
    const refused = admin.create({ ...text, user_ids: [ann.id, closed.id, 999_999] })
    expect(await refused.catch((error: Error) => error.message)).toContain(`${closed.id}, 999999`)
    expect((await admin.list()).total).toBe(0)
    expect(await admin.createError({ user_ids: [ann.id], format: '' })).toBe('ok')
  })

  test('messages are found by their words and by the days on which they were sent', async () => {
    const [admin, ann] = [await anAdmin(), await aUser()]
    await setOptionsIn(world.ctx, { SiteTimeZone: 'Asia/Shanghai' })
    const send = (title: string, at: string) => {
      clock.moveTo(Date.parse(at))
      return admin.create({ title, content: `about ${title} 100%`, user_ids: [ann.id] })
    }
    await send('Monday', '2026-03-02T15:59:59Z')
    await send('Tuesday', '2026-03-02T16:00:00Z')
    await send('Wednesday', '2026-03-04T00:00:00Z')
    const titles = async (filter: object) => (await admin.search(filter)).items.map(({ title }) => title)
    expect(await titles({ keyword: 'ABOUT t' })).toEqual(['Tuesday'])
    expect(await titles({ keyword: '100_' })).toEqual([])
    expect((await admin.list({ keyword: 'mon' })).total).toBe(1)
    expect(await titles({ start_date: '2026-03-03', end_date: '2026-03-03' })).toEqual(['Tuesday'])
    const times = { start_date: '2026-03-02T15:59:59.000Z', end_date: '2026-03-03T00:00:00+08:00' }
    expect(await titles(times)).toEqual(['Tuesday', 'Monday'])
    // Half a range is ignored.
    expect(await titles({ start_date: '2026-03-04' })).toHaveLength(3)
    for (const end of ['2026-02-30', 'tomorrow', '2026-03-01T25:00', '9999-12-31', '0545-12-01']) {
      expect(await outcomeOf(admin.search({ start_date: '2026-03-01', end_date: end }))).toBe('message.date')
    }
  })

  test('success and refusal are worded in the reader’s language', async () => {
    const [admin, ann] = [await anAdmin(), await aUser()]
    const readMessage = async (language: string, method: string, path: string, as = admin.as, body?: object) => {
      const response = await site.send(method, path, { as, body, headers: { 'Accept-Language': language } })
      return ((await response.json()) as { message: string }).message
    }
    const body = { ...text, user_ids: [ann.id] }
    expect(await readMessage('en', 'POST', '/api/admin/messages', admin.as, body)).toBe(
      'Message created and sent successfully',
    )
    expect(await readMessage('zh', 'POST', '/api/admin/messages', admin.as, body)).toBe('消息创建并发送成功')
    const [{ id } = { id: 0 }] = await ann.inbox()
    expect(await readMessage('en', 'PUT', `/api/user/messages/${id}/read`, ann.as)).toBe('Message marked as read')
    expect(await readMessage('en', 'PUT', '/api/user/messages/0/read', ann.as)).toBe('Invalid message ID')
    expect(await readMessage('zh', 'GET', '/api/user/messages/999', ann.as)).toBe('消息不存在，或您无权查看')
    expect(await readMessage('en', 'PUT', `/api/admin/messages/${id}`, admin.as, text)).toBe(
      'Message updated successfully',
    )
    expect(await readMessage('zh', 'DELETE', `/api/admin/messages/${id}`)).toBe('消息删除成功')
    expect(await readMessage('en', 'GET', `/api/admin/messages/${id}`)).toBe('Message not found')
  })

  once('a closed account is still counted among the recipients, and its notifications are gone', async () => {
    const [admin, ann] = [await anAdmin(), await aUser()]
    const sent = await admin.create({ ...text, user_ids: [ann.id] })
    await ann.client.call(accountRoutes.deleteSelf)
    expect((await admin.get(sent.id)).stats.total_recipients).toBe(1)
    expect(await admin.recipients(sent.id)).toMatchObject([{ user_id: ann.id }])
  })

  once('every write leaves a row in the audit log with the text, and reading leaves none', async () => {
    const [admin, ann] = [await anAdmin(), await aUser()]
    const { id } = await admin.create({ ...text, user_ids: [ann.id] })
    await ann.read(id)
    await admin.edit(id, { ...text, title: 'Later' })
    await admin.remove(id)
    const rows = await query().selectFrom('audit_log').selectAll().orderBy('id').execute()
    expect(rows.map((row) => [row.action, row.target_id, row.target_name])).toEqual([
      ['message.create', String(id), 'Maintenance'],
      ['message.update', String(id), 'Later'],
      ['message.delete', String(id), 'Later'],
    ])
    expect(JSON.parse(rows[0]?.after ?? '')).toMatchObject({ title: 'Maintenance', recipients: 1 })
    expect([rows[1]?.before, rows[1]?.after]).toEqual(['{"title":"Maintenance"}', '{"title":"Later"}'])
  })
})
