import { expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { movedPriority } from './use-priority-drag'

const list = [20, 10, 10, 9, 0].map((priority, id) => ({ id, priority }))

test.each([
  ['to the top: a tier of its own, with room below it', 3, 0, 30],
  ['to the end: a tier of its own, with room above it', 0, 5, -10],
  ['between two tiers: the middle', 4, 1, 15],
  ['into a tier: its priority', 0, 2, 10],
  ['up between neighbours without a number between them: the upper one', 4, 3, 10],
  ['down between neighbours without a number between them: the lower one', 0, 3, 9],
  ['to where it stands: nothing', 1, 1, null],
  ['to behind itself: nothing', 1, 2, null],
  ['within its tier: nothing', 2, 1, 15],
])('%s', (_, from, to, expected) => {
  expect(movedPriority(list, from, to)).toBe(expected)
})

test('the end of a page that others follow joins the last tier of the page', () => {
  expect(movedPriority(list, 0, 5, { isOpenEnd: true })).toBe(0)
})

test('the lowest priority is never passed', () => {
  expect(
    movedPriority(
      [
        { id: 1, priority: 5 },
        { id: 2, priority: -995 },
      ],
      0,
      2,
    ),
  ).toBe(-999)
})

test('a moved channel is placed between its new neighbours, or in the tier of one of them', () => {
  const priorities = fc.array(fc.integer({ min: -900, max: 900 }), { minLength: 2, maxLength: 12 })
  fc.assert(
    fc.property(priorities, fc.nat(), fc.nat(), (found, fromSeed, toSeed) => {
      const placed = [...found].sort((one, other) => other - one).map((priority, id) => ({ id, priority }))
      const [from, to] = [fromSeed % placed.length, toSeed % (placed.length + 1)]
      const next = movedPriority(placed, from, to)
      if (next === null) return
      const [above, below] = [placed[to - 1]?.priority ?? Infinity, placed[to]?.priority ?? -Infinity]
      expect(next).toBeLessThanOrEqual(above)
      expect(next).toBeGreaterThanOrEqual(below)
    }),
  )
})
