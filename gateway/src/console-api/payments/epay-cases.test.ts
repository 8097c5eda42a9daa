import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { paymentRoutes } from '@tollgate/contract'
import { startEpay, type EpayService } from '@tollgate/simulator'

import { kinds } from '../../../test/kinds'
import { aPaymentSite, notify, notifyByForm, outcomeOf, type PaymentSite } from '../../../test/payment-site'
import { signV1 } from '../../billing/payments/epay/signatures'
import { pollPendingOrders } from '../../billing/payments/poll-pending-orders'
import type { DatabaseKind } from '../../platform/store/database'

setDefaultTimeout(120_000)

/** An order of ten dollars for 73 yuan, on its way through a case. */
interface Stage {
  readonly world: PaymentSite
  readonly service: EpayService
  readonly user: Awaited<ReturnType<PaymentSite['aUser']>>
  readonly admin: Awaited<ReturnType<PaymentSite['anAdmin']>>
  readonly number: string
}

/** The action, the gateway's response, the balance in dollars after it, and the state of the order. */
type Step = readonly [act: (stage: Stage) => unknown, answer: string, dollars: number, state: string]

const pay = ({ service, number }: Stage) => service.pay(number)
const report =
  (changes: Readonly<Record<string, string>> = {}) =>
  ({ world, service, number }: Stage) =>
    notify(world, service.notification(number, changes))
const payAndReport = (stage: Stage) => {
  pay(stage)
  return report()(stage)
}
/** Changes a notification after it was signed. */
const tamperWith =
  (change: (sent: URLSearchParams) => void) =>
  ({ world, service, number }: Stage) => {
    service.pay(number)
    const sent = service.notification(number)
    change(sent)
    return notify(world, sent)
  }
const check = ({ user, number }: Stage) =>
  user.client.call(paymentRoutes.checkOrder, { body: { trade_no: number } }).then(({ outcome }) => outcome)
const complete = ({ admin, number }: Stage) =>
  outcomeOf(admin.client.call(paymentRoutes.completeOrder, { body: { trade_no: number } }))
const refund =
  (amount?: string, is_paid_back?: boolean) =>
  ({ admin, number }: Stage) =>
    outcomeOf(admin.client.call(paymentRoutes.refundOrder, { body: { trade_no: number, amount, is_paid_back } }))
const resolve =
  (was_paid_back: boolean) =>
  ({ admin, number }: Stage) =>
    outcomeOf(admin.client.call(paymentRoutes.resolveOrder, { body: { trade_no: number, was_paid_back } }))
const pollAfter = (seconds: number) => async (stage: Stage) => {
  stage.world.passSeconds(seconds)
  await pollPendingOrders(stage.world.ctx, new AbortController().signal)
  return 'done'
}
const set = (change: Partial<Pick<EpayService, 'state' | 'refunds'>>, then: Step[0]) => (stage: Stage) => {
  Object.assign(stage.service, change)
  return then(stage)
}
const knownAs = (queryResponse: Readonly<Record<string, string>>, then: Step[0]) => (stage: Stage) => {
  const order = stage.service.orders.get(stage.number)
  if (order) order.queryOverrides = queryResponse
  return then(stage)
}

