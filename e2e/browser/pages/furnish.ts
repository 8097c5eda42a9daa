import {
  channelRoutes,
  messageRoutes,
  paymentRoutes,
  planRoutes,
  redemptionRoutes,
  tokenRoutes,
  userRoutes,
  windowRoutes,
  type RouteSent,
} from '@tollgate/contract'

import { call } from '../../call'
import { Console, type Account } from '../../console'
import type { Gateway } from '../../gateway'
import { signV1 } from '../../../gateway/src/billing/payments/epay/signatures'
import { aged } from './past'

export const root: Account = { username: 'root', password: 'root-password' }
export const user: Account = { username: 'mei.chen', password: 'user-password' }

const inParallel = 8
const dollar = 500_000

/** Ids used in the addresses of pages. */
export interface Furniture {
  readonly tokenId: number
  /** A token that is near one of its limits. */
  readonly limitedTokenId: number
  readonly channelId: number
  readonly userId: number
  /** A message to the user, who has read it. */
  readonly messageId: number
  readonly planId: number
  /** A channel whose clients bring their own login. */
  readonly loginChannelId: number
}

/** Fills a gateway with the result of a week of work with this many calls, all of it dated today. */
export async function furnish(gateway: Gateway, upstreamUrl: string, calls: number): Promise<Furniture> {
  const admin = await Console.setUp(gateway.url, root)
  await admin.setOptions({
    RetryTimes: 2,
    LogErrorEnabled: true,
    Notice: 'Maintenance on **Sunday, 02:00 to 03:00 UTC**.',
    About:
      '## About this site\n\nAn internal gateway for our teams. Ask [the platform team](mailto:platform@example.com).',
  })
  const { channelId, loginChannelId } = await addChannels(admin, upstreamUrl)
  const { id } = await admin.call(userRoutes.createUser, { body: { ...user, display_name: 'Mei Chen' } })
  await admin.call(userRoutes.manageUser, { body: { id, action: 'add_quota', value: 40 * dollar } })
  await addUsers(admin)
  const customer = await Console.signIn(gateway.url, user)
  await addCodes(admin, customer)
  const messageId = await addMessages(admin, customer, id)
  await addOrders(gateway, admin, customer)
  const { tokenId, limitedTokenId, keys } = await addTokens(customer)
  await addLimits(admin, customer, id, limitedTokenId)
  await makeCalls(gateway, [...keys, await admin.addToken({ name: 'Operations' })], calls)
  await tightenLimit(customer, limitedTokenId)
  const planId = await addPlans(admin, customer)
  return { tokenId, limitedTokenId, channelId, userId: id, messageId, planId, loginChannelId }
}

/** Adds codes in every state: for sale, redeemed, disabled, expired, and a gift that some have redeemed. */
async function addCodes(admin: Console, customer: Console): Promise<void> {
  const make = (body: redemptionRoutes.NewRedemption) => admin.call(redemptionRoutes.createRedemptions, { body })
  await make({ name: 'Winter sale', quota: 10 * dollar, count: 3, valid_until: 1_700_000_000 })
  const [sold = ''] = await make({ name: 'Reseller batch 12', quota: 50 * dollar, count: 4 })
  const [gift = ''] = await make({ name: 'Welcome', key: 'WELCOME-2026', quota: dollar, is_gift: true, max_uses: 500 })
  for (const key of [sold, gift]) await customer.call(redemptionRoutes.redeemCode, { body: { key } })
  const { items } = await admin.call(redemptionRoutes.listRedemptions, { query: { page_size: 20 } })
  const [first] = items.filter(({ name, used_count: used }) => name === 'Reseller batch 12' && used === 0)
  if (first) await admin.call(redemptionRoutes.disableRedemptions, { body: { ids: [first.id] } })
}

const limit = (fields: object) => windowRoutes.WindowSettings.parse(fields)

