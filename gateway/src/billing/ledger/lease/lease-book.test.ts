import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { LeaseBook, leaseSize } from './lease-book'

type Step =
  | { kind: 'grant' | 'reserve'; amount: number }
  | { kind: 'release' | 'apply' | 'give back' | 'end' }
  | { kind: 'charge'; cost: number }

const amount = fc.integer({ min: 0, max: 1000 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('grant' as const, 'reserve' as const), amount }),
  fc.record({ kind: fc.constantFrom('release' as const, 'apply' as const, 'give back' as const, 'end' as const) }),
  fc.record({ kind: fc.constant('charge' as const), cost: amount }),
)

/** The same arithmetic told as a story: what came in, what went out, what runs. */
class Model {
  granted = 0
  spent = 0
  returned = 0
  unapplied = 0
  running: number[] = []
  get reserved() {
    return this.running.reduce((sum, amount) => sum + amount, 0)
  }
}

function take(step: Step, book: LeaseBook, model: Model) {
  if (step.kind === 'grant') {
    book.grant(step.amount)
    model.granted += step.amount
  } else if (step.kind === 'reserve') {
    if (book.available < step.amount) return
    book.reserve(step.amount)
    model.running.push(step.amount)
  } else if (step.kind === 'give back') model.returned += book.giveBack()
  else if (step.kind === 'end') {
    if (book.isSettled) model.returned += book.end()
  } else if (step.kind === 'apply') {
    if (model.unapplied === 0) return
    book.markApplied()
    model.unapplied -= 1
  } else {
    const reserved = model.running.shift()
    if (reserved === undefined) return
    if (step.kind !== 'charge') return book.release(reserved)
    book.charge(reserved, step.cost)
    model.spent += step.cost
    model.unapplied += 1
  }
}

test('whatever happens, what is held is what came in less what was spent and given back', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const book = new LeaseBook()
      const model = new Model()
      for (const each of steps) {
        take(each, book, model)
        expect(book.held).toBe(model.granted - model.spent - model.returned)
        expect(book.reserved).toBe(model.reserved)
        expect(book.available).toBe(book.held - book.reserved)
        expect(book.pending).toBe(model.unapplied)
        expect(book.isSettled).toBe(model.running.length === 0 && model.unapplied === 0)
        expect(book.isInUse).toBe(model.running.length > 0)
      }
    }),
  )
})

test('what is given back was not reserved', () => {
  const book = new LeaseBook()
  book.grant(100)
  book.reserve(30)
  expect(book.giveBack()).toBe(70)
  expect(book.giveBack()).toBe(0)
  expect(book.available).toBe(0)
})

test('a call that reserved nothing keeps the lease unsettled until it ends', () => {
  const book = new LeaseBook()
  book.reserve(0)
  book.reserve(0)
  book.merge()
  expect(book.isSettled).toBe(false)
  book.release(0)
  expect(book.isSettled).toBe(true)
})

test('an excess is made good before the next call is covered', () => {
  const book = new LeaseBook()
  book.grant(10)
  book.reserve(10)
  book.charge(10, 25)
  expect(book.available).toBe(-15)
  expect(book.giveBack()).toBe(0)
})

test.each([
  [1600, 10, 500, 100],
  [1600, 10, 50, 50],
  [1600, 200, 500, 200],
  [15, 10, 500, 10],
  [10, 10, 500, 10],
  [9, 10, 500, null],
  [0, 0, 0, 0],
  [-5, 0, 100, null],
])('a lease of %d free, %d missing and %d wanted is %p', (free, missing, requested, size) => {
  expect(leaseSize(free, missing, requested)).toBe(size)
})

test('a lease covers what is missing, never more than is free', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1000, max: 100_000 }), amount, amount, (free, missing, more) => {
      const size = leaseSize(free, missing, missing + more)
      if (size === null) return expect(free).toBeLessThan(missing)
      expect(size).toBeGreaterThanOrEqual(missing)
      expect(size).toBeLessThanOrEqual(Math.max(free, 0))
      expect(size).toBeLessThanOrEqual(Math.max(missing, free / 16))
    }),
  )
})
