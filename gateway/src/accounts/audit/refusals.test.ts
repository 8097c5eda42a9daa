import { errorCodes, statusOf, type ErrorCode } from '@tollgate/contract'
import { expect, test } from 'bun:test'

import { isRefusal, isUncertain } from './audit-log'

const codes = Object.keys(errorCodes) as ErrorCode[]

test('every code with status 403 is a refusal, but for the question for the password', () => {
  expect(codes.filter((code) => statusOf(code) === 403 && !isRefusal(code))).toEqual(['auth.step_up'])
})

test.each<[ErrorCode, boolean]>([
  ['auth.forbidden', true],
  ['login.failed', true],
  ['factor.wrong', true],
  ['user.rank_edit', true],
  ['order.none', false],
  ['redemption.invalid', false],
  ['quota.bounds', false],
])('%s is a refusal: %p', (code, expected) => expect(isRefusal(code)).toBe(expected))

test('what failed inside the gateway or at a vendor may have happened, and no refusal may', () => {
  const uncertain = codes.filter((code) => isUncertain(code))
  expect(uncertain).toEqual(expect.arrayContaining(['db.error', 'channel.test_failed', 'channel.fetch_failed']))
  expect(codes.filter((code) => statusOf(code) >= 500).filter((code) => !isUncertain(code))).toEqual([])
  expect(uncertain.filter((code) => isRefusal(code))).toEqual([])
})
