import { channelStatus, optionRoutes, role } from '@tollgate/contract'
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { createChannelWorld } from '../../../test/channel-world'
import { anAccount, createTestConsole } from '../../../test/console-client'
import { WallClock } from '../../../test/fake-time'
import { kinds, onceOf } from '../../../test/kinds'
import { aMailServer, sendMailsBy } from '../../../test/mail-server'
import { setOptionsIn } from '../../../test/options'
import { disableChannel, enableChannel } from '../../channels/channel-status'
import { reportEventAlone } from '../../platform/telemetry/events/report-event'
import { optionHandlers } from '../../console-api/options/options'
import { sendMails } from '../mail/send-mails'
import { countUnread, findInbox } from '../messages/inbox'
import { notificationText } from '../../console-api/messages/inbox'
import { deliverWebhooks } from './deliver-webhooks'
import { notifyOperators } from './notify-operators'

setDefaultTimeout(120_000)

interface Received {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

const { signal } = new AbortController()
const hour = 3_600_000

describe.each(kinds)('events to operators (%s)', (kind) => {
  const once = onceOf(kind)

  let world: Awaited<ReturnType<typeof createChannelWorld>>
  let clock: WallClock
  let received: Received[]
  let respond: (url: string) => Response
  let receivers: ReturnType<typeof Bun.serve>

  beforeEach(async () => {
    clock = new WallClock(Date.parse('2026-03-01T12:00:00Z'))
    world = await createChannelWorld(kind, { clock })
    received = []
    respond = () => new Response('ok')
    // Stands for every address of the internet.
    receivers = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      async fetch(request) {
        const delivery = (await request.json()) as Received
        received.push(delivery)
        return respond(delivery.url)
      },
    })
    await setOptionsIn(world.ctx, {
      WorkerUrl: receivers.url.href.replace(/\/$/, ''),
      EventWebhookUrl: 'https://ops.invalid/in',
      EventWebhookSecret: 'fake-secret',
      EventLanguage: 'en',
    })
  })
  afterEach(async () => {
    await receivers.stop(true)
    await world[Symbol.asyncDispose]()
  })

  const query = () => world.ctx.database.query
  const notifyAndDeliver = async () => {
    await notifyOperators(world.ctx, signal)
    await deliverWebhooks(world.ctx, signal)
  }
  const failedJob = (name: string, reason = 'no room') =>
    reportEventAlone(world.ctx, { kind: 'job-failed', subject: name, facts: { name, reason } })
  const inboxOf = async (userId: number) => {
    const { rows } = await findInbox(query(), userId, { page: 1, size: 50, offset: 0 })
    return Promise.all(rows.map(async (row) => (await notificationText(world.ctx, row, 'en')).title))
  }
  const titles = () => received.map(({ body }) => body['title'])

  test('a channel that the gateway disables and enables again is reported to administrators who may read channels', async () => {
    const root = await anAccount(world.ctx, { role: role.root })
    const admin = await anAccount(world.ctx, { role: role.admin })
    const finance = await anAccount(world.ctx, { role: role.admin })
    await query().updateTable('users').set({ grants: 'orders.read' }).where('id', '=', finance.id).execute()
    const user = await anAccount(world.ctx)
    const { id } = await world.aChannel({ name: 'East' })
    expect(await disableChannel(world.ctx, id, { reason: 'HTTP 401' })).toBe('channel')
    await notifyAndDeliver()
    expect(await enableChannel(world.ctx, id)).toBe(true)
    await notifyAndDeliver()
    const both = ['Tollgate: channel East works again', 'Tollgate: channel East was disabled']
    expect(await inboxOf(root.id)).toEqual(both)
    expect(await inboxOf(admin.id)).toEqual(both)
    expect([await countUnread(query(), finance.id), await countUnread(query(), user.id)]).toEqual([0, 0])
    expect(received.map(({ url, body }) => [url, body['type']])).toEqual([
      ['https://ops.invalid/in', 'channel-disabled'],
      ['https://ops.invalid/in', 'channel-enabled'],
    ])
    expect(received[0]?.body).toMatchObject({
      content: expect.stringContaining('because it failed: HTTP 401'),
      facts: { name: 'East', reason: 'HTTP 401' },
      count: 1,
      timestamp: clock.seconds(),
    })
    expect(Object.keys(received[0]?.headers ?? {})).toContain('Webhook-Signature')
  })

  once('a channel that cannot be disabled leaves no event', async () => {
    const { id } = await world.aChannel({ name: 'East' })
    await world.ask('PUT', '/api/channel/', { id, status: channelStatus.disabled })
    expect(await disableChannel(world.ctx, id, { reason: 'HTTP 401' })).toBeNull()
    expect(await query().selectFrom('operator_events').selectAll().execute()).toEqual([])
  })

