import { Group, Text } from '@mantine/core'
import type { tokenRoutes } from '@tollgate/contract'

import { Money } from '../../domain/money'
import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'
import classes from './tokens.module.css'

/** Share spent from which the bar warns. */
const nearlySpent = 0.9

/** What a token has spent of its quota, and what is left. */
export function TokenQuota({ token }: { readonly token: tokenRoutes.TokenEntity }) {
  const { t } = useTranslation('tokens')
  const { share } = useFormat()
  const { used_quota: used, remain_quota: left, unlimited_quota: isUnlimited } = token
  if (isUnlimited)
    return (
      <Group gap={6} wrap="nowrap" display="inline-flex">
        <Text inherit>{t('quota.unlimited')}</Text>
        {used > 0 && (
          <Text inherit c="dimmed">
            {t('quota.used')} <Money quota={used} />
          </Text>
        )}
      </Group>
    )
  const total = used + Math.max(left, 0)
  const spent = total > 0 ? used / total : 1
  return (
    <div className={classes.quota}>
      <Group justify="space-between" gap={10} wrap="nowrap">
        <span>
          <span className={classes.quiet}>{t('quota.left')}</span> <Money quota={left} />
        </span>
        <span className={classes.quiet}>
          {t('quota.used')} <Money quota={used} />
        </span>
      </Group>
      <div className={classes.bar} role="img" aria-label={t('quota.share', { share: share(spent) })}>
        <div data-is-low={spent >= nearlySpent || undefined} style={{ width: `${Math.min(spent, 1) * 100}%` }} />
      </div>
    </div>
  )
}
