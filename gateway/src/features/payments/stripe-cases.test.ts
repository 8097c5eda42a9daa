import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'

import type { StripeWebhook } from '@tollgate/simulator'

import { kinds } from '../../../test/kinds'
import { aStripeOrder, aStripeSite, type StripeSite } from '../../../test/stripe-site'

setDefaultTimeout(120_000)

/** An order of ten dollars for ten US dollars, on its way through a case. */
interface Stage {
  readonly world: StripeSite
  readonly stripe: StripeSite['stripe']
  readonly number: string
  readonly page: string
  /** What was reported, by name. */
  readonly kept: Map<string, StripeWebhook>
}

/** The report, the response that Stripe gets, the balance in dollars after it, and the state of the order. */
type Step = readonly [report: (stage: Stage) => Sent | Promise<Sent>, status: number, dollars: number, state: string]
type Sent = Pick<StripeWebhook, 'body' | 'signature'>

/** Keeps a webhook for a later step. */
const keep = (stage: Stage, name: string, webhook: StripeWebhook): StripeWebhook => {
  stage.kept.set(name, webhook)
  return webhook
}
/** A kept webhook, sent once more: as it was, or signed again, as Stripe does. */
const again =
  (name: string, isSignedAnew = false) =>
  ({ kept, stripe }: Stage): Sent => {
    const webhook = kept.get(name)
    if (!webhook) throw new Error(`Nothing is kept as ${name}`)
    return isSignedAnew ? { body: webhook.body, signature: stripe.sign(webhook.body) } : webhook
  }
const pay = (stage: Stage) => keep(stage, 'paid', stage.stripe.pay(stage.page))
const refund =
  (amount?: number, name = 'refund') =>
  (stage: Stage) =>
    keep(stage, name, stage.stripe.refund(stage.page, amount))

const failRefund =
  (type?: string) =>
  (stage: Stage): StripeWebhook =>
    keep(stage, 'failed', stage.stripe.failRefund(stage.page, type))

/** An object of Stripe's that differs from what the gateway requested. */
const paidAs = (change: (stage: Stage) => void) => (stage: Stage) => {
  const webhook = pay(stage)
  change(stage)
  return webhook
}