/** Adds limits of a user, who stays far from them, and of a token. */
async function addLimits(admin: Console, customer: Console, userId: number, tokenId: number): Promise<void> {
  const ofUser = [
    limit({ name: 'Spending per month', measure: 'quota', limit: 40 * dollar, span: 'month', alert_percents: [80] }),
    limit({ name: 'Tokens per day', measure: 'tokens', limit: 8_000_000, span: 'day' }),
  ]
  await admin.call(windowRoutes.setWindows, { body: { owner: 'user', ref: String(userId), windows: ofUser } })
  const ofToken = [
    limit({ name: 'Calls per week', measure: 'requests', limit: 10_000, span: 'week' }),
    limit({
      name: 'Spending per 5 hours',
      measure: 'quota',
      limit: 2 * dollar,
      span: 'five_hours',
      is_sliding: true,
      grace_percent: 10,
      fallback_model: 'gpt-4o-mini',
    }),
  ]
  await customer.call(windowRoutes.setKeyWindows, { body: { token_id: tokenId, windows: ofToken } })
}

/** Lowers the first limit of a token so far that it is nearly used up. */
async function tightenLimit(customer: Console, tokenId: number): Promise<void> {
  const { windows, standings } = await customer.call(windowRoutes.listKeyWindows, { query: { token_id: tokenId } })
  const [first, ...others] = windows
  const used = standings.find(({ id }) => id === first?.id)?.used ?? 0
  if (!first || used === 0) return
  const tightened = [{ ...first, limit: Math.ceil(used / 0.88) }, ...others]
  await customer.call(windowRoutes.setKeyWindows, { body: { token_id: tokenId, windows: tightened } })
}

/** Adds plans on sale, of which the user runs one, and one that is given. */
async function addPlans(admin: Console, customer: Console): Promise<number> {
  const add = (settings: Pick<planRoutes.PlanSettings, 'name' | 'price'> & Partial<planRoutes.PlanSettings>) =>
    admin.call(planRoutes.createPlan, {
      body: planRoutes.PlanSettings.parse({ length: 1, unit: 'month', ...settings }),
    })
  const starter = await add({
    name: 'Starter',
    price: 5 * dollar,
    description: 'For trying things out.',
    models: ['gpt-4o-mini', 'gpt-4.1-mini'],
    windows: [limit({ name: 'Calls per 5 hours', measure: 'requests', limit: 50, span: 'five_hours' })],
  })
  await add({
    name: 'Professional',
    price: 20 * dollar,
    description: 'Every model, with room for a team.',
    windows: [
      limit({ name: 'Spending per day', measure: 'quota', limit: 5 * dollar, span: 'day', alert_percents: [80] }),
      limit({ name: 'Spending per month', measure: 'quota', limit: 60 * dollar, span: 'month' }),
      limit({ name: 'Calls at the same time', measure: 'concurrent', limit: 8, span: 'always' }),
    ],
  })
  await add({ name: 'Partner', price: 0, length: 1, unit: 'year', groups: ['vip'], is_on_sale: false })
  await customer.call(planRoutes.buyPlan, { body: { plan_id: starter.id, renews: true } })
  return starter.id
}

/** Adds messages to all and to one user, read and unread, in both formats. */
async function addMessages(admin: Console, customer: Console, userId: number): Promise<number> {
  const send = async (body: RouteSent<typeof messageRoutes.createMessage>['body']) =>
    (await admin.call(messageRoutes.createMessage, { body })).id
  const all = { kind: 'all' } as const
  const read = await send({ title: 'Maintenance on Sunday', content: maintenance, audience: all })
  await send({
    title: 'Your invoice for October',
    content: 'It is **$12.40**, paid from your balance.',
    user_ids: [userId],
  })
  await send({ title: 'New: o3-mini', content: newModel, format: 'html', audience: all })
  await customer.call(messageRoutes.markRead, { params: { id: read } })
  return read
}

