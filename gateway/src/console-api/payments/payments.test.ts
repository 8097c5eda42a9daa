import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { ApiError, logType, paymentRoutes } from '@tollgate/contract'

import { eventually } from '../../../test/eventually'
import { kinds, onceOf } from '../../../test/kinds'
import { booksOf } from '../../../test/ledger'
import {
  aPaymentSite,
  epayKey,
  notificationOf,
  notify,
  notifyByForm,
  type PaymentSite,
} from '../../../test/payment-site'
import { signV1 } from '../../billing/payments/epay/signatures'

setDefaultTimeout(120_000)

const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error: unknown) => (error instanceof ApiError ? `${error.code}: ${error.message}` : error),
  )

describe.each(kinds)('top-ups (%s)', (kind) => {
  const once = onceOf(kind)

  let world: PaymentSite
  beforeAll(async () => {
    world = await aPaymentSite(kind)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  once('payment calls have success or error as their message, and the failure as data', async () => {
    const user = await world.aUser()
    const as = await world.site.signIn(user.id)
    const send = async (path: string, body: object) =>
      (await world.site.send('POST', path, { as, body, headers: { 'Accept-Language': 'zh' } })).json()
    expect(await send('/api/user/amount', { amount: 10, top_up_code: '' })).toMatchObject({
      message: 'success',
      data: '73.00',
    })
    expect(await send('/api/user/amount', { amount: 0, top_up_code: '' })).toMatchObject({
      message: 'error',
      data: '充值数量不能小于 1',
    })
    expect(await send('/api/user/pay', { amount: '10', payment_method: 'wx', top_up_code: 'x' })).toMatchObject({
      message: 'success',
      data: { type: 'wxpay', money: '73.00' },
      url: 'https://pay.example/submit.php',
    })
    expect(await send('/api/user/pay', { amount: 10, payment_method: 'none' })).toMatchObject({
      message: 'error',
      data: '支付方式不可用',
    })
  })

  once('a payment begins as a signed form that names the order', async () => {
    const user = await world.aUser()
    const { fields, number, url } = await user.pay(10, 'zfb')
    expect(number).toMatch(new RegExp(`^USR${user.id}NO[A-Za-z0-9]{6}\\d{10}$`))
    expect(url).toBe('https://pay.example/submit.php')
    const { sign, sign_type: signType, ...signed } = fields
    expect(signed).toEqual({
      pid: '1001',
      type: 'alipay',
      out_trade_no: number,
      notify_url: 'https://gate.example/api/user/epay/notify',
      return_url: 'https://gate.example/app/wallet/topup-success',
      name: 'TUC10',
      money: '73.00',
      device: 'pc',
    })
    expect([sign, signType]).toEqual([signV1(signed, epayKey), 'MD5'])
    expect(await user.order(number)).toMatchObject({ status: 'pending', money: '73.00', currency: 'CNY' })
    expect(await user.free()).toBe(0)
    const again = await user.client.call(paymentRoutes.continueOrder, { body: { trade_no: number } })
    expect(again).toEqual(fields)
  })

  test('a notification credits the order once, however often and however it arrives', async () => {
    const user = await world.aUser()
    const { fields, number } = await user.pay()
    const sent = notificationOf(fields)
    expect(await notify(world, sent)).toBe('success')
    expect(await notify(world, sent)).toBe('success')
    expect(await notifyByForm(world, sent.toString())).toBe('success')
    expect(await booksOf(world.ctx.database, user.id)).toMatchObject({ free: 5_000_000, credited: 5_000_000 })
    expect(await user.order(number)).toMatchObject({ status: 'paid', quota: 5_000_000, can_continue: false })
    const [event, ...more] = await world.eventsOf(number)
    expect(event).toMatchObject({ kind: 'paid', outcome: 'applied', source: 'callback' })
    expect(event?.payload).toContain('"money":"73.00"')
    expect(event?.payload).not.toContain('"sign"')
    expect(more).toEqual([])
    const rows = world.ctx.database.query.selectFrom('logs').select(['type', 'content']).where('user_id', '=', user.id)
    const row = await eventually(() => rows.executeTakeFirst())
    expect(row).toMatchObject({ type: logType.topUp, content: expect.stringContaining('log.topped_up') })
    expect(await rows.execute()).toHaveLength(1)
    const acts = world.ctx.database.query.selectFrom('audit_log').select(['action', 'outcome', 'target_name'])
    const settled = await acts.where('action', '=', 'order.settle').where('target_name', '=', number).execute()
    expect(settled).toHaveLength(1)
  })

  once('a payment and its refund are each reported once to the inbox', async () => {
    const [user, admin] = [await world.aUser(), await world.anAdmin()]
    const { fields, number } = await user.pay()
    const sent = notificationOf(fields)
    await notify(world, sent)
    await notify(world, sent)
    const refund = { trade_no: number, amount: '7.30', is_paid_back: true }
    await admin.client.call(paymentRoutes.refundOrder, { body: refund })
    const notifications = await world.ctx.database.query
      .selectFrom('messages')
      .innerJoin('message_receipts', 'message_receipts.message_id', 'messages.id')
      .select(['kind', 'params'])
      .where('message_receipts.user_id', '=', user.id)
      .orderBy('messages.id')
      .execute()
    const facts = { order: number }
    expect(notifications.map(({ kind: what, params }) => [what, JSON.parse(params)])).toEqual([
      ['payment-received', { ...facts, amount: '73.00 CNY', quota: 5_000_000 }],
      ['payment-refunded', { ...facts, amount: '7.30 CNY', quota: 500_000 }],
    ])
  })

  once('a payer who comes back is led to the page that waits, and nothing is credited', async () => {
    const user = await world.aUser()
    const { fields, number } = await user.pay()
    const query = notificationOf(fields).toString()
    const back = await world.site.send('GET', `/api/user/epay/return?${query}`)
    expect([back.status, back.headers.get('location')]).toEqual([303, `/app/wallet/topup-success?trade_no=${number}`])
    const posted = await world.site.send('POST', '/api/user/epay/return', {
      body: query,
      headers: { Origin: 'https://pay.example', 'Sec-Fetch-Site': 'cross-site' },
    })
    expect([posted.status, posted.headers.get('location')]).toEqual([303, '/app/wallet/topup-success'])
    expect(await user.free()).toBe(0)
    expect(await user.order(number)).toMatchObject({ status: 'pending' })
  })

  once('a notification from another site’s page is settled by its signature alone', async () => {
    const user = await world.aUser()
    const { fields } = await user.pay()
    const response = await world.site.send('POST', '/api/user/epay/notify', {
      body: notificationOf(fields).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'cross-site' },
    })
    expect([response.status, await response.text()]).toEqual([200, 'success'])
    expect(response.headers.get('content-type')).toContain('text/plain')
  })

  once('a body beyond 64 KB is not read', async () => {
    const body = `param=${'x'.repeat(64 * 1024)}`
    expect(await notifyByForm(world, body)).toBe('fail')
  })

  once('an order is completed by hand once, with the right to do so, for users of a lower rank', async () => {
    const [user, admin, root] = [await world.aUser(), await world.anAdmin(), await world.aRoot()]
    const { number, fields } = await user.pay()
    const complete = (person: typeof admin, trade_no: string) =>
      refusalOf(person.client.call(paymentRoutes.completeOrder, { body: { trade_no } }))
    expect(await complete(user, number)).toStartWith('auth.forbidden')
    expect(await complete(admin, number)).toBe('ok')
    expect(await complete(admin, number)).toBe('ok')
    expect(await notify(world, notificationOf(fields))).toBe('success')
    expect(await user.free()).toBe(5_000_000)
    const seen = await admin.client.call(paymentRoutes.getOrder, { params: { trade_no: number } })
    expect(seen.order).toMatchObject({ status: 'paid', completed_by: admin.username, username: user.username })
    expect(seen.events.map(({ source, outcome }) => `${source} ${outcome}`)).toContain('operator applied')
    const own = await admin.pay()
    expect(await complete(admin, own.number)).toStartWith('auth.forbidden')
    expect(await complete(root, own.number)).toBe('ok')
    expect(await complete(root, 'USR1NOnothing')).toStartWith('order.none')
    const acts = world.ctx.database.query.selectFrom('audit_log').select(['user_id', 'after'])
    const [act] = await acts.where('action', '=', 'order.complete').where('target_name', '=', number).execute()
    expect(act).toMatchObject({ user_id: admin.id, after: expect.stringContaining('"status":"paid"') })
  })

  test('orders are found by number, status and user; users see their own', async () => {
    const [ann, bob, admin] = [await world.aUser(), await world.aUser(), await world.anAdmin()]
    const first = await ann.pay(1)
    await bob.pay(2)
    await notify(world, notificationOf(first.fields))
    const find = async (query: object) => {
      const { items } = await admin.client.call(paymentRoutes.listOrders, { query: { page_size: 100, ...query } })
      return items.filter(({ user_id: id }) => id === ann.id || id === bob.id).map(({ username }) => username)
    }
    expect(await find({})).toEqual([bob.username, ann.username])
    expect(await find({ keyword: first.number.slice(3) })).toEqual([ann.username])
    expect(await find({ keyword: `E${first.number}` })).toEqual([ann.username])
    expect(await find({ keyword: ann.username })).toContain(ann.username)
    expect(await find({ status: 'paid' })).toEqual([ann.username])
    expect(await find({ user_id: bob.id })).toEqual([bob.username])
    expect(await find({ provider: 'stripe' })).toEqual([])
    expect(await find({ has_problem: 'true' })).toEqual([])
    const own = await bob.client.call(paymentRoutes.listOwnOrders)
    expect(own.items.map(({ money }) => money)).toEqual(['14.60'])
    expect(await refusalOf(bob.client.call(paymentRoutes.listOrders))).toStartWith('auth.forbidden')
    const check = bob.client.call(paymentRoutes.checkOrder, { body: { trade_no: first.number } })
    expect(await refusalOf(check)).toStartWith('order.none')
  })

  test('orders are found by when they were created, and exported with the same filters', async () => {
    const [ann, bob, admin] = [await world.aUser(), await world.aUser(), await world.anAdmin()]
    world.passSeconds(1000)
    const early = await ann.pay(1)
    const middle = world.now() + 50
    world.passSeconds(100)
    const late = await ann.pay(2)
    const other = await bob.pay(3)
    await notify(world, notificationOf(late.fields))
    const own = async (query: object) =>
      (await ann.client.call(paymentRoutes.listOwnOrders, { query })).items.map(({ trade_no: number }) => number)
    expect(await own({})).toEqual([late.number, early.number])
    expect(await own({ start_timestamp: middle })).toEqual([late.number])
    expect(await own({ end_timestamp: middle })).toEqual([early.number])
    expect(await own({ status: 'paid' })).toEqual([late.number])
    expect(await own({ keyword: early.number.slice(3), status: 'paid' })).toEqual([])
    const all = await admin.client.call(paymentRoutes.listOrders, { query: { start_timestamp: middle } })
    expect(all.items.map(({ trade_no: number }) => number)).toEqual([other.number, late.number])
    const cellsOf = async (file: Promise<Response>) =>
      (await (await file).text())
        .replace('\ufeff', '')
        .trimEnd()
        .split('\r\n')
        .map((line) => line.split(','))
    const [head = [], ...rows] = await cellsOf(ann.client.download(paymentRoutes.exportOwnOrders))
    expect(head).toHaveLength(16)
    expect(head).not.toContain('Username')
    expect(rows.map(([number, , status, money, currency]) => [number, status, money, currency])).toEqual([
      [late.number, 'Paid', '14.60', 'CNY'],
      [early.number, 'Pending', '7.30', 'CNY'],
    ])
    const query = { start_timestamp: middle, keyword: ann.username }
    const [, ...found] = await cellsOf(admin.client.download(paymentRoutes.exportOrders, { query }))
    expect(found.map((cells) => [cells[0], cells[17], cells[18]])).toEqual([
      [late.number, ann.username, `E${late.number}`],
    ])
    expect(await refusalOf(ann.client.download(paymentRoutes.exportOrders))).toStartWith('auth.forbidden')
    const acts = world.ctx.database.query.selectFrom('audit_log').select('user_id').where('action', '=', 'order.export')
    expect(await acts.where('outcome', '=', 'ok').execute()).toEqual([{ user_id: admin.id }])
  })

  test('names from a payment service cannot begin a formula in an exported file', async () => {
    const [user, admin] = [await world.aUser(), await world.anAdmin()]
    const { fields } = await user.pay(10)
    await notify(world, notificationOf(fields, { trade_no: '=cmd()' }))
    const query = { keyword: user.username }
    const file = await (await admin.client.download(paymentRoutes.exportOrders, { query })).text()
    expect(file).toContain(",'=cmd(),")
  })

  test('a user with many unpaid orders cannot begin more until some are over', async () => {
    const user = await world.aUser()
    await Promise.all(Array.from({ length: 50 }, () => user.pay(1)))
    expect(await refusalOf(user.pay(1))).toStartWith('pay.many')
    world.passSeconds(86_401)
    expect(await refusalOf(user.pay(1))).toBe('ok')
  })
})

describe('how a user can top up', () => {
  let world: PaymentSite
  beforeAll(async () => {
    world = await aPaymentSite('sqlite')
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const info = async () => (await world.aUser()).client.call(paymentRoutes.topUpInfo)

  test('top-up info has the methods, amounts, prices and discounts of the options', async () => {
    await world.set({
      PayMethods:
        '[{"name":"QQ Wallet","type":"qqpay","min_topup":5,"color":"#123456"},{"name":"Alipay","type":"zfb"}]',
      AmountOptions: '[5,50]',
      AmountDiscount: '{"50":0.9}',
      TopupGroupRatio: '{"default":0.8}',
      MinTopUp: '2',
      Price: '7',
    })
    expect(await info()).toMatchObject({
      enable_online_topup: true,
      pay_methods: [
        {
          name: 'QQ Wallet',
          type: 'qqpay',
          min_topup: 5,
          color: '#123456',
          provider: 'epay',
          currency: 'CNY',
          price: 7,
        },
        { name: 'Alipay', type: 'zfb', min_topup: 2 },
      ],
      min_topup: 2,
      group_ratio: 0.8,
      amount_options: [5, 50],
      discount: { '50': 0.9 },
    })
    const user = await world.aUser()
    const amount = (value: number, payment_method?: string) =>
      user.client.call(paymentRoutes.payableAmount, { body: { amount: value, payment_method } })
    expect(await amount(50)).toBe('252.00')
    expect(await refusalOf(amount(4, 'qqpay'))).toContain('at least 5')
    expect(await amount(4, 'alipay')).toBe('22.40')
    expect((await user.pay(5, 'qqpay')).fields).toMatchObject({ type: 'qqpay', money: '28.00' })
  })

  test('top-up info is in quota where the site shows no currency', async () => {
    await world.set({ DisplayInCurrencyEnabled: 'false', MinTopUp: '1' })
    expect(await info()).toMatchObject({ amount_options: [2_500_000, 25_000_000], discount: { '25000000': 0.9 } })
    const user = await world.aUser()
    const { fields, number } = await user.pay(500_000)
    expect(fields).toMatchObject({ name: 'TUC500000', money: '5.60' })
    await notify(world, notificationOf(fields))
    expect(await user.free()).toBe(500_000)
    expect(await user.order(number)).toMatchObject({ status: 'paid' })
    await world.set({ DisplayInCurrencyEnabled: 'true' })
  })

  test('the callback address of the options is where the service reports to', async () => {
    await world.set({ CustomCallbackAddress: 'https://callback.example' })
    const { fields } = await (await world.aUser()).pay(10)
    expect(fields['notify_url']).toBe('https://callback.example/api/user/epay/notify')
    expect(fields['return_url']).toBe('https://gate.example/app/wallet/topup-success')
  })

  test.each(['PayAddress', 'EpayId', 'EpayKey'])('payments and callbacks are refused without %s', async (key) => {
    const user = await world.aUser()
    const { fields } = await user.pay(10)
    const before = { PayAddress: 'https://pay.example', EpayId: '1001', EpayKey: epayKey }
    await world.set({ [key]: '' })
    expect((await info()).enable_online_topup).toBe(false)
    expect(await refusalOf(user.pay(10))).toStartWith('pay.unset')
    expect(await notify(world, notificationOf(fields))).toBe('fail')
    expect(await notify(world, notificationOf(fields, {}, ''))).toBe('fail')
    expect(await user.free()).toBe(0)
    await world.set(before)
  })
})
