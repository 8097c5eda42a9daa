import { redemptionRoutes } from '@tollgate/contract'
import dayjs from 'dayjs'
import * as z from 'zod'

import type { Coupon } from './use-coupons'

/** What the drawer edits. */
export interface CouponValues {
  name: string
  quota: number | string
  count: number | string
  /** Empty: made by the gateway. */
  key: string
  isGift: boolean
  /** Empty: without limit. */
  maxUses: number | string
  validFrom: string | null
  validUntil: string | null
}

/** The specification's defaults. */
export const newCouponValues: CouponValues = {
  name: '',
  quota: 100_000,
  count: 1,
  key: '',
  isGift: false,
  maxUses: '',
  validFrom: null,
  validUntil: null,
}

const pickerFormat = 'YYYY-MM-DD HH:mm:ss'
const pickerTime = (unixSeconds: number) => (unixSeconds > 0 ? dayjs.unix(unixSeconds).format(pickerFormat) : null)
const secondsOf = (picked: string | null) => (picked === null ? 0 : dayjs(picked).unix())

export const valuesOf = (coupon: Coupon): CouponValues => ({
  ...newCouponValues,
  name: coupon.name,
  quota: coupon.quota,
  isGift: coupon.is_gift,
  maxUses: coupon.max_uses > 0 ? coupon.max_uses : '',
  validFrom: pickerTime(coupon.valid_from),
  validUntil: pickerTime(coupon.valid_until),
})

/** What is sent of these values, whether the code is new or not. */
export const fieldsOf = (values: CouponValues) => ({
  name: values.name.trim(),
  quota: Number(values.quota),
  is_gift: values.isGift,
  max_uses: values.isGift && values.maxUses !== '' ? Number(values.maxUses) : -1,
  valid_from: secondsOf(values.validFrom),
  valid_until: secondsOf(values.validUntil),
})

export type CouponFault = 'name' | 'quota' | 'count' | 'key' | 'maxUses' | 'time'

const { longestRedemptionName, largestRedemptionQuota, mostRedemptionCodes, redemptionKeyLengths } = redemptionRoutes

const isWhole = (value: unknown, least: number, most: number) =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
const lettersOf = (text: string) => Array.from(text.trim()).length
const keyForm = new RegExp(`^([\\w-]{${redemptionKeyLengths.least},${redemptionKeyLengths.most}})?$`)

/** The rules of the drawer; `say` has a fault's sentence. */
export function couponSchema(say: (fault: CouponFault) => string) {
  return z
    .object({
      name: z.string().refine((name) => lettersOf(name) > 0 && lettersOf(name) <= longestRedemptionName, say('name')),
      quota: z.unknown().refine((quota) => isWhole(quota, 1, largestRedemptionQuota), say('quota')),
      count: z.unknown().refine((count) => isWhole(count, 1, mostRedemptionCodes), say('count')),
      key: z.string().refine((key) => keyForm.test(key.trim()), say('key')),
      isGift: z.boolean(),
      maxUses: z.unknown().refine((uses) => uses === '' || isWhole(uses, 1, 1e9), say('maxUses')),
      validFrom: z.string().nullable(),
      validUntil: z.string().nullable(),
    })
    .refine(({ validFrom, validUntil }) => !validFrom || !validUntil || secondsOf(validFrom) < secondsOf(validUntil), {
      path: ['validUntil'],
      message: say('time'),
    })
}

/** Where a refusal of the server belongs. */
export const fieldOfRefusal = {
  'redemption.name': 'name',
  'redemption.quota': 'quota',
  'redemption.count_none': 'count',
  'redemption.count_many': 'count',
  'redemption.key': 'key',
  'redemption.exists': 'key',
  'redemption.max_uses': 'maxUses',
  'redemption.time': 'validUntil',
} as const
