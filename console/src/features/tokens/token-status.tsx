import { tokenStatus, type tokenRoutes } from '@tollgate/contract'

import { StatusBadge, type Tone } from '../../components/status-badge'
import { useTranslation } from '../../lib/text/i18n'
import { modelsOf } from './token-lists'

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
      <StatusBadge tone="good" reason={models.length > 0 ? listed(models) : t('status.noModels')}>
        {t('status.limited')}
      </StatusBadge>
    )
  return <StatusBadge tone={states[status].tone}>{t(`status.${states[status].name}`)}</StatusBadge>
}

const mostListed = 12

const listed = (models: readonly string[]) =>
  models.slice(0, mostListed).join('\n') + (models.length > mostListed ? '\n…' : '')