  once('an event goes only where the options say', async () => {
    const root = await anAccount(world.ctx, { role: role.root })
    await setOptionsIn(world.ctx, { EventJobFailed: 'inbox' })
    await failedJob('sweep')
    await notifyAndDeliver()
    expect([await countUnread(query(), root.id), received.length]).toEqual([1, 0])
    await setOptionsIn(world.ctx, { EventJobFailed: '' })
    await failedJob('fold')
    await notifyAndDeliver()
    expect([await countUnread(query(), root.id), received.length]).toEqual([1, 0])
  })

  once.each([
    ['EventChannelDisabled', 'channel-disabled'],
    ['EventChannelDisabled', 'key-disabled'],
    ['EventChannelEnabled', 'channel-enabled'],
    ['EventVendorBalanceLow', 'vendor-balance-low'],
    ['EventJobFailed', 'job-failed'],
    ['EventBackupFailed', 'backup-failed'],
    ['EventDiskLow', 'disk-low'],
    ['EventNodeNotReady', 'node-not-ready'],
    ['EventChargesSetAside', 'charges-set-aside'],
    ['EventPaymentDisputed', 'payment-disputed'],
    ['EventPaymentDisputed', 'refund-uncertain'],
    ['EventUnusualSpending', 'unusual-spending'],
    ['EventLimitNear', 'limit-near'],
    ['EventLowMargin', 'low-margin'],
  ] as const)('%s decides where %s is reported', async (option, event) => {
    const margin = { sold: '$3', cost: '$4', margin: '-33 %', floor: '0 %' }
    const facts = {
      name: 'East',
      reason: 'no room',
      amount: '1 MB',
      limit: '2 MB',
      spent: '$2',
      usual: '$1',
      ...margin,
    }
    await setOptionsIn(world.ctx, { [option]: 'inbox,mail' })
    await reportEventAlone(world.ctx, { kind: event, subject: '1', facts })
    await notifyAndDeliver()
    expect(received).toEqual([])
    await setOptionsIn(world.ctx, { [option]: 'webhook' })
    await reportEventAlone(world.ctx, { kind: event, subject: '2', facts })
    await notifyAndDeliver()
    expect(received.map(({ body }) => body['type'])).toEqual([event])
    expect(JSON.stringify([received[0]?.body['title'], received[0]?.body['content']])).not.toMatch(/[{}]|undefined|  /)
  })

  once(
    'mails go to the addresses of the site, otherwise to those of the administrators in their language',
    async () => {
      await using server = await aMailServer()
      await sendMailsBy(world.ctx, server, {})
      await anAccount(world.ctx, { role: role.root, email: 'root@example.com' })
      await failedJob('sweep')
      await notifyAndDeliver()
      await sendMails(world.ctx, signal)
      await setOptionsIn(world.ctx, { EventMailAddresses: 'ops@example.com\nnight@example.com', EventLanguage: 'en' })
      await failedJob('fold')
      await notifyAndDeliver()
      await sendMails(world.ctx, signal)
      const isChinese = new Map(server.received.map(({ to, text }) => [to[0], /\p{Script=Han}/u.test(text)]))
      expect(Object.fromEntries(isChinese)).toEqual({
        'night@example.com': false,
        'ops@example.com': false,
        'root@example.com': true,
      })
    },
  )

  once('repetitions within the pause are counted and reported at its end', async () => {
    await failedJob('sweep')
    await notifyAndDeliver()
    clock.jump(hour)
    await failedJob('sweep')
    await failedJob('sweep', 'still no room')
    await notifyAndDeliver()
    expect(received).toHaveLength(1)
    clock.jump(5 * hour)
    await notifyAndDeliver()
    await notifyAndDeliver()
    expect(received).toHaveLength(2)
    expect(received[1]?.body).toMatchObject({
      content: expect.stringMatching(/still no room.*\n.*happened 2 times since 2026-03-01 13:00 UTC/),
      count: 2,
    })
    // After a pause without any it is reported at once again.
    clock.jump(7 * hour)
    await failedJob('sweep')
    await notifyAndDeliver()
    expect(received).toHaveLength(3)
  })

  once('many events of a kind are reported together, but for the first of them', async () => {
    for (let channel = 1; channel <= 40; channel += 1) {
      const name = `Channel ${channel}`
      await reportEventAlone(world.ctx, { kind: 'channel-disabled', subject: String(channel), facts: { name } })
      await notifyAndDeliver()
    }
    await failedJob('sweep')
    await notifyAndDeliver()
    expect(received).toHaveLength(6)
    expect(titles().at(-1)).toBe('Tollgate: the periodic job sweep failed')
    clock.jump(600_000)
    await notifyAndDeliver()
    expect(received).toHaveLength(7)
    expect(received[6]?.body).toMatchObject({ others: { count: 34 } })
    expect(String(received[6]?.body['content'])).toContain('The same happened to 34 more: Channel ')
  })

