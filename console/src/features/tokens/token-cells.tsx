import { tokenStatus, type tokenRoutes } from '@tollgate/contract'
import { Group, Text } from '@mantine/core'

import classes from './tokens.module.css'
import { StatusBadge, type Tone } from '../../components/status-badge'
import { useTranslation } from '../../lib/text/i18n'
import { modelsOf } from './token-text'
import { Money } from '../../domain/money'
import { useFormat } from '../../lib/text/use-format'

const states = {
  [tokenStatus.enabled]: { tone: 'good', name: 'enabled' },
  [tokenStatus.disabled]: { tone: 'neutral', name: 'disabled' },
  [tokenStatus.expired]: { tone: 'warning', name: 'expired' },
  [tokenStatus.exhausted]: { tone: 'bad', name: 'exhausted' },
} as const satisfies Record<number, { tone: Tone; name: string }>

const isKnown = (status: number): status is keyof typeof states => status in states

/** Current status of a token; an enabled one also shows whether it is limited to some models. */
export function TokenStatus({ token }: { readonly token: tokenRoutes.TokenEntity }) {
  const { t } = useTranslation('tokens')
  const { status } = token
  if (!isKnown(status)) return <StatusBadge tone="neutral">{t('status.unknown')}</StatusBadge>
  const models = token.model_limits_enabled ? modelsOf(token.model_limits) : []
  if (status === tokenStatus.enabled && token.model_limits_enabled)
    return (
      <StatusBadge tone="good" reason={models.length > 0 ? listModels(models) : t('status.noModels')}>
        {t('status.limited')}
      </StatusBadge>
    )
  return <StatusBadge tone={states[status].tone}>{t(`status.${states[status].name}`)}</StatusBadge>
}

const maxListed = 12

const listModels = (models: readonly string[]) =>
  models.slice(0, maxListed).join('\n') + (models.length > maxListed ? '\n…' : '')

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
