import { redemptionRoutes } from '@tollgate/contract'

import { StatusBadge, type Tone } from '../../components/status-badge'
import { useTranslation } from '../../lib/text/i18n'
import type { Coupon } from './use-coupons'

const { redemptionStatus: status } = redemptionRoutes

const states = {
  [status.unused]: { name: 'unused', tone: 'good' },
  [status.disabled]: { name: 'disabled', tone: 'bad' },
  [status.used]: { name: 'used', tone: 'neutral' },
} as const satisfies Record<number, { name: string; tone: Tone }>

const isKnown = (value: number): value is keyof typeof states => value in states

/** Whether a code can be redeemed now. */
export function isRedeemable(coupon: Coupon, now: number): boolean {
  return coupon.status === status.unused && (coupon.valid_until === 0 || coupon.valid_until >= now)
}

/** Status and validity of a code. */
export function CouponStatus({ coupon, now }: { readonly coupon: Coupon; readonly now: number }) {
  const { t } = useTranslation('coupons')
  if (!isKnown(coupon.status)) return <StatusBadge tone="neutral">{t('status.unknown')}</StatusBadge>
  if (coupon.status === status.unused && coupon.valid_until > 0 && coupon.valid_until < now)
    return <StatusBadge tone="warning">{t('status.expired')}</StatusBadge>
  if (coupon.status === status.unused && coupon.valid_from > now)
    return <StatusBadge tone="warning">{t('status.waiting')}</StatusBadge>
  if (coupon.status === status.unused && coupon.is_gift && coupon.used_count > 0)
    return <StatusBadge tone="good">{t('status.inUse')}</StatusBadge>
  const { name, tone } = states[coupon.status]
  return <StatusBadge tone={tone}>{t(`status.${name}`)}</StatusBadge>
}
