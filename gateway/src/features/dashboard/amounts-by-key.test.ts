import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { figures } from '../../analytics/dimensions'
import { AmountsByKey, amountsOf, totalsOf } from './amounts-by-key'

const [countAt, errorsAt, quotaAt] = [figures.indexOf('count'), figures.indexOf('errors'), figures.indexOf('quota')]

/** Few keys and figures, so that there are equal ones, and more keys than there is room for at first. */
const someAdded = fc.array(
  fc.tuple(fc.nat(200), fc.array(fc.nat(3), { minLength: figures.length, maxLength: figures.length })),
  { size: '+2' },
)

function summed(added: readonly (readonly [number, readonly number[]])[]) {
  const sums = new Map<number, number[]>()
  for (const [key, amounts] of added) {
    const known = sums.get(key) ?? figures.map(() => 0)
    sums.set(
      key,
      known.map((sum, at) => sum + (amounts[at] ?? 0)),
    )
  }
  return [...sums]
}

const plain = (found: ReturnType<AmountsByKey['all']>) => found.map(([key, sums]) => [key, Array.from(sums)])

test('what is added is summed by key, and the largest come in their order', () => {
  fc.assert(
    fc.property(someAdded, fc.integer({ min: 1, max: 60 }), (added, most) => {
      const amounts = new AmountsByKey()
      for (const [key, part] of added) amounts.add(key, part)
      const expected = summed(added)
      expect(plain(amounts.all())).toEqual(expected)
      const more = (at: number) => (one: number[], other: number[]) => (other[at] ?? 0) - (one[at] ?? 0)
      const ordered = expected.toSorted(
        ([oneKey, one], [otherKey, other]) =>
          more(quotaAt)(one, other) || more(countAt)(one, other) || more(errorsAt)(one, other) || oneKey - otherKey,
      )
      expect(plain(amounts.largest(most))).toEqual(ordered.slice(0, most))
    }),
  )
})

test('amounts are totals by their names', () => {
  const totals = { count: 1, errors: 2, quota: 3, prompt_tokens: 4, completion_tokens: 5, use_time: 6 }
  expect(totalsOf(amountsOf(totals))).toEqual(totals)
})