/** What may be reported about a payment, by the required result. */
const cases: Readonly<Record<string, readonly Step[]>> = {
  'a card payment credits once, however often it is reported': [
    [pay, 200, 10, 'paid'],
    [again('paid'), 200, 10, 'paid'],
    [again('paid', true), 200, 10, 'paid'],
    [({ stripe, page }) => stripe.webhook('checkout.session.completed', stripe.session(page)), 200, 10, 'paid'],
  ],
  'a page that was filled in is not credited before the money is there': [
    [({ stripe, page }) => stripe.payLater(page), 200, 0, 'pending'],
    [({ stripe, page }) => stripe.arrive(page), 200, 10, 'paid'],
  ],
  'money that never comes fails the order': [
    [({ stripe, page }) => stripe.payLater(page), 200, 0, 'pending'],
    [({ stripe, page }) => stripe.fail(page), 200, 0, 'failed'],
  ],
  'an event that says paid of a page that is not credits nothing': [
    [
      ({ stripe, page }) => {
        const claimed = { ...stripe.session(page), status: 'complete', payment_status: 'paid' }
        return stripe.webhook('checkout.session.completed', claimed)
      },
      200,
      0,
      'pending',
    ],
  ],
  'a page that expired closes its order': [[({ stripe, page }) => stripe.expire(page), 200, 0, 'expired']],
  'the expiry that is reported after the payment changes nothing': [
    [pay, 200, 10, 'paid'],
    [({ stripe, page }) => stripe.expire(page), 200, 10, 'paid'],
  ],
  'the expiry of a page that was paid credits it, as the page says so': [
    [
      (stage) => {
        stage.stripe.pay(stage.page)
        return stage.stripe.expire(stage.page)
      },
      200,
      10,
      'paid',
    ],
  ],
  'a forged signature credits nothing': [
    [
      (stage) => {
        const { body } = pay(stage)
        return { body, signature: stage.stripe.sign(body, { secret: 'whsec_guessed' }) }
      },
      400,
      0,
      'pending',
    ],
    [again('paid'), 200, 10, 'paid'],
  ],
  'a webhook without a signature credits nothing': [
    [(stage) => ({ body: pay(stage).body, signature: '' }), 400, 0, 'pending'],
  ],
  'a body that was changed on the way credits nothing': [
    [
      (stage) => {
        const { body, signature } = pay(stage)
        return { body: body.replace('1000', '1001'), signature }
      },
      400,
      0,
      'pending',
    ],
  ],
  'a webhook that is sent again after five minutes has to be signed anew': [
    [
      (stage) => {
        const webhook = pay(stage)
        stage.world.passSeconds(301)
        return webhook
      },
      400,
      0,
      'pending',
    ],
    [again('paid', true), 200, 10, 'paid'],
  ],
  'what was paid late is credited': [
    [({ stripe, page }) => stripe.payLater(page), 200, 0, 'pending'],
    [
      ({ stripe, page, world }) => {
        world.passSeconds(5 * 86_400)
        return stripe.arrive(page)
      },
      200,
      10,
      'paid',
    ],
  ],
  'another amount is not credited': [
    [paidAs(({ stripe, page }) => void (stripe.session(page).amount_total = 100)), 200, 0, 'pending amount'],
  ],
  'another currency is not credited': [
    [paidAs(({ stripe, page }) => void (stripe.session(page).currency = 'jpy')), 200, 0, 'pending currency'],
  ],
  'an event of the other mode is refused': [
    [
      (stage) => {
        const body = pay(stage).body.replace('"livemode": false', '"livemode": true')
        return { body, signature: stage.stripe.sign(body) }
      },
      400,
      0,
      'pending',
    ],
  ],
  'a page of the other mode is not credited': [
    [paidAs(({ stripe, page }) => void (stripe.session(page).livemode = true)), 200, 0, 'pending merchant'],
  ],
  'a page that names one order in two ways credits neither': [
    [paidAs(({ stripe, page }) => void (stripe.session(page).metadata['order'] = 'USR1NOother')), 200, 0, 'pending'],
  ],
  'a page of an unknown order is accepted and credits nothing': [
    [
      paidAs(({ stripe, page }) => {
        stripe.session(page).metadata['order'] = 'USR1NOother'
        stripe.session(page).client_reference_id = 'USR1NOother'
      }),
      200,
      0,
      'pending',
    ],
  ],
  'what the account sells besides is accepted and credits nothing': [
    [
      paidAs(({ stripe, page }) => {
        stripe.session(page).metadata = {}
        stripe.session(page).client_reference_id = null
      }),
      200,
      0,
      'pending',
    ],
  ],
  'a page that names an order of another provider credits nothing': [
    [
      async (stage) => {
        const webhook = pay(stage)
        const other = await (await stage.world.aUser()).pay(10, 'zfb')
        stage.stripe.session(stage.page).metadata['order'] = other.number
        stage.stripe.session(stage.page).client_reference_id = other.number
        return webhook
      },
      200,
      0,
      'pending',
    ],
  ],
  'an event while Stripe does not answer is refused, and settles when it comes again': [
    [
      (stage) => {
        const webhook = pay(stage)
        stage.stripe.isDown = true
        return webhook
      },
      400,
      0,
      'pending',
    ],
    [
      (stage) => {
        stage.stripe.isDown = false
        return again('paid', true)(stage)
      },
      200,
      10,
      'paid',
    ],
  ],
  'events of other kinds are accepted and change nothing': [
    [({ stripe, page }) => stripe.webhook('payment_intent.created', { id: page }), 200, 0, 'pending'],
    [({ stripe, page }) => stripe.webhook('toString', { id: page }), 200, 0, 'pending'],
  ],
  'a body that is not an event is refused': [
    [({ stripe }) => ({ body: '{}', signature: stripe.sign('{}') }), 400, 0, 'pending'],
    [({ stripe }) => ({ body: 'x', signature: stripe.sign('x') }), 400, 0, 'pending'],
    [({ stripe }) => stripe.webhook('charge.refunded', { id: '../v1/refunds' }), 400, 0, 'pending'],
  ],
  'a refund takes back its part, once': [
    [pay, 200, 10, 'paid'],
    [refund(250), 200, 7.5, 'paid'],
    [again('refund'), 200, 7.5, 'paid'],
    [refund(250, 'second'), 200, 5, 'paid'],
    [again('refund', true), 200, 5, 'paid'],
    [refund(), 200, 0, 'refunded'],
    [again('paid'), 200, 0, 'refunded'],
  ],
  'two refunds that are reported in the wrong order take back both, once': [
    [pay, 200, 10, 'paid'],
    [
      (stage) => {
        refund(100, 'first')(stage)
        return refund(200, 'second')(stage)
      },
      200,
      7,
      'paid',
    ],
    [again('first'), 200, 7, 'paid'],
  ],
  'a refund that is reported before the payment leaves what was not refunded': [
    [
      (stage) => {
        pay(stage)
        return refund(400)(stage)
      },
      200,
      0,
      'pending',
    ],
    [again('paid'), 200, 6, 'paid'],
  ],
  'a refund that the bank returns gives its quota back, once, however it is reported': [
    [pay, 200, 10, 'paid'],
    [refund(400), 200, 6, 'paid'],
    [failRefund(), 200, 10, 'paid refund_failed'],
    [again('failed', true), 200, 10, 'paid refund_failed'],
    [
      ({ stripe, page }) => stripe.webhook('charge.refund.updated', stripe.refundOf(page)),
      200,
      10,
      'paid refund_failed',
    ],
    [again('refund', true), 200, 10, 'paid refund_failed'],
    [refund(300, 'second'), 200, 7, 'paid refund_failed'],
    [again('failed', true), 200, 7, 'paid refund_failed'],
    [failRefund(), 200, 10, 'paid refund_failed'],
  ],
  'a whole refund that the bank returns makes the order paid again': [
    [pay, 200, 10, 'paid'],
    [refund(), 200, 0, 'refunded'],
    [failRefund('charge.refund.updated'), 200, 10, 'paid refund_failed'],
  ],
  'a refund that failed before it was reported moves nothing': [
    [pay, 200, 10, 'paid'],
    [
      (stage) => {
        refund(400)(stage)
        return failRefund()(stage)
      },
      200,
      10,
      'paid',
    ],
    [again('refund'), 200, 10, 'paid'],
  ],
  'a refund that failed before the payment was reported leaves it whole': [
    [
      (stage) => {
        pay(stage)
        refund(400)(stage)
        return failRefund()(stage)
      },
      200,
      0,
      'pending',
    ],
    [again('paid'), 200, 10, 'paid'],
  ],
  'one of two refunds that the bank returns gives back its own part': [
    [pay, 200, 10, 'paid'],
    [refund(200, 'first'), 200, 8, 'paid'],
    [refund(500, 'second'), 200, 3, 'paid'],
    [failRefund('refund.updated'), 200, 8, 'paid refund_failed'],
    [again('first', true), 200, 8, 'paid refund_failed'],
  ],
  'a forged report of a failed refund gives nothing back': [
    [pay, 200, 10, 'paid'],
    [refund(), 200, 0, 'refunded'],
    [({ stripe, page }) => stripe.webhook('refund.failed', stripe.refundOf(page)), 200, 0, 'refunded'],
    [
      (stage) => {
        const { body } = failRefund()(stage)
        return { body, signature: stage.stripe.sign(body, { secret: 'whsec_guessed' }) }
      },
      400,
      0,
      'refunded',
    ],
  ],
  'a dispute takes the quota back, and gives it again when it is won': [
    [pay, 200, 10, 'paid'],
    [(stage) => keep(stage, 'opened', stage.stripe.dispute(stage.page)), 200, 0, 'disputed'],
    [again('opened'), 200, 0, 'disputed'],
    [(stage) => keep(stage, 'won', stage.stripe.moveDispute(stage.page, 'won')), 200, 10, 'paid'],
    [again('opened', true), 200, 10, 'paid'],
    [again('won', true), 200, 10, 'paid'],
  ],
  'a dispute that is lost keeps the quota away': [
    [pay, 200, 10, 'paid'],
    [({ stripe, page }) => stripe.dispute(page), 200, 0, 'disputed'],
    [({ stripe, page }) => stripe.moveDispute(page, 'lost'), 200, 0, 'disputed'],
  ],
  'the end of a dispute that is reported alone counts': [
    [pay, 200, 10, 'paid'],
    [
      ({ stripe, page }) => {
        stripe.dispute(page)
        return stripe.moveDispute(page, 'lost')
      },
      200,
      0,
      'disputed',
    ],
  ],
  'a dispute of a part takes that part': [
    [pay, 200, 10, 'paid'],
    [({ stripe, page }) => stripe.dispute(page, { amount: 300 }), 200, 7, 'disputed'],
    [({ stripe, page }) => stripe.moveDispute(page, 'lost'), 200, 7, 'disputed'],
    // A second one does not give back what the first took.
    [({ stripe, page }) => stripe.dispute(page, { amount: 200 }), 200, 5, 'disputed'],
    [({ stripe, page }) => stripe.moveDispute(page, 'won'), 200, 7, 'disputed'],
  ],
  'an inquiry takes nothing until it becomes a dispute': [
    [pay, 200, 10, 'paid'],
    [({ stripe, page }) => stripe.dispute(page, { status: 'warning_needs_response' }), 200, 10, 'paid'],
    [
      ({ stripe, page }) => stripe.moveDispute(page, 'needs_response', 'charge.dispute.funds_withdrawn'),
      200,
      0,
      'disputed',
    ],
  ],
  'an inquiry that ends without one takes nothing': [
    [pay, 200, 10, 'paid'],
    [({ stripe, page }) => stripe.dispute(page, { status: 'warning_needs_response' }), 200, 10, 'paid'],
    [({ stripe, page }) => stripe.moveDispute(page, 'warning_closed'), 200, 10, 'paid'],
  ],
  'what is refunded and disputed is taken back together, and no more than was paid': [
    [pay, 200, 10, 'paid'],
    [refund(400), 200, 6, 'paid'],
    [({ stripe, page }) => stripe.dispute(page, { amount: 600 }), 200, 0, 'disputed'],
    [({ stripe, page }) => stripe.moveDispute(page, 'won'), 200, 6, 'paid'],
  ],
}

describe.each(kinds)('reports of Stripe (%s)', (kind) => {
  let world: StripeSite
  beforeAll(async () => {
    world = await aStripeSite(kind)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test.each(Object.entries(cases))('%s', async (_title, steps) => {
    const user = await world.aUser()
    const order = await aStripeOrder(world, user)
    const stage: Stage = { world, stripe: world.stripe, ...order, kept: new Map() }
    const seen: unknown[] = []
    for (const [report] of steps) {
      const status = await world.report(await report(stage))
      const { status: state, problem } = await world.rowOf(order.number)
      seen.push([status, (await user.free()) / 500_000, problem === '' ? state : `${state} ${problem}`])
    }
    expect(seen).toEqual(steps.map((step) => step.slice(1)))
  })
  test('balances are consistent after reports of Stripe', async () => expect(await world.differences()).toEqual([]))
})
