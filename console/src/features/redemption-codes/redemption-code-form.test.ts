import { expect, test } from 'bun:test'
import { redemptionRoutes } from '@tollgate/contract'

import { aRedemptionCode } from '../../../test/redemption-code-factory'
import {
  redemptionCodeSchema,
  fieldsOf,
  newRedemptionCodeValues,
  valuesOf,
  type RedemptionCodeFault,
  type RedemptionCodeValues,
} from './redemption-code-form'

const { maxQuotaDays, maxRedemptionNameLength, maxRedemptionQuota, maxRedemptionCodes, redemptionKeyLengths } =
  redemptionRoutes
const valid: RedemptionCodeValues = { ...newRedemptionCodeValues, name: 'Spring' }

/** Returns the faults of a drawer with these values, as “field fault”. */
function faultsOf(values: Partial<RedemptionCodeValues>): string[] {
  const { error } = redemptionCodeSchema((fault: RedemptionCodeFault) => fault).safeParse({ ...valid, ...values })
  return error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? []
}

test.each<[Partial<RedemptionCodeValues>, string[]]>([
  [{}, []],
  [{ name: '' }, ['name name']],
  [{ name: '   ' }, ['name name']],
  [{ name: 'n'.repeat(maxRedemptionNameLength) }, []],
  [{ name: 'n'.repeat(maxRedemptionNameLength + 1) }, ['name name']],
  [{ quota: 0 }, ['quota quota']],
  [{ quota: 1 }, []],
  [{ quota: 1.5 }, ['quota quota']],
  [{ quota: '' }, ['quota quota']],
  [{ quota: maxRedemptionQuota }, []],
  [{ quota: maxRedemptionQuota + 1 }, ['quota quota']],
  [{ count: 0 }, ['count count']],
  [{ count: maxRedemptionCodes }, []],
  [{ count: maxRedemptionCodes + 1 }, ['count count']],
  [{ key: 'k'.repeat(redemptionKeyLengths.least) }, []],
  [{ key: 'k'.repeat(redemptionKeyLengths.least - 1) }, ['key key']],
  [{ key: 'k'.repeat(redemptionKeyLengths.most + 1) }, ['key key']],
  [{ key: `${'k'.repeat(redemptionKeyLengths.least)}!` }, ['key key']],
  [{ quotaDays: '' }, []],
  [{ quotaDays: 1 }, []],
  [{ quotaDays: maxQuotaDays }, []],
  [{ quotaDays: 0 }, ['quotaDays quotaDays']],
  [{ quotaDays: -1 }, ['quotaDays quotaDays']],
  [{ quotaDays: 1.5 }, ['quotaDays quotaDays']],
  [{ quotaDays: maxQuotaDays + 1 }, ['quotaDays quotaDays']],
  [{ isGift: true, maxUses: '' }, []],
  [{ isGift: true, maxUses: 1 }, []],
  [{ isGift: true, maxUses: 0 }, ['maxUses maxUses']],
  [{ validFrom: '2026-03-01 10:00:00', validUntil: '2026-03-01 10:00:01' }, []],
  [{ validFrom: '2026-03-01 10:00:00', validUntil: '2026-03-01 10:00:00' }, ['validUntil time']],
  [{ validFrom: '2026-03-02 10:00:00', validUntil: '2026-03-01 10:00:00' }, ['validUntil time']],
  [{ validFrom: '2026-03-01 10:00:00', validUntil: null }, []],
  [{ validFrom: null, validUntil: '2020-03-01 10:00:00' }, []],
])('a code with %j has the faults %j', (values, faults) => {
  expect(faultsOf(values)).toEqual(faults)
})

test('a new code is sent without a limit of uses or a validity unless they are given', () => {
  expect(fieldsOf({ ...valid, name: ' Spring ', quota: '5000' })).toEqual({
    name: 'Spring',
    quota: 5000,
    quota_days: 0,
    plan_id: 0,
    is_gift: false,
    max_uses: -1,
    valid_from: 0,
    valid_until: 0,
  })
})

test('a code of a plan is sent with its id, and reads as one of a plan', () => {
  expect(fieldsOf({ ...valid, planId: '4' })).toMatchObject({ plan_id: 4 })
  expect(valuesOf(aRedemptionCode({ kind: 'plan', plan: 'Pro', plan_id: 4, quota: 0 }))).toMatchObject({ planId: '4' })
})

test('only gift codes have a limit of uses', () => {
  expect(fieldsOf({ ...valid, isGift: true, maxUses: '3' })).toMatchObject({ is_gift: true, max_uses: 3 })
  expect(fieldsOf({ ...valid, isGift: true, maxUses: '' })).toMatchObject({ is_gift: true, max_uses: -1 })
  expect(fieldsOf({ ...valid, isGift: false, maxUses: '3' })).toMatchObject({ is_gift: false, max_uses: -1 })
})

test('a code that is opened and saved unchanged keeps all its fields', () => {
  const validity = { valid_from: 1_700_000_000, valid_until: 1_800_000_000 }
  const gift = aRedemptionCode({ kind: 'expiring', quota_days: 30, is_gift: true, max_uses: 3, ...validity })
  const { name, quota, quota_days, plan_id, is_gift, max_uses, valid_from, valid_until } = gift
  expect(fieldsOf(valuesOf(gift))).toEqual({
    name,
    quota,
    quota_days,
    plan_id,
    is_gift,
    max_uses,
    valid_from,
    valid_until,
  })
  expect(fieldsOf(valuesOf(aRedemptionCode()))).toMatchObject({ max_uses: -1, valid_from: 0, valid_until: 0 })
  expect(valuesOf(aRedemptionCode({ max_uses: 0 })).maxUses).toBe('')
})
