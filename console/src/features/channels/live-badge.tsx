import type { channelRoutes } from '@tollgate/contract'

import { StatusBadge, type Tone } from '../../components/status-badge'
import { formatDuration } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'

const tones: Readonly<Record<Exclude<channelRoutes.LiveState, 'steady'>, Tone>> = {
  suspect: 'warning',
  ready: 'warning',
  open: 'bad',
  resting: 'warning',
}

interface LiveBadgeProps {
  readonly state: channelRoutes.LiveState
  /** Seconds until it is tried again; 0 or undefined where unknown. */
  readonly secondsLeft?: number
}

/** Current health of calls. Renders nothing while all is well. */
export function LiveBadge({ state, secondsLeft = 0 }: LiveBadgeProps) {
  const { t } = useTranslation('channels')
  if (state === 'steady') return null
  const name = t(`live.${state}`)
  return (
    <StatusBadge tone={tones[state]} reason={t(`live.${state}Hint`)}>
      {secondsLeft > 0 ? `${name} · ${formatDuration(secondsLeft * 1000)}` : name}
    </StatusBadge>
  )
}
