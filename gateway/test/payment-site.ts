import { ApiError, paymentRoutes, role } from '@tollgate/contract'

import { differencesIn } from '../src/app/commands/differences'
import { redeemHandlers } from '../src/console-api/redemption-codes/redemption-codes'
import { paymentHandlers } from '../src/console-api/payments/payments'
import { signV1 } from '../src/billing/payments/epay/signatures'
import type { DatabaseKind, Queries, Transaction } from '../src/platform/store/database'
import { anAccount, createTestConsole } from './console-client'
import { booksOf } from './ledger'
import { setOptionsIn } from './options'
import { createWorld } from './world'
import { WallClock } from './fake-time'

export const epayKey = 'k3y'

/** A site where users pay through Epay. The clock stands still between steps. */
export async function aPaymentSite(
  kind: DatabaseKind,
  options: Readonly<Record<string, string>> = {},
  environment: Record<string, string> = {},
) {
  const clock = new WallClock(Date.parse('2026-03-01T12:00:00Z'))
  const world = await createWorld({
    kind,
    environment,
    clock,
  })
  const { ctx } = world
  const site = createTestConsole(ctx, [...paymentHandlers, ...redeemHandlers])
  await setOptionsIn(ctx, {
    ServerAddress: 'https://gate.example',
    PayAddress: 'https://pay.example',
    EpayId: '1001',
    EpayKey: epayKey,
    ...options,
  })
  const someone = async (userRole: number) => {
    const { id, username } = await anAccount(ctx, { role: userRole })
    const client = site.client(await site.signIn(id))
    return {
      id,
      username,
      client,
      free: async () => (await booksOf(ctx.database, id)).free,
      order: async (number: string) =>
        (await client.call(paymentRoutes.listOwnOrders, { query: { keyword: number } })).items[0],
      /** Begins a top-up and resolves with its form. */
      pay: async (amount = 10, payment_method = 'zfb') => {
        const { data, envelopeFields } = await client.callWhole(paymentRoutes.pay, { body: { amount, payment_method } })
        return { fields: data, number: envelopeFields.trade_no, url: envelopeFields.url }
      },
    }
  }
  return {
    ctx,
    site,
    set: (values: Readonly<Record<string, string>>) => setOptionsIn(ctx, values),
    now: () => clock.seconds(),
    passSeconds: (seconds: number) => clock.jump(seconds * 1000),
    aUser: () => someone(role.user),
    anAdmin: () => someone(role.admin),
    aRoot: () => someone(role.root),
    /** Resolves with what `reconcile` finds. */
    differences: (query: Queries | Transaction = ctx.database.query) => differencesIn(query, clock.seconds()),
    rowOf: (number: string) =>
      ctx.database.query.selectFrom('orders').selectAll().where('number', '=', number).executeTakeFirstOrThrow(),
    eventsOf: (number: string) =>
      ctx.database.query
        .selectFrom('order_events')
        .innerJoin('orders', 'orders.id', 'order_events.order_id')
        .select(['order_events.kind', 'order_events.outcome', 'order_events.source', 'order_events.payload'])
        .where('orders.number', '=', number)
        .orderBy('order_events.id')
        .execute(),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}
export type PaymentSite = Awaited<ReturnType<typeof aPaymentSite>>

/** Returns the signed report of an Epay service about a form that was paid. */
export function notificationOf(
  form: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string>> = {},
  key = epayKey,
): URLSearchParams {
  const { pid = '', type = '', out_trade_no = '', name = '', money = '' } = form
  const sent = { pid, trade_no: `E${out_trade_no}`, out_trade_no, type, name, money, trade_status: 'TRADE_SUCCESS' }
  const parameters = { ...sent, ...changes }
  return new URLSearchParams({ ...parameters, sign: signV1(parameters, key), sign_type: 'MD5' })
}

/** Sends a notification by the query and resolves with the gateway's response. */
export const notify = async ({ site }: PaymentSite, parameters: URLSearchParams): Promise<string> =>
  (await site.send('GET', `/api/user/epay/notify?${parameters.toString()}`)).text()

/** Sends a notification by a form. */
export const notifyByForm = async ({ site }: PaymentSite, body: string): Promise<string> =>
  (
    await site.send('POST', '/api/user/epay/notify', {
      body,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
  ).text()

/** Resolves with how a call ended: `ok`, or its code. */
export const outcomeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'ok',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  )
