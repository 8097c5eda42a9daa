import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { kinds } from '../../../test/kinds'
import { stripeCases, type StripeStage } from '../../../test/stripe-cases'
import { aStripeOrder, aStripeSite, type StripeSite } from '../../../test/stripe-site'

setDefaultTimeout(60_000)

describe.each(kinds)('what Stripe reports (%s)', (kind) => {
  let world: StripeSite
  beforeAll(async () => {
    world = await aStripeSite(kind)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test.each(Object.entries(stripeCases))('%s', async (_title, steps) => {
    const user = await world.aUser()
    const order = await aStripeOrder(world, user)
    const stage: StripeStage = { world, stripe: world.stripe, ...order, kept: new Map() }
    const seen: unknown[] = []
    for (const [report] of steps) {
      const status = await world.report(await report(stage))
      const { status: state, problem } = await world.rowOf(order.number)
      seen.push([status, (await user.free()) / 500_000, problem === '' ? state : `${state} ${problem}`])
    }
    expect(seen).toEqual(steps.map((step) => step.slice(1)))
  })
  test('leaves books that agree', async () => expect(await world.differences()).toEqual([]))
})
