import { setDefaultTimeout } from 'bun:test'

import type { StripeWebhook } from '@tollgate/simulator'

import { again, keep, pay, testReports, type Stage, type Step } from '../../../test/stripe-reports'

setDefaultTimeout(120_000)

const refund =
  (amount?: number, name = 'refund') =>
  (stage: Stage) =>
    keep(stage, name, stage.stripe.refund(stage.page, amount))

const failRefund =
  (type?: string) =>
  (stage: Stage): StripeWebhook =>
    keep(stage, 'failed', stage.stripe.failRefund(stage.page, type))

/** What may be reported of money that goes back, by the required result. */
const cases: Readonly<Record<string, readonly Step[]>> = {
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

testReports(cases)
