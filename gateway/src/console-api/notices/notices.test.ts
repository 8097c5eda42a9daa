import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createHmac } from 'node:crypto'

import { ApiError, noticeRoutes, accountRoutes, type Client } from '@tollgate/contract'

import { anAccount, createTestConsole, type TestConsole } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { aMailServer, sendMailsBy } from '../../../test/mail-server'
import { setOptionsIn } from '../../../test/options'
import { spend } from '../../../test/spend'
import { createWorld, type World } from '../../../test/world'
import { sendMails } from '../../messaging/mail/send-mails'
import { deliverWebhooks } from '../../messaging/notices/deliver-webhooks'
import { queueWebhook } from '../../messaging/notices/webhooks'
import { notifyLowBalances } from '../../messaging/notices/watch-balances'
import { selfHandlers } from '../account/account'
import { noticeHandlers } from './notices'
import { WallClock } from '../../../test/fake-time'

setDefaultTimeout(120_000)

interface Received {
  readonly url: string
  readonly key: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

const { signal } = new AbortController()
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  )

describe.each(kinds)('notices (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let site: TestConsole
  let clock: WallClock
  let received: Received[]
  /** The responses of receivers by address; default: 200. */
  let responses: Map<string, () => Response | Promise<Response>>
  let receivers: ReturnType<typeof Bun.serve>

  beforeEach(async () => {
    clock = new WallClock(Date.parse('2026-03-01T12:00:00Z'))
    received = []
    responses = new Map()
    world = await createWorld({ kind, clock })
    site = createTestConsole(world.ctx, [...noticeHandlers, ...selfHandlers])
    // Through a worker, which stands for every address of the internet.
    receivers = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      async fetch(request) {
        const delivery = (await request.json()) as Received
        received.push(delivery)
        return responses.get(delivery.url)?.() ?? new Response('thanks')
      },
    })
    await setOptionsIn(world.ctx, { WorkerUrl: receivers.url.href.replace(/\/$/, ''), QuotaRemindThreshold: '1000' })
  })
  afterEach(async () => {
    await receivers.stop(true)
    await world[Symbol.asyncDispose]()
  })

  const hook = 'https://hook.invalid/in'
  const aUser = async (quota: number, setting: object = {}) => {
    const { id } = await anAccount(world.ctx)
    await world.ctx.ledger.credit({ id: `given:${id}`, userId: id, kind: 'admin', amount: quota })
    const client = site.client(await site.signIn(id))
    await client.call(accountRoutes.updateSetting, { body: setting })
    return {
      id,
      client,
      spend: (cost: number) => spend(world.ctx, { userId: id, tokenId: 0, isTokenLimited: false }, cost),
    }
  }
  const notifyAndDeliver = async () => {
    await world.ctx.ledger.waitUntilApplied()
    await notifyLowBalances(world.ctx)
    await deliverWebhooks(world.ctx, signal)
  }
  const deliveriesOf = async (client: Client) => (await client.call(noticeRoutes.listDeliveries)).items

  once(
    'a balance that falls below the threshold is reported once, signed, and again when it rose and fell',
    async () => {
      const user = await aUser(10_000, {
        notify_type: 'webhook',
        webhook_url: hook,
        webhook_secret: 'fake-secret',
        quota_warning_threshold: 5000,
        language: 'en',
      })
      await user.spend(4000)
      await notifyAndDeliver()
      expect(received).toEqual([])
      await user.spend(2000)
      await notifyAndDeliver()
      await notifyAndDeliver()
      expect(received).toHaveLength(1)
      const [{ url, headers, body: sent }] = received as [Received]
      // The worker receives it as JSON and serializes it unchanged.
      const body = JSON.stringify(sent)
      const hmac = (text: string) => createHmac('sha256', 'fake-secret').update(text)
      expect([url, headers['X-Webhook-Signature']]).toEqual([hook, hmac(body).digest('hex')])
      const { 'Webhook-Id': id, 'Webhook-Timestamp': time } = headers
      expect(headers['Webhook-Signature']).toBe(`v1,${hmac(`${id}.${time}.${body}`).digest('base64')}`)
      expect([id, Number(time)]).toEqual([headers['X-Webhook-Id'], world.ctx.clock.seconds()])
      expect(sent).toEqual({
        type: 'quota_exceed',
        title: 'Your balance is low',
        content: 'Your balance is $0.0080, which is less than $0.0100.',
        values: [],
        timestamp: clock.seconds(),
      })
      // It rises and falls again, but two hours are not over.
      await world.ctx.ledger.credit({ id: 'more', userId: user.id, kind: 'admin', amount: 10_000 })
      await notifyAndDeliver()
      await user.spend(12_000)
      await notifyAndDeliver()
      expect(received).toHaveLength(1)
      // Then it is reported, though nothing more was spent.
      clock.jump(2 * 3600 * 1000)
      await notifyAndDeliver()
      await notifyAndDeliver()
      expect(received).toHaveLength(2)
      // Between two runs.
      clock.jump(2 * 3600 * 1000)
      await world.ctx.ledger.credit({ id: 'much', userId: user.id, kind: 'admin', amount: 10_000 })
      await user.spend(9000)
      await notifyAndDeliver()
      expect(received).toHaveLength(3)
    },
  )

  once(
    'a balance that stays low is not reported again because of credits, but with another threshold it is',
    async () => {
      const user = await aUser(10_000, { notify_type: 'webhook', webhook_url: hook, quota_warning_threshold: 5000 })
      await user.spend(8000)
      await notifyAndDeliver()
      clock.jump(3 * 3600 * 1000)
      await world.ctx.ledger.credit({ id: 'little', userId: user.id, kind: 'admin', amount: 500 })
      await user.spend(100)
      await notifyAndDeliver()
      expect(received).toHaveLength(1)
      await user.client.call(accountRoutes.updateSetting, { body: { quota_warning_threshold: 4000 } })
      await notifyAndDeliver()
      expect(received).toHaveLength(2)
    },
  )

  once(
    'a user without a threshold is notified below that of the site, by mail to the account or another address',
    async () => {
      await using server = await aMailServer()
      await sendMailsBy(world.ctx, server, {})
      const [plain, other, silent] = [
        await aUser(2000),
        await aUser(2000, { notification_email: 'b@example.com' }),
        await aUser(2000),
      ]
      await world.ctx.database.query
        .updateTable('users')
        .set({ email: 'a@example.com' })
        .where('id', '=', plain.id)
        .execute()
      for (const user of [plain, other, silent]) await user.spend(1500)
      await notifyAndDeliver()
      await sendMails(world.ctx, signal)
      expect(new Set(server.received.map(({ to }) => to[0]))).toEqual(new Set(['a@example.com', 'b@example.com']))
      expect(server.received[0]?.text).toContain('$0.0010')
      expect(received).toEqual([])
    },
  )

  once('the signature matches a known vector', () => {
    const body = '{"type":"quota_exceed","title":"t","content":"c","values":[],"timestamp":1700000000}'
    expect(createHmac('sha256', 'whsec').update(body).digest('hex')).toBe(
      'a8725a53f21f9a4ff4625f98747acddd71fde8425daf222988fd329157ec263a',
    )
  })

  once('a test is sent where notices go, and its delivery is listed with the response', async () => {
    const user = await aUser(0, { notify_type: 'webhook', webhook_url: hook })
    expect(await user.client.call(noticeRoutes.sendTest)).toEqual({ type: 'webhook', to: hook })
    await deliverWebhooks(world.ctx, signal)
    expect(await deliveriesOf(user.client)).toMatchObject([
      { type: 'test', url: hook, attempts: 1, status: 200, response: 'thanks', failure: '', due_at: null },
    ])
    expect(received[0]?.headers).not.toContainKey('X-Webhook-Signature')
    const stranger = await aUser(0)
    expect(await deliveriesOf(stranger.client)).toEqual([])
    expect(await failureOf(stranger.client.call(noticeRoutes.sendTest))).toBe('notice.no_mail')
  })

  once('the worker is called with the configured key', async () => {
    await setOptionsIn(world.ctx, { WorkerValidKey: 'fake-worker-key' })
    const user = await aUser(0, { notify_type: 'webhook', webhook_url: hook })
    await user.client.call(noticeRoutes.sendTest)
    await deliverWebhooks(world.ctx, signal)
    expect(received.map(({ key }) => key)).toEqual(['fake-worker-key'])
  })

  once('a refused delivery is retried later, and by hand to the current address', async () => {
    const user = await aUser(0, { notify_type: 'webhook', webhook_url: hook })
    responses.set(hook, () => new Response('broken', { status: 500 }))
    await user.client.call(noticeRoutes.sendTest)
    await deliverWebhooks(world.ctx, signal)
    await deliverWebhooks(world.ctx, signal)
    expect(received).toHaveLength(1)
    const [failed] = await deliveriesOf(user.client)
    expect(failed).toMatchObject({ attempts: 1, status: 500, response: 'broken', due_at: clock.seconds() + 15 })
    clock.jump(15_000)
    await deliverWebhooks(world.ctx, signal)
    expect((await deliveriesOf(user.client))[0]).toMatchObject({ attempts: 2, due_at: clock.seconds() + 30 })
    const better = 'https://better.invalid/in'
    await user.client.call(accountRoutes.updateSetting, { body: { webhook_url: better } })
    const params = { id: failed?.id ?? '' }
    await user.client.call(noticeRoutes.redeliver, { params })
    await deliverWebhooks(world.ctx, signal)
    expect((await deliveriesOf(user.client))[0]).toMatchObject({ url: better, attempts: 3, status: 200, due_at: null })
    expect(new Set(received.map(({ headers }) => headers['X-Webhook-Id']))).toEqual(new Set([failed?.id]))
    const stranger = await aUser(0, { notify_type: 'webhook', webhook_url: hook })
    expect(await failureOf(stranger.client.call(noticeRoutes.redeliver, { params }))).toBe('notice.no_delivery')
  })

  once.each([
    ['before its response', ''],
    ['in the middle of it', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'],
  ])(
    'a receiver that resets the connection %s is called once, and again later with the same id',
    async (_when, sent) => {
      const user = await aUser(0, { notify_type: 'webhook', webhook_url: hook })
      const calls: string[] = []
      const resetting = Bun.listen<{ text: string }>({
        hostname: '127.0.0.1',
        port: 0,
        socket: {
          open: (socket) => void (socket.data = { text: '' }),
          data(socket, bytes) {
            socket.data.text += bytes.toString()
            const [head = '', body = ''] = socket.data.text.split('\r\n\r\n')
            if (body.length < Number(/content-length: (\d+)/i.exec(head)?.[1])) return
            calls.push(body)
            socket.write(sent)
            socket.flush()
            socket.terminate()
          },
        },
      })
      await setOptionsIn(world.ctx, { WorkerUrl: `http://127.0.0.1:${resetting.port}` })
      await user.client.call(noticeRoutes.sendTest)
      await deliverWebhooks(world.ctx, signal)
      await deliverWebhooks(world.ctx, signal)
      resetting.stop(true)
      const [failed] = await deliveriesOf(user.client)
      expect([calls.length, failed]).toMatchObject([
        1,
        { attempts: 1, status: null, failure: 'unreachable', due_at: clock.seconds() + 15 },
      ])
      await setOptionsIn(world.ctx, { WorkerUrl: receivers.url.href.replace(/\/$/, '') })
      clock.jump(15_000)
      await deliverWebhooks(world.ctx, signal)
      expect((await deliveriesOf(user.client))[0]).toMatchObject({ attempts: 2, status: 200, due_at: null })
      expect(received.map(({ headers }) => headers['X-Webhook-Id'])).toEqual([failed?.id])
      expect(calls[0]).toContain(failed?.id)
    },
  )

  test('the end of a task is delivered again to the address that the task named', async () => {
    const user = await aUser(0, { notify_type: 'webhook', webhook_url: hook })
    const url = 'https://app.invalid/tasks'
    await world.ctx.database.query
      .transaction()
      .execute((transaction) =>
        queueWebhook(world.ctx, { userId: user.id, url, notice: { type: 'task' } }, transaction),
      )
    await deliverWebhooks(world.ctx, signal)
    const [delivery] = await deliveriesOf(user.client)
    await user.client.call(noticeRoutes.redeliver, { params: { id: delivery?.id ?? '' } })
    await deliverWebhooks(world.ctx, signal)
    expect(received.map((one) => one.url)).toEqual([url, url])
  })

  once('a delivery is given up after a day, at 410, and at once for a forbidden address', async () => {
    const user = await aUser(0, { notify_type: 'webhook', webhook_url: hook })
    responses.set(hook, () => new Response('', { status: 503 }))
    await user.client.call(noticeRoutes.sendTest)
    for (let hours = 0; hours < 26; hours += 1) {
      await deliverWebhooks(world.ctx, signal)
      clock.jump(3600 * 1000)
    }
    const [tired] = await deliveriesOf(user.client)
    expect(tired).toMatchObject({ status: 503, due_at: null, delivered_at: null })
    await user.client.call(accountRoutes.updateSetting, { body: { webhook_url: 'https://10.0.0.1/in' } })
    await user.client.call(noticeRoutes.sendTest)
    await deliverWebhooks(world.ctx, signal)
    expect((await deliveriesOf(user.client))[0]).toMatchObject({ attempts: 1, failure: 'address', due_at: null })
    responses.set(hook, () => new Response('', { status: 410 }))
    await user.client.call(accountRoutes.updateSetting, { body: { webhook_url: hook } })
    clock.jump(1000)
    await user.client.call(noticeRoutes.sendTest)
    await deliverWebhooks(world.ctx, signal)
    expect((await deliveriesOf(user.client))[0]).toMatchObject({ attempts: 1, status: 410, due_at: null })
  })

  once(
    'a webhook whose secret cannot be read is tried again later and given up like others, and holds up none of them',
    async () => {
      const unreadable = await aUser(0, { notify_type: 'webhook', webhook_url: hook })
      const other = await aUser(0, { notify_type: 'webhook', webhook_url: 'https://other.invalid/in' })
      await world.ctx.database.query
        .updateTable('users')
        .set({ webhook_secret_sealed: world.ctx.seal.seal('a secret', 'users.webhook_secret_sealed#0') })
        .where('id', '=', unreadable.id)
        .execute()
      await unreadable.client.call(noticeRoutes.sendTest)
      clock.jump(1000)
      await other.client.call(noticeRoutes.sendTest)
      await deliverWebhooks(world.ctx, signal)
      expect((await deliveriesOf(other.client))[0]).toMatchObject({ status: 200, due_at: null })
      const [first] = await deliveriesOf(unreadable.client)
      expect(first).toMatchObject({ attempts: 1, failure: 'unreachable', due_at: world.ctx.clock.seconds() + 15 })
      for (let hours = 0; hours < 26; hours += 1) {
        clock.jump(3600 * 1000)
        await deliverWebhooks(world.ctx, signal)
      }
      expect((await deliveriesOf(unreadable.client))[0]).toMatchObject({ due_at: null, delivered_at: null })
    },
  )

  once('a slow receiver does not hold up others', async () => {
    const slow = Promise.withResolvers<void>()
    responses.set(hook, async () => {
      await slow.promise
      return new Response('late')
    })
    const slowUser = await aUser(0, { notify_type: 'webhook', webhook_url: hook })
    for (let sent = 0; sent < 3; sent += 1) await slowUser.client.call(noticeRoutes.sendTest)
    const quick = await aUser(0, { notify_type: 'webhook', webhook_url: 'https://quick.invalid/in' })
    await quick.client.call(noticeRoutes.sendTest)
    const delivering = deliverWebhooks(world.ctx, signal)
    while (received.length < 2) await new Promise((resolve) => setImmediate(resolve))
    expect(new Set(received.map(({ url }) => url))).toEqual(new Set([hook, 'https://quick.invalid/in']))
    slow.resolve()
    await delivering
    // The others of the same receiver came one after the other, or wait for the next run.
    await deliverWebhooks(world.ctx, signal)
    expect(received).toHaveLength(4)
  })

  once(
    'a slow receiver of a user holds up no other receiver of that user, of whom each has one delivery at a time',
    async () => {
      const slow = Promise.withResolvers<void>()
      const { id: userId } = await aUser(0)
      const url = (host: string, task: number) => `https://${host}.invalid/in?task=${task}`
      const queue = async (...urls: readonly string[]) => {
        for (const one of urls)
          await world.ctx.database.query
            .transaction()
            .execute((transaction) =>
              queueWebhook(world.ctx, { userId, url: one, notice: { type: 'task' } }, transaction),
            )
      }
      const tasks = [1, 2, 3, 4, 5, 6]
      for (const task of tasks)
        responses.set(url('slow', task), async () => {
          await slow.promise
          return new Response('late')
        })
      await queue(...tasks.map((task) => url('slow', task)))
      clock.jump(1000)
      await queue(...tasks.map((task) => url('quick', task)))
      const delivering = deliverWebhooks(world.ctx, signal)
      const countReceived = (host: string) => received.filter((one) => one.url.includes(host)).length
      while (countReceived('quick') < tasks.length) await new Promise((resolve) => setImmediate(resolve))
      expect(countReceived('slow')).toBe(1)
      slow.resolve()
      await delivering
      expect(received.map((one) => one.url).toSorted()).toEqual(
        tasks.flatMap((task) => [url('quick', task), url('slow', task)]).toSorted(),
      )
    },
  )

  test('a user with many slow receivers leaves room for the receivers of others', async () => {
    const slow = Promise.withResolvers<void>()
    const { id: userId } = await aUser(0)
    for (let host = 0; host < 30; host += 1) {
      const url = `https://slow-${host}.invalid/in`
      responses.set(url, async () => {
        await slow.promise
        return new Response('late')
      })
      await world.ctx.database.query
        .transaction()
        .execute((transaction) => queueWebhook(world.ctx, { userId, url, notice: { type: 'task' } }, transaction))
    }
    clock.jump(1000)
    const quick = await aUser(0, { notify_type: 'webhook', webhook_url: hook })
    await quick.client.call(noticeRoutes.sendTest)
    const delivering = deliverWebhooks(world.ctx, signal)
    while (!received.some(({ url }) => url === hook)) await new Promise((resolve) => setImmediate(resolve))
    expect(received.length).toBeLessThan(10)
    slow.resolve()
    await delivering
    expect(received).toHaveLength(31)
  })
})
