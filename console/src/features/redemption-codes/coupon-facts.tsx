import { Text } from '@mantine/core'

import { TimeAgo } from '../../components/time-ago'
import { formatTime } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'
import type { Coupon } from './use-coupons'

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