const maintenance = `We move to faster machines on **Sunday, 02:00 to 03:00 UTC**.

- Calls that run at 02:00 are answered to their end.
- New calls get \`503\` with \`Retry-After: 60\`; the official SDKs try again by themselves.

| Region | Until |
|---|---|
| Frankfurt | 02:30 |
| Dublin | 03:00 |

Questions? Write to [the platform team](mailto:platform@example.com).`

const newModel = `<h2>o3-mini is here</h2><p>It thinks before it answers, at <b>a quarter of the price</b> of o1.</p>
<ul><li>200,000 tokens of context</li><li>Tools and structured outputs</li></ul>
<p><a href="https://example.com/o3-mini">How to use it</a></p>`

const epay = { PayAddress: 'https://pay.example.com', EpayId: '1001', EpayKey: 'k3y' }

/** Adds orders that are paid, pending, and underpaid. */
async function addOrders(gateway: Gateway, admin: Console, customer: Console): Promise<void> {
  await admin.setOptions({ ...epay, AmountDiscount: { 100: 0.95 } })
  const order = async (amount: number, payment_method: string) =>
    customer.call(paymentRoutes.pay, { body: { amount, payment_method } })
  const report = async ({ pid = '', out_trade_no = '', type = '', name = '', money = '' }, paid = money) => {
    const report = { pid, trade_no: `E${out_trade_no}`, out_trade_no, type, name, money: paid }
    const signed = { ...report, trade_status: 'TRADE_SUCCESS' }
    const query = new URLSearchParams({ ...signed, sign: signV1(signed, epay.EpayKey), sign_type: 'MD5' })
    await fetch(`${gateway.url}/api/user/epay/notify?${query.toString()}`)
  }
  await report(await order(50, 'wx'))
  await report(await order(100, 'zfb'), '1.00')
  await order(20, 'zfb')
  // The page shows the latest order when the payer returns.
  await report(await order(10, 'zfb'))
}

const general = 'gpt-4o,gpt-4o-mini,gpt-4.1,gpt-4.1-mini'

/** Adds steady, flaky, slow, broken and idle channels. The key tells the stand-in upstream how to behave. */
async function addChannels(admin: Console, base_url: string): Promise<Pick<Furniture, 'channelId' | 'loginChannelId'>> {
  const add = (fields: Parameters<Console['addChannel']>[0]) => admin.addChannel({ base_url, ...fields })
  const first = await add({
    name: 'OpenAI Frankfurt',
    key: 'sim:tokens=420;prompt=5200;cached=1024',
    models: general,
    priority: 10,
    tag: 'production',
  })
  await add({
    name: 'OpenAI Dublin',
    key: 'sim:tokens=260;prompt=3100;fault=status-503;every=3',
    models: general,
    priority: 10,
    weight: 20,
    tag: 'production',
  })
  await add({
    name: 'Reserve',
    key: 'sim:tokens=300;prompt=2400;ttft=350',
    models: general,
    priority: 0,
    tag: 'reserve',
  })
  const full = await add({
    name: 'OpenAI Tokyo',
    key: 'sim:tokens=260;prompt=3100',
    models: general,
    priority: 10,
    tag: 'production',
  })
  const window = limit({ name: 'Calls of the trial', measure: 'requests', limit: 1, span: 'always' })
  await admin.call(windowRoutes.setWindows, { body: { owner: 'channel', ref: String(full), windows: [window] } })
  await add({ name: 'Embeddings', key: 'sim:prompt=800', models: 'text-embedding-3-small,text-embedding-3-large' })
  await add({ name: 'Reasoning, slow', key: 'sim:tokens=700;prompt=1900;ttft=1200;reasoning=400', models: 'o3-mini' })
  await add({ name: 'Legacy', key: 'sim:fault=status-500', models: 'gpt-3.5-turbo' })
  await add({ name: aged.autoDisabledChannel, key: 'sk-one\nsk-two', models: general, tag: 'production' })
  const off = await add({ name: 'Mistral trial', type: 42, models: 'mistral-large-latest,mistral-small-latest' })
  await admin.call(channelRoutes.updateChannel, { body: { id: off, status: 2 } })
  const loginChannelId = await add({
    name: 'Claude, own logins',
    type: 14,
    key: '',
    models: 'claude-sonnet-4-5,claude-haiku-4-5',
    setting: JSON.stringify({ own_login: true, own_login_factor: 0.2 }),
  })
  return { channelId: first, loginChannelId }
}