const cases: Readonly<Record<string, readonly Step[]>> = {
  'a payment credits once, however often it is reported': [
    [payAndReport, 'success', 10, 'paid'],
    [report(), 'success', 10, 'paid'],
    [report({ param: 'again' }), 'success', 10, 'paid'],
  ],
  'a report by a form counts as one by the query': [
    [
      (stage) => {
        pay(stage)
        return notifyByForm(stage.world, stage.service.notification(stage.number).toString())
      },
      'success',
      10,
      'paid',
    ],
  ],
  'a report that comes late, after the order expired, credits': [
    [pollAfter(86_401), 'done', 0, 'expired'],
    [payAndReport, 'success', 10, 'paid'],
  ],
  'a status other than success is accepted and credits nothing': [
    [report({ trade_status: 'WAIT_BUYER_PAY' }), 'success', 0, 'pending'],
    [report({ trade_status: '' }), 'success', 0, 'pending'],
  ],
  'a report that the service itself does not confirm credits nothing': [[report(), 'fail', 0, 'pending']],
  'a report without a signature credits nothing': [[tamperWith((sent) => sent.delete('sign')), 'fail', 0, 'pending']],
  'a report with an empty signature credits nothing': [
    [tamperWith((sent) => sent.set('sign', '')), 'fail', 0, 'pending'],
  ],
  'a report with a guessed signature credits nothing': [
    [tamperWith((sent) => sent.set('sign', '0'.repeat(32))), 'fail', 0, 'pending'],
  ],
  'an amount that was changed on the way credits nothing': [
    [tamperWith((sent) => sent.set('money', '73.01')), 'fail', 0, 'pending'],
  ],
  'an order that was changed on the way credits nothing': [
    [tamperWith((sent) => sent.set('out_trade_no', 'USR1NOother')), 'fail', 0, 'pending'],
  ],
  'a parameter that was added on the way credits nothing': [
    [tamperWith((sent) => sent.set('param', 'x')), 'fail', 0, 'pending'],
  ],
  'a parameter that is named twice credits nothing': [
    [tamperWith((sent) => sent.append('money', '0.01')), 'fail', 0, 'pending'],
  ],
  'a report that is signed with another key credits nothing': [
    [
      ({ world, service, number }) => {
        pay({ service, number } as Stage)
        const { sign: _sign, ...parameters } = Object.fromEntries(service.notification(number))
        return notify(world, new URLSearchParams({ ...parameters, sign: signV1(parameters, 'other') }))
      },
      'fail',
      0,
      'pending',
    ],
  ],
  'the signature of the payer’s own form signs no report': [
    [
      ({ world, service, number }) => {
        const form = service.orders.get(number)?.form ?? {}
        return notify(world, new URLSearchParams({ ...form, trade_status: 'TRADE_SUCCESS' }))
      },
      'fail',
      0,
      'pending',
    ],
  ],
  'the signature of another order’s report signs no other': [
    [
      async ({ world, service, number, user }) => {
        const other = await user.pay(10)
        service.open(other.fields)
        service.pay(other.number)
        const sign = service.notification(other.number).get('sign') ?? ''
        const sent = service.notification(number)
        sent.set('sign', sign)
        return notify(world, sent)
      },
      'fail',
      0,
      'pending',
    ],
  ],
  'less money than was asked for is not credited': [[report({ money: '72.99' }), 'fail', 0, 'pending amount']],
  'more money is not credited either': [[report({ money: '730.00' }), 'fail', 0, 'pending amount']],
  'the same money in other words is the same': [
    [
      (stage) => {
        pay(stage)
        return report({ money: '73' })(stage)
      },
      'success',
      10,
      'paid',
    ],
  ],
  'money that is not an amount is refused': [
    [report({ money: '7.3e1' }), 'fail', 0, 'pending'],
    [report({ money: '-73.00' }), 'fail', 0, 'pending'],
    [report({ money: '73.001' }), 'fail', 0, 'pending'],
    [report({ money: '' }), 'fail', 0, 'pending'],
  ],
  'an order for another merchant is not credited': [[report({ pid: '1002' }), 'fail', 0, 'pending merchant']],
  'an unknown order is refused': [[report({ out_trade_no: 'USR1NOunknown170000000' }), 'fail', 0, 'pending']],
  'an order of another provider is not credited': [
    [
      async (stage) => {
        const orders = stage.world.ctx.database.query.updateTable('orders')
        await orders.set({ provider: 'stripe' }).where('number', '=', stage.number).execute()
        return report()(stage)
      },
      'fail',
      0,
      'pending provider',
    ],
  ],
  'the service that answers another amount is believed less than the order': [
    [knownAs({ money: '0.01' }, payAndReport), 'fail', 0, 'pending amount'],
  ],
  'the service that answers about another order is not believed': [
    [knownAs({ out_trade_no: 'USR1NOother', status: '1' }, check), 'unreachable', 0, 'pending'],
  ],
  'the service that answers for another merchant is not believed': [
    [knownAs({ pid: '1002', status: '1' }, check), 'refused', 0, 'pending merchant'],
  ],
  'the signature counts while the service has no queries': [
    [set({ state: 'missing' }, report()), 'success', 10, 'paid'],
  ],
  'the signature counts while the service does not answer queries': [
    [set({ state: 'down' }, report()), 'success', 10, 'paid'],
  ],
  'the signature counts while the service answers queries with a page': [
    [set({ state: 'html' }, report()), 'success', 10, 'paid'],
  ],
  'an order that is paid twice is credited once, and marked': [
    [payAndReport, 'success', 10, 'paid'],
    [report({ trade_no: 'E-second' }), 'fail', 10, 'paid twice'],
    [resolve(false), 'ok', 10, 'paid'],
  ],
  'a payment that was not reported is found by “check now”': [
    [check, 'pending', 0, 'pending'],
    [
      (stage) => {
        pay(stage)
        return check(stage)
      },
      'paid',
      10,
      'paid',
    ],
    [report(), 'success', 10, 'paid'],
    [check, 'paid', 10, 'paid'],
  ],
  '“check now” says so where the service cannot be asked': [
    [set({ state: 'missing' }, check), 'unsupported', 0, 'pending'],
    [set({ state: 'down' }, check), 'unreachable', 0, 'pending'],
  ],
  'a payment that was not reported is found by the job': [
    [pay, '', 0, 'pending'],
    [pollAfter(60), 'done', 0, 'pending'],
    [pollAfter(61), 'done', 10, 'paid'],
  ],
  'an order that is not paid in time expires, and money that comes later is found': [
    [pollAfter(86_401), 'done', 0, 'expired'],
    [pay, '', 0, 'expired'],
    [pollAfter(21_600), 'done', 10, 'paid'],
  ],
  'an order that was completed by hand is not credited again': [
    [complete, 'ok', 10, 'paid'],
    [complete, 'ok', 10, 'paid'],
    [payAndReport, 'success', 10, 'paid'],
  ],
  'a refund takes back its part, and no more than is left': [
    [refund(), 'order.unpaid', 0, 'pending'],
    [payAndReport, 'success', 10, 'paid'],
    [refund('73.01'), 'order.refund_amount', 10, 'paid'],
    [refund('18.25'), 'ok', 7.5, 'paid'],
    [refund('18.25'), 'ok', 5, 'paid'],
    [refund('36.51'), 'order.refund_amount', 5, 'paid'],
    [refund(), 'ok', 0, 'refunded'],
    [refund(), 'order.refund_amount', 0, 'refunded'],
    [report(), 'success', 0, 'refunded'],
  ],
  'a refund that the service refuses gives the quota back': [
    [payAndReport, 'success', 10, 'paid'],
    [set({ refunds: 'refused' }, refund()), 'order.refund_refused', 10, 'paid'],
    [set({ refunds: 'done' }, refund()), 'ok', 0, 'refunded'],
  ],
  'a refund that may have gone through keeps the quota away, and is marked': [
    [payAndReport, 'success', 10, 'paid'],
    [set({ refunds: 'silent' }, refund()), 'order.refund_uncertain', 0, 'refunded refund'],
    [resolve(true), 'ok', 0, 'refunded'],
    [resolve(false), 'ok', 0, 'refunded'],
  ],
  'a refund that did not go through after all gives the quota back, and can be tried again': [
    [payAndReport, 'success', 10, 'paid'],
    [refund('18.25'), 'ok', 7.5, 'paid'],
    [set({ refunds: 'silent' }, refund('36.50')), 'order.refund_uncertain', 2.5, 'paid refund'],
    [resolve(false), 'ok', 7.5, 'paid'],
    [resolve(false), 'ok', 7.5, 'paid'],
    [set({ refunds: 'done' }, refund()), 'ok', 0, 'refunded'],
  ],
  'what the service cannot refund is refunded elsewhere, and its quota taken back': [
    [payAndReport, 'success', 10, 'paid'],
    [set({ state: 'missing' }, refund()), 'order.refund_unsupported', 10, 'paid'],
    [refund(undefined, true), 'ok', 0, 'refunded'],
  ],
}

