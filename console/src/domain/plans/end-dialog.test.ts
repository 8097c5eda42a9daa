import { expect, test } from 'bun:test'

import { aUserSubscription, dollars } from '../../../test/plan-factories'
import { restOf } from './end-dialog'

const subscription = aUserSubscription({ price: dollars(20), paid: dollars(20), starts_at: 1000, ends_at: 2000 })

test.each([
  ['before the term begins the whole price', 900, {}, dollars(20)],
  ['a quarter before its end a quarter', 1750, {}, dollars(5)],
  ['after its end nothing', 2100, {}, 0],
  ['no more than was paid', 1250, { paid: dollars(3) }, dollars(3)],
])('what is left of a term is %s', (_, now, fields, rest) => {
  expect(restOf({ ...subscription, ...fields }, now)).toBe(rest)
})
