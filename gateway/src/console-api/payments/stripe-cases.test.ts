import { setDefaultTimeout } from 'bun:test'

import { again, pay, testReports, type Stage, type Step } from '../../../test/stripe-reports'

setDefaultTimeout(120_000)

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
}

testReports(cases)