const runs: readonly (readonly [1 | 2, DatabaseKind])[] = [...kinds.map((kind) => [1, kind] as const), [2, 'sqlite']]

describe.each(runs)('orders through Epay in version %d (%s)', (version, kind) => {
  let world: PaymentSite
  let service: EpayService
  beforeAll(async () => {
    service = startEpay(version)
    world = await aPaymentSite(kind, {
      PayAddress: service.url,
      EpayVersion: `v${version}`,
      EpayKey: version === 1 ? service.key : '',
      EpayPrivateKey: version === 2 ? service.privateKey : '',
      EpayPlatformKey: version === 2 ? service.platformKey : '',
    })
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    await service.stop()
  })

  test.each(Object.entries(cases))('%s', async (_name, steps) => {
    Object.assign(service, { state: 'up', refunds: 'done' } satisfies Partial<EpayService>)
    const [user, admin] = [await world.aUser(), await world.anAdmin()]
    const { fields, number } = await user.pay(10)
    service.open(fields)
    const stage: Stage = { world, service, user, admin, number }
    for (const [act, ...expected] of steps) {
      const result = (await act(stage)) ?? ''
      const { status, problem } = await world.rowOf(number)
      const dollars = (await user.free()) / 500_000
      expect([result, dollars, `${status} ${problem}`.trim()]).toEqual(expected)
    }
  })

  test('balances are consistent after every case', async () => {
    expect(await world.differences()).toEqual([])
  })
})
