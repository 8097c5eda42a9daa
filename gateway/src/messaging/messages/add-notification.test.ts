import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { messageRoutes, role, accountRoutes } from '@tollgate/contract'

import { anAccount, createTestConsole, type TestConsole } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { setOptionsIn } from '../../../test/options'
import { recordQueries, wholeReads } from '../../../test/plans'
import { createWorld, type World } from '../../../test/world'
import { selfHandlers } from '../../console-api/account/account'
import { messageHandlers } from '../../console-api/messages/messages'
import { pruneMessages } from '../../app/jobs/prune'
import { notifyLowBalances } from '../notices/watch-balances'
import { countUnread, findInbox, markRead } from './inbox'
import { sendToAudience } from './send-message'
import { YieldingPace } from '../../platform/store/pace'
import { addNotification, notificationKinds, type NotificationKind } from './add-notification'
import { notificationText } from '../../console-api/messages/inbox'
import { WallClock } from '../../../test/fake-time'

setDefaultTimeout(120_000)

const { signal } = new AbortController()
const facts = {
  username: 'ann',
  ip: '192.0.2.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/143.0',
  at: 1_800_000_000,
  provider: 'github',
  balance: 5,
  threshold: 10,
  order: 'USR1*NO*[x](https://e.com)',
  amount: 'CNY 73.00',
  plan: 'Pro [x](https://e.com)',
  name: 'Daily [x](https://e.com)',
  percent: 80,
  used: 80,
  limit: 100,
  measure: 'tokens',
  resetsAt: 1_800_000_000,
  quota: 500_000,
  event: 'channel-disabled',
  facts: { name: 'East [x](https://e.com)', reason: 'HTTP 401' },
  since: 1_800_000_000,
  count: 2,
  others: { names: ['West'], count: 1 },
} as const

describe.each(kinds)('notifications of the gateway (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let site: TestConsole
  let clock: WallClock
  beforeEach(async () => {
    clock = new WallClock(1_800_000_000_000)
    world = await createWorld({ kind, clock })
    site = createTestConsole(world.ctx, [...messageHandlers, ...selfHandlers])
  })
  afterEach(() => world[Symbol.asyncDispose]())

  const query = () => world.ctx.database.query
  const notify = (userId: number, name: NotificationKind) =>
    query()
      .transaction()
      .execute((transaction) => addNotification(world.ctx, userId, { kind: name, params: facts }, transaction))
  const inboxOf = async (userId: number) => {
    const client = site.client(await site.signIn(userId))
    return (await client.call(messageRoutes.listInbox)).items
  }

  test('a notification is in the inbox of its user only, in the reader’s language, and not among messages of people', async () => {
    const [ann, bob] = [await anAccount(world.ctx), await anAccount(world.ctx, { role: role.admin })]
    await notify(ann.id, 'new-device')
    const [message] = await inboxOf(ann.id)
    expect(message).toMatchObject({ is_system: true, is_read: false, format: 'markdown' })
    expect(message?.title).toBe('New sign-in to your Tollgate account')
    expect(message?.content).toContain('](/app/me?tab=security)')
    const as = await site.signIn(ann.id)
    const zh = await site.send('GET', '/api/user/messages', { as, headers: { 'Accept-Language': 'zh' } })
    expect(await zh.text()).toContain('来自 192.0.2.7（Firefox · Linux）')
    expect(await inboxOf(bob.id)).toEqual([])
    const admin = site.client(await site.signIn(bob.id))
    expect((await admin.call(messageRoutes.listMessages)).total).toBe(0)
    const id = message?.id ?? 0
    const deletion = admin.call(messageRoutes.deleteMessage, { params: { id } })
    expect(await deletion.catch((error: Error) => error.message)).toBe('Message not found')
    expect(await query().selectFrom('messages').select('created_by').execute()).toEqual([{ created_by: 0 }])
  })

  test('a low balance is reported in the inbox also of users without an address', async () => {
    await setOptionsIn(world.ctx, { QuotaRemindThreshold: '1000' })
    const { id } = await anAccount(world.ctx, { quota: 500 })
    await query()
      .insertInto('rollups')
      .values({
        hour: clock.seconds(),
        user_id: id,
        token_name: '',
        model_name: 'm',
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
    await notifyLowBalances(world.ctx)
    await notifyLowBalances(world.ctx)
    expect((await inboxOf(id)).map(({ title }) => title)).toEqual(['Your Tollgate balance is low'])
  })

  test('a notification is removed with the account, and half a year later', async () => {
    const [ann, bob] = [await anAccount(world.ctx), await anAccount(world.ctx)]
    await notify(ann.id, 'low-balance')
    await notify(bob.id, 'low-balance')
    await site.client(await site.signIn(ann.id)).call(accountRoutes.deleteSelf)
    const readReceipts = () => query().selectFrom('message_receipts').select('user_id').execute()
    expect(await readReceipts()).toEqual([{ user_id: bob.id }])
    const prune = () => pruneMessages(world.ctx).run(signal)
    clock.jump(179 * 86_400_000)
    await prune()
    expect(await readReceipts()).toHaveLength(1)
    clock.jump(2 * 86_400_000)
    await notify(bob.id, 'low-balance')
    await prune()
    expect(await readReceipts()).toHaveLength(1)
    expect(await query().selectFrom('messages').select('created_at').execute()).toEqual([
      { created_at: clock.seconds() },
    ])
  })

  test('the inbox and the unread count use indexes', async () => {
    const { id } = await anAccount(world.ctx)
    await notify(id, 'low-balance')
    const written = { title: 't', content: 'c', format: 'markdown', created_by: 1, send_mail: false } as const
    const pace = new YieldingPace({ ...world.ctx, kind, calls: () => 0 })
    await sendToAudience(world.ctx, written, { kind: 'all' }, pace)
    const { query: recordingQuery, plans } = recordQueries(world.ctx.database)
    expect(await countUnread(recordingQuery, id)).toBe(2)
    await findInbox(recordingQuery, id, { page: 1, size: 10, offset: 0 })
    const tables = ['messages', 'message_receipts'] as const
    for (const plan of await plans()) {
      expect(tables.map((table) => wholeReads(plan, table))).toEqual([0, 0])
    }
    const [all] = await query().selectFrom('messages').select('id').where('audience', '=', 'all').execute()
    await markRead(world.ctx, id, all?.id ?? 0)
    expect(await countUnread(query(), id)).toBe(1)
  })

  once.each(notificationKinds.map((name) => [name] as const))(
    '%s is worded in both languages, and facts are no Markdown',
    async (name) => {
      for (const language of ['zh', 'en'] as const) {
        const row = { kind: name, params: JSON.stringify(facts) }
        const { title, content } = await notificationText(world.ctx, row, language)
        expect(`${title}${content}`).not.toMatch(/\{\w+\}|undefined/)
        expect(title).not.toBe(name)
        expect(content).not.toContain('[x](')
        expect(/\p{Script=Han}/u.test(title)).toBe(language === 'zh')
      }
    },
  )
})
