import { redemptionRoutes } from '@tollgate/contract'
import { Text } from '@mantine/core'

import { StatusBadge, type Tone } from '../../components/status-badge'
import { useTranslation } from '../../lib/text/i18n'
import type { Coupon } from './redemption-code-data'
import { TimeAgo } from '../../components/time-ago'
import { formatTime } from '../../lib/text/format'
import { useFormat } from '../../lib/text/use-format'

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

/** Who redeemed a code and when; for a gift code, how often. */
export function CouponUses({ coupon }: { readonly coupon: Coupon }) {
  const { t } = useTranslation('coupons')
  const { number } = useFormat()
  const { is_gift: isGift, used_count: used, max_uses: most, used_username: username, redeemed_time: at } = coupon
  if (isGift)
    return (
      <span className="figures">
        {most > 0
          ? t('uses.of', { used: number(used), most: number(most) })
          : t('uses.unlimited', { used: number(used) })}
      </span>
    )
  if (used === 0)
    return (
      <Text inherit span c="dimmed">
        {t('uses.none')}
      </Text>
    )
  return (
    <>
      {username}{' '}
      <Text inherit span c="dimmed">
        <TimeAgo at={at} />
      </Text>
    </>
  )
}

/** When a code can be redeemed. */
export function CouponWindow({ coupon: { valid_from: from, valid_until: until } }: { readonly coupon: Coupon }) {
  const { t } = useTranslation('coupons')
  if (from === 0 && until === 0)
    return (
      <Text inherit span c="dimmed">
        {t('window.always')}
      </Text>
    )
  return (
    <Text inherit span className="figures" style={{ whiteSpace: 'nowrap' }}>
      {from > 0 && t('window.from', { time: formatTime(from) })}
      {from > 0 && until > 0 && <br />}
      {until > 0 && t('window.until', { time: formatTime(until) })}
    </Text>
  )
}
