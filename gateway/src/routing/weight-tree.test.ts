import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { WeightTree } from './weight-tree'

/** The same by walking over what is left. */
function takenByWalking(weights: readonly number[], shares: readonly number[]): number[] {
  const left = weights.map((weight, index) => ({ weight, index }))
  return shares.slice(0, weights.length).map((share) => {
    let mark = share * left.reduce((sum, { weight }) => sum + weight, 0)
    const at = left.findIndex(({ weight }) => (mark -= weight) < 0)
    return left.splice(at, 1)[0]?.index ?? -1
  })
}

test('takes the places that walking over the weights would find, each once', () => {
  const weights = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 70 })
  // Halves of halves, so that both ways count without rounding.
  const shares = fc.array(
    fc.integer({ min: 0, max: 1023 }).map((part) => part / 1024),
    { minLength: 70, maxLength: 70 },
  )
  fc.assert(
    fc.property(weights, shares, (weights, shares) => {
      const tree = new WeightTree(weights)
      const taken = weights.map((_, index) => tree.take((shares[index] ?? 0) * tree.total))
      expect(taken).toEqual(takenByWalking(weights, shares))
      expect(tree.total).toBe(0)
    }),
  )
})