/** Adds users in every state: a helper with permissions, one who is banned, one who is deleted. */
async function addUsers(admin: Console): Promise<void> {
  const add = async (username: string, display_name: string) =>
    (await admin.call(userRoutes.createUser, { body: { username, display_name, password: 'some-password' } })).id
  const manage = (id: number, action: string) => admin.call(userRoutes.manageUser, { body: { id, action } })
  await manage(await add('lars', 'Lars Nilsson'), 'promote')
  await manage(await add('scraper-7', 'scraper-7'), 'disable')
  await manage(await add('wang.fang', '王芳'), 'delete')
  await add('ana.garcia', 'Ana García')
}

async function addTokens(
  customer: Console,
): Promise<Pick<Furniture, 'tokenId' | 'limitedTokenId'> & { readonly keys: readonly string[] }> {
  const nextMonth = Math.floor(Date.now() / 1000) + 30 * 86_400
  const limited = { unlimited_quota: false, remain_quota: 5 * dollar }
  const keys = [
    await customer.addToken({ name: 'Web shop' }),
    await customer.addToken({ name: 'Nightly reports', ...limited, expired_time: nextMonth }),
    await customer.addToken({ name: 'Support bot', model_limits_enabled: true, model_limits: 'gpt-4o-mini,o3-mini' }),
    await customer.addToken({
      name: 'Search',
      allow_ips: '127.0.0.0/8',
      rate_limit_enabled: true,
      rate_limit_period: 60,
      rate_limit_count: 600,
    }),
  ]
  await customer.addToken({ name: aged.exhaustedToken, unlimited_quota: false, remain_quota: dollar / 2 })
  await customer.addToken({ name: aged.expiredToken, ...limited })
  await customer.addToken({ name: 'Unused' })
  const { items } = await customer.call(tokenRoutes.listTokens, { query: {} })
  const idOf = (name: string) => items.find((token) => token.name === name)?.id ?? 0
  await customer.call(tokenRoutes.updateToken, { body: { id: idOf('Unused'), status: 2 } })
  return { tokenId: idOf('Nightly reports'), limitedTokenId: idOf('Search'), keys }
}

/** Models of ten calls; the last one fails everywhere. */
const request = [
  'gpt-4o',
  'gpt-4o-mini',
  'gpt-4o',
  'gpt-4.1',
  'text-embedding-3-small',
  'gpt-4o-mini',
  'gpt-4.1-mini',
  'gpt-4o',
  'o3-mini',
  'gpt-3.5-turbo',
]

async function makeCalls(gateway: Gateway, keys: readonly string[], calls: number): Promise<void> {
  let next = 0
  const worker = async () => {
    for (let number = next++; number < calls; number = next++) await callOnce(gateway, keys, number)
  }
  await Promise.all(Array.from({ length: inParallel }, worker))
}

async function callOnce(gateway: Gateway, keys: readonly string[], number: number): Promise<void> {
  const key = keys[Math.floor(number / request.length) % keys.length] ?? ''
  const model = request[number % request.length] ?? 'gpt-4o'
  const text = 'Summarise the report of last week in three sentences. '.repeat(1 + (number % 9))
  if (model.startsWith('text-embedding')) {
    await call(gateway, key, { model, input: text }, { path: '/v1/embeddings' })
    return
  }
  await call(gateway, key, { model, stream: number % 3 > 0, messages: [{ role: 'user', content: text }] })
}
