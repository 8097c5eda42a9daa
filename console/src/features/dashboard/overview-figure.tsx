import { Skeleton } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

import { Sparkline } from '../../components/sparkline'
import { useFormat } from '../../lib/use-format'
import classes from './dashboard.module.css'
import { growth } from './figures'
import type { DashboardView } from './use-dashboard'

interface OverviewFigureProps {
  readonly name: string
  readonly value: string | undefined
  readonly note?: string
  readonly line?: readonly number[]
  /** Left of a whole, 0 to 1, where there is no course to draw. */
  readonly part?: number
  readonly tone?: 'bad'
  /** Against the span before; its days where it is one of the usual ranges. */
  readonly change?: { readonly now: number; readonly before: number; readonly days: DashboardView['quick'] }
  /** The rows behind the figure. */
  readonly link: Pick<LinkProps, 'to' | 'search'>
}

/** One figure: its name, how it changed, and its course beneath. */
export function OverviewFigure({ name, value, note, line, part, tone, change, link }: OverviewFigureProps) {
  return (
    <Link {...link} className={classes.figure} data-tone={tone}>
      <span className={classes.figureName}>{name}</span>
      {value === undefined ? <Skeleton h={28} w="60%" my={2} /> : <span className={classes.value}>{value}</span>}
      <span className={classes.notes}>
        {note && <span>{note}</span>}
        {change && <Change {...change} />}
      </span>
      <span className={classes.course}>
        {line && <Sparkline values={line} />}
        {part !== undefined && (
          <span className={classes.left}>
            <span style={{ width: `${part * 100}%` }} />
          </span>
        )}
      </span>
    </Link>
  )
}

/** "▲ 12% vs previous 24 h"; nothing where there is nothing to compare with. */
function Change({ now, before, days }: NonNullable<OverviewFigureProps['change']>) {
  const { t } = useTranslation('dashboard')
  const { share } = useFormat()
  const grown = growth(now, before)
  if (grown === undefined || grown === 0) return null
  const than = days === undefined ? t('card.before') : t('card.beforeDays', { range: t(`range.${days}`) })
  return (
    <span>
      {grown > 0 ? '▲' : '▼'} {share(Math.abs(grown))} {than}
    </span>
  )
}
