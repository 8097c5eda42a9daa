import type { ComponentProps } from 'react'

import { StatCard } from '../../components/stat/stat-card'
import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/format'
import { growth } from './figures'
import type { DashboardView } from './use-dashboard'

interface OverviewFigureProps extends Omit<ComponentProps<typeof StatCard>, 'note'> {
  readonly note?: string
  /** Compared with the previous span; its number of days where it is a usual range. */
  readonly change?: { readonly now: number; readonly before: number; readonly days: DashboardView['quick'] }
}

/** A figure and its change. */
export function OverviewFigure({ note, change, ...card }: OverviewFigureProps) {
  return (
    <StatCard
      {...card}
      note={
        <>
          {note && <span>{note}</span>}
          {change && <Change {...change} />}
        </>
      }
    />
  )
}

/** A smaller change would read "0%". */
const minShown = 0.005

/** Renders "▲ 12% vs previous 24 h", or nothing without a comparison. */
function Change({ now, before, days }: NonNullable<OverviewFigureProps['change']>) {
  const { t } = useTranslation('dashboard')
  const { share } = useFormat()
  const grown = growth(now, before)
  if (grown === undefined || Math.abs(grown) < minShown) return null
  const than = days === undefined ? t('card.before') : t('card.beforeDays', { range: t(`range.${days}`) })
  return (
    <span>
      {grown > 0 ? '▲' : '▼'} {share(Math.abs(grown))} {than}
    </span>
  )
}
