import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { Semaphore } from './semaphore'

type Turn =
  | { readonly kind: 'come' }
  | { readonly kind: 'leave'; readonly callIndex: number }
  | { readonly kind: 'give-up'; readonly callIndex: number }
  | { readonly kind: 'resize'; readonly slots: number }

const anyIndex = fc.nat({ max: 40 })
const turns = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant<Turn>({ kind: 'come' }) },
    { weight: 3, arbitrary: anyIndex.map<Turn>((index) => ({ kind: 'leave', callIndex: index })) },
    { weight: 2, arbitrary: anyIndex.map<Turn>((index) => ({ kind: 'give-up', callIndex: index })) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 5 }).map<Turn>((slots) => ({ kind: 'resize', slots })) },
  ),
  { maxLength: 120 },
)

describe('a semaphore', () => {
  test('a semaphore keeps its number of places, is first in, first out, and leaves no free place unused', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), turns, (initialPlaces, schedule) => {
        const semaphore = new Semaphore(initialPlaces)
        let slots = initialPlaces
        let arrivals = 0
        /** By arrival. */
        const inside: number[] = []
        const waiting = new Map<number, () => void>()
        const letIn: number[] = []

        for (const turn of schedule) {
          if (turn.kind === 'come') {
            const arrival = (arrivals += 1)
            if (semaphore.take()) inside.push(arrival)
            else {
              waiting.set(
                arrival,
                semaphore.join(() => {
                  waiting.delete(arrival)
                  inside.push(arrival)
                  letIn.push(arrival)
                }),
              )
            }
          } else if (turn.kind === 'leave' && inside.length > 0) {
            inside.splice(turn.callIndex % inside.length, 1)
            semaphore.leave()
          } else if (turn.kind === 'give-up' && waiting.size > 0) {
            const [arrival, leaveLine] = [...waiting][turn.callIndex % waiting.size] ?? [0, () => {}]
            waiting.delete(arrival)
            leaveLine()
            leaveLine()
          } else if (turn.kind === 'resize') {
            slots = turn.slots
            semaphore.resize(slots)
          }
          expect([semaphore.inside, semaphore.waiting]).toEqual([inside.length, waiting.size])
          if (waiting.size > 0) expect(semaphore.inside).toBeGreaterThanOrEqual(slots)
        }
        expect(letIn).toEqual(letIn.toSorted((one, other) => one - other))

        while (inside.length > 0) {
          inside.pop()
          semaphore.leave()
        }
        expect([semaphore.inside, semaphore.waiting, waiting.size]).toEqual([0, 0, 0])
      }),
    )
  })

  test('a semaphore never has more inside than its places, while their number stays the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(fc.boolean()), (slots, schedule) => {
        const semaphore = new Semaphore(slots)
        for (const isComing of schedule) {
          if (isComing && !semaphore.take()) semaphore.join(() => {})
          if (!isComing && semaphore.inside > 0) semaphore.leave()
          expect(semaphore.inside).toBeLessThanOrEqual(slots)
        }
      }),
    )
  })

  test('a call that leaves as soon as it is let in lets the next one in', () => {
    const semaphore = new Semaphore(1)
    semaphore.take()
    const served: number[] = []
    for (const name of [1, 2, 3]) {
      semaphore.join(() => {
        served.push(name)
        semaphore.leave()
      })
    }
    semaphore.leave()
    expect([served, semaphore.inside, semaphore.waiting]).toEqual([[1, 2, 3], 0, 0])
  })
})
