import { expect, test } from 'bun:test'

import { createClock } from '../../platform/time/clock'
import { newRequestId } from './request-id'

const at = (time: number) =>
  newRequestId({
    clock: createClock(
      () => time,
      () => 0,
    ),
    random: { number: () => 0, bytes: (length) => new Uint8Array(length).fill(255) },
  })

test('a request id has 26 characters of base 32', () => {
  expect(at(1_700_000_000_000)).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
})

test('request ids sort by time', () => {
  const ids = [0, 1, 31, 32, 1_700_000_000_000, 1_700_000_000_001].map(at)
  expect(ids.toSorted()).toEqual(ids)
})

test('request ids of the same millisecond differ', () => {
  const ids = new Set(
    Array.from({ length: 1000 }, () =>
      newRequestId({
        clock: createClock(
          () => 1,
          () => 0,
        ),
        random: { number: () => 0, bytes: (length) => crypto.getRandomValues(new Uint8Array(length)) },
      }),
    ),
  )
  expect(ids.size).toBe(1000)
})