  test('an event is delivered although the process ends after the report, the notification or the attempt', async () => {
    await failedJob('sweep')
    // Another process does each step.
    await notifyOperators(world.ctx, signal)
    await notifyOperators(world.ctx, signal)
    expect(await query().selectFrom('webhook_deliveries').select('type').execute()).toEqual([{ type: 'job-failed' }])
    respond = () => new Response('', { status: 503 })
    await deliverWebhooks(world.ctx, signal)
    respond = () => new Response('ok')
    clock.jump(15_000)
    await deliverWebhooks(world.ctx, signal)
    expect(received).toHaveLength(2)
    expect(new Set(received.map(({ headers }) => headers['Webhook-Id'])).size).toBe(1)
  })

  test('an event is reported once by several workers at a time, and one that repeats meanwhile is not lost', async () => {
    await failedJob('sweep')
    await Promise.all(Array.from({ length: 5 }, () => notifyOperators(world.ctx, signal)))
    await notifyAndDeliver()
    expect(received).toHaveLength(1)
    await failedJob('fold')
    // It happens again after the events were read, and before they are marked.
    let isFirst = true
    const repeated = query().withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (isFirst) {
          isFirst = false
          await failedJob('fold')
        }
        return result
      },
    })
    await notifyOperators({ ...world.ctx, database: { ...world.ctx.database, query: repeated } }, signal)
    await notifyAndDeliver()
    expect(received.map(({ body }) => body['count'])).toEqual([1, 2])
  })

  test('a target that responds with 200 and an error is tried again', async () => {
    await setOptionsIn(world.ctx, {
      EventWebhookUrl: '',
      EventDingTalkUrl: 'https://ding.invalid/robot/send?access_token=hidden',
      EventDingTalkSecret: 'SEC',
      EventFeishuUrl: 'https://feishu.invalid/hook/hidden',
      EventFeishuSecret: 'SEC',
    })
    respond = () => Response.json({ errcode: 310_000, code: 0 })
    await failedJob('sweep')
    await notifyAndDeliver()
    const rows = await query()
      .selectFrom('webhook_deliveries')
      .select(['url', 'body', 'delivered_at', 'due_at'])
      .orderBy('url')
      .execute()
    expect(rows.map(({ url, delivered_at: at, due_at: due }) => [url, at !== null, due !== null])).toEqual([
      ['operator:dingtalk', false, true],
      ['operator:feishu', true, false],
    ])
    // The addresses are secrets, and are stored only as such.
    expect(JSON.stringify(rows)).not.toContain('hidden')
    respond = () => Response.json({ errcode: 0 })
    clock.jump(15_000)
    await notifyAndDeliver()
    expect(received).toHaveLength(3)
  })

  once('an event for a target that was removed since is given up', async () => {
    await failedJob('sweep')
    await notifyOperators(world.ctx, signal)
    await setOptionsIn(world.ctx, { EventWebhookUrl: '' })
    await deliverWebhooks(world.ctx, signal)
    expect(received).toEqual([])
    const rows = await query().selectFrom('webhook_deliveries').select(['due_at', 'failure']).execute()
    expect(rows).toEqual([{ due_at: null, failure: 'address' }])
  })

  once('the test of the settings page sends to every place and says what became of each', async () => {
    await using server = await aMailServer()
    await sendMailsBy(world.ctx, server, {})
    await setOptionsIn(world.ctx, {
      EventMailAddresses: 'ops@example.com',
      EventSlackUrl: 'https://slack.invalid/x',
      EventWeComUrl: 'https://wecom.invalid/x',
      EventTelegramToken: '12:ab',
      EventTelegramChat: '-100',
      EventDiscordUrl: 'https://discord.invalid/x',
    })
    respond = (url) => {
      if (url.includes('wecom')) return Response.json({ errcode: 93_000, errmsg: 'invalid webhook url' })
      return url.includes('slack') ? new Response('no_service', { status: 404 }) : Response.json({ ok: true })
    }
    const site = createTestConsole(world.ctx, optionHandlers)
    const root = await anAccount(world.ctx, { role: role.root })
    const results = await site.client(await site.signIn(root.id)).call(optionRoutes.testEvents)
    expect(results.map(({ target, to, outcome, detail }) => [target, to, outcome, detail])).toEqual([
      ['inbox', '', 'sent', ''],
      ['mail', 'ops@example.com', 'sent', ''],
      ['json', '', 'sent', ''],
      ['slack', '', 'refused', 'HTTP 404 no_service'],
      ['wecom', '', 'refused', 'HTTP 200 {"errcode":93000,"errmsg":"invalid webhook url"}'],
      ['telegram', '', 'sent', ''],
      ['discord', '', 'sent', ''],
    ])
    expect(await inboxOf(root.id)).toEqual(['A test of the events of Tollgate'])
    expect(server.received.map(({ to }) => to[0])).toEqual(['ops@example.com'])
    expect(received).toHaveLength(5)
  })
})
