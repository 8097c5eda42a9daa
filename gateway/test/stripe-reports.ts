import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import type { StripeWebhook } from '@tollgate/simulator'

import { kinds } from './kinds'
import { aStripeOrder, aStripeSite, type StripeSite } from './stripe-site'

/** An order of ten dollars for ten US dollars, on its way through a case. */
export interface Stage {
  readonly world: StripeSite
  readonly stripe: StripeSite['stripe']
  readonly number: string
  readonly page: string
  /** What was reported, by name. */
  readonly endpoints: Map<string, StripeWebhook>
}

/** The report, the response that Stripe gets, the balance in dollars after it, and the state of the order. */
export type Step = readonly [
  report: (stage: Stage) => Sent | Promise<Sent>,
  status: number,
  dollars: number,
  state: string,
]
type Sent = Pick<StripeWebhook, 'body' | 'signature'>

/** Keeps a webhook for a later step. */
export const keep = (stage: Stage, name: string, webhook: StripeWebhook): StripeWebhook => {
  stage.endpoints.set(name, webhook)
  return webhook
}
/** A recorded webhook, sent once more: as it was, or signed again, as Stripe does. */
export const again =
  (name: string, isSignedAnew = false) =>
  ({ endpoints, stripe }: Stage): Sent => {
    const webhook = endpoints.get(name)
    if (!webhook) throw new Error(`Nothing is recorded as ${name}`)
    return isSignedAnew ? { body: webhook.body, signature: stripe.sign(webhook.body) } : webhook
  }
export const pay = (stage: Stage) => keep(stage, 'paid', stage.stripe.pay(stage.page))

/** Tests what may be reported about a payment, by the required result. */
export function testReports(cases: Readonly<Record<string, readonly Step[]>>): void {
  describe.each(kinds)('reports of Stripe (%s)', (kind) => {
    let world: StripeSite
    beforeAll(async () => {
      world = await aStripeSite(kind)
    })
    afterAll(() => world[Symbol.asyncDispose]())

    test.each(Object.entries(cases))('%s', async (_title, steps) => {
      const user = await world.aUser()
      const order = await aStripeOrder(world, user)
      const stage: Stage = { world, stripe: world.stripe, ...order, endpoints: new Map() }
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
}
