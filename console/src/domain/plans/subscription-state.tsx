import type { planRoutes } from '@tollgate/contract'

import { StatusBadge } from '../../components/status-badge'
import { Tip } from '../../components/tip'
import { formatDay, formatTime } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'

type Subscription = Pick<planRoutes.Subscription, 'state' | 'renews' | 'ends_at'>

export function SubscriptionBadge({ subscription: { state } }: { readonly subscription: Pick<Subscription, 'state'> }) {
  const { t } = useTranslation('plan')
  return <StatusBadge tone={state === 'active' ? 'good' : 'neutral'}>{t(`state.${state}`)}</StatusBadge>
}

/** When a subscription ends or renews; the exact time on hover. */
export function SubscriptionEnd({ subscription }: { readonly subscription: Subscription }) {
  const { t } = useTranslation('plan')
  const { state, renews, ends_at: at } = subscription
  const key = state === 'ended' ? 'endedOn' : renews ? 'renews' : 'ends'
  return (
    <Tip label={<span className="figures">{formatTime(at)}</span>}>
      <span>{t(key, { date: formatDay(at) })}</span>
    </Tip>
  )
}
