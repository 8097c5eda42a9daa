import { redemptionRoutes } from '@tollgate/contract'
import { Text } from '@mantine/core'

import { StatusBadge, type Tone } from '../../components/status-badge'
import { useTranslation } from '../../lib/text/i18n'
import type { RedemptionCode } from './redemption-code-data'
import { Money } from '../../domain/money'
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
export function isRedeemable(code: RedemptionCode, now: number): boolean {
  return code.status === status.unused && (code.valid_until === 0 || code.valid_until >= now)
}

/** Status and validity of a code. */
export function RedemptionCodeStatus({ code, now }: { readonly code: RedemptionCode; readonly now: number }) {
  const { t } = useTranslation('redemption-codes')
  if (!isKnown(code.status)) return <StatusBadge tone="neutral">{t('status.unknown')}</StatusBadge>
  if (code.status === status.unused && code.valid_until > 0 && code.valid_until < now)
    return <StatusBadge tone="warning">{t('status.expired')}</StatusBadge>
  if (code.status === status.unused && code.valid_from > now)
    return <StatusBadge tone="warning">{t('status.waiting')}</StatusBadge>
  if (code.status === status.unused && code.is_gift && code.used_count > 0)
    return <StatusBadge tone="good">{t('status.inUse')}</StatusBadge>
  const { name, tone } = states[code.status]
  return <StatusBadge tone={tone}>{t(`status.${name}`)}</StatusBadge>
}

/** What a code is worth, and after how many days it expires. */
export function RedemptionCodeQuota({ code: { quota, quota_days: days, plan } }: { readonly code: RedemptionCode }) {
  const { t } = useTranslation('redemption-codes')
  if (plan) return plan
  return (
    <>
      <Money quota={quota} />
      {days > 0 && (
        <Text inherit span c="dimmed">
          {' · '}
          {t('expiresAfter', { count: days })}
        </Text>
      )}
    </>
  )
}

/** Who redeemed a code and when; for a gift code, how often. */
export function RedemptionCodeUses({ code }: { readonly code: RedemptionCode }) {
  const { t } = useTranslation('redemption-codes')
  const { number } = useFormat()
  const { is_gift: isGift, used_count: used, max_uses: maxUses, used_username: username, redeemed_time: at } = code
  if (isGift)
    return (
      <span className="figures">
        {maxUses > 0
          ? t('uses.of', { used: number(used), most: number(maxUses) })
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
export function RedemptionCodeWindow({
  code: { valid_from: from, valid_until: until },
}: {
  readonly code: RedemptionCode
}) {
  const { t } = useTranslation('redemption-codes')
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
