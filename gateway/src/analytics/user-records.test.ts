import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { figures, spans } from './dimensions'
import { packRecords, readRecords, type UserRecord, type Users } from './user-records'

const day = 20_000 * spans.day

const aRecord = fc.record({
  start: fc.integer({ min: 0, max: 23 }).map((hour) => day + hour * spans.hour),
  userId: fc.maxSafeNat(),
  amounts: fc.array(fc.oneof(fc.nat(300), fc.maxSafeNat()), { minLength: figures.length, maxLength: figures.length }),
})

function recordsIn(bytes: Uint8Array, users?: Users): UserRecord[] {
  const found: UserRecord[] = []
  readRecords(bytes, day, (start, userId, amounts) => found.push({ start, userId, amounts: [...amounts] }), users)
  return found
}

describe('records of users', () => {
  test('are read as they were packed', () => {
    fc.assert(
      fc.property(fc.array(aRecord), (records) => {
        expect(recordsIn(packRecords(records))).toEqual(records)
      }),
    )
  })

  test('that are appended to others are among them', () => {
    fc.assert(
      fc.property(fc.array(aRecord), fc.array(aRecord), (first, later) => {
        const bytes = Buffer.concat([packRecords(first), packRecords(later)])
        expect(recordsIn(bytes)).toEqual([...first, ...later])
      }),
    )
  })

  test('of other users than those asked for are passed over', () => {
    fc.assert(
      fc.property(fc.array(aRecord), fc.func(fc.boolean()), (records, has) => {
        const users = { has: (userId: number) => has(userId) }
        expect(recordsIn(packRecords(records), users)).toEqual(records.filter(({ userId }) => users.has(userId)))
      }),
    )
  })

  test('take little more room than their figures', () => {
    const [record] = [{ start: day, userId: 100_000, amounts: [1, 0, 5000, 900, 300, 4] }]
    expect(packRecords([record]).length).toBe(14)
  })

  test('hold nothing of what is no whole number from 0 on, and hold up nothing', () => {
    for (const amount of [-1, 0.5, Number.NaN, 2 ** 53]) {
      const amounts = [1, 2, amount, 3, 4, 5]
      expect(recordsIn(packRecords([{ start: day, userId: 1, amounts }]))).toEqual([
        { start: day, userId: 1, amounts: amounts.with(2, 0) },
      ])
    }
  })
})
