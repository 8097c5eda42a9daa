import type { ComponentProps } from 'react'
import type { dashboardRoutes } from '@tollgate/contract'

import { StatCard, StatStrip } from '../../components/stat/stat-card'
import { useFormat } from '../../lib/text/use-format'
import { formatCompact } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { isUnfinished } from './dashboard-range'
import { daysLeft, errorShare, growth, marginOf } from './figures'
import { rowsLink } from './rows-link'
import { type DashboardView, useBalance, useFailingChannels } from './use-dashboard'

interface OverviewProps {
  readonly view: DashboardView
  readonly data: dashboardRoutes.DashboardData | undefined
}

/** The most important figures side by side; each links to the rows it counts. */
export function Overview({ view, data }: OverviewProps) {
  const { t } = useTranslation('dashboard')
  const { money, number, share } = useFormat()
  const rows = rowsLink(view)
  const totals = data?.totals
  // A line that ended in the hour that goes on would always end in a fall.
  const isLastOpen = isUnfinished(data?.times.at(-1), view.step, view.now)
  const dropUnfinished = (values: readonly number[] | undefined) => (isLastOpen ? values?.slice(0, -1) : values)
  const previous = data?.previous
  const against = (of: (sums: dashboardRoutes.DashboardTotals) => number) =>
    totals && previous && { now: of(totals), before: of(previous), days: view.quick }
  const marginNote = (data: OverviewProps['data']) => {
    const margin = marginOf(data?.margin?.totals)
    if (!data?.margin || !margin) return undefined
    const isPart = data.margin.totals.sold !== data.totals.quota
    return t(isPart ? 'card.marginOfPart' : 'card.margin', {
      margin: money(margin.quota),
      share: margin.share === undefined ? '–' : share(margin.share),
      sold: money(data.margin.totals.sold),
    })
  }
  return (
    <StatStrip>
      <OverviewFigure
        name={t('card.spend')}
        value={totals && money(totals.quota)}
        line={dropUnfinished(data?.totals_by_time.quota)}
        change={against(({ quota }) => quota)}
        note={marginNote(data)}
        link={rows()}
      />
      <OverviewFigure
        name={t('card.requests')}
        value={totals && number(totals.count)}
        line={dropUnfinished(data?.totals_by_time.count)}
        change={against(({ count }) => count)}
        link={rows()}
      />
      <OverviewFigure
        name={t('card.tokens')}
        value={totals && formatCompact(tokensOf(totals))}
        line={dropUnfinished(data?.totals_by_time.tokens)}
        change={against(tokensOf)}
        note={
          totals &&
          t('card.tokenParts', {
            prompt: formatCompact(totals.prompt_tokens),
            completion: formatCompact(totals.completion_tokens),
          })
        }
        link={rows()}
      />
      <OverviewFigure
        name={t('card.errors')}
        value={totals && share(errorShare(totals))}
        line={dropUnfinished(data?.totals_by_time.errors)}
        tone={totals && errorShare(totals) >= worrying ? 'bad' : undefined}
        note={totals && t('card.errorsNote', { count: totals.errors })}
        link={rows({ type: errorType })}
      />
      {view.isAllUsers && <Channels isEnabled={data !== undefined} />}
      {!view.isAllUsers && <Balance view={view} spent={totals?.quota} />}
    </StatStrip>
  )
}

/** Share of failed attempts that is highlighted, as in the health map. */
const worrying = 0.01
/** The log's type of failed calls. */
const errorType = 6

const tokensOf = (sums: dashboardRoutes.DashboardTotals) => sums.prompt_tokens + sums.completion_tokens

/** How many channels fail or were disabled for it; asked once the chart has its data. */
function Channels({ isEnabled }: { readonly isEnabled: boolean }) {
  const { t } = useTranslation('dashboard')
  const { number } = useFormat()
  const { data } = useFailingChannels(isEnabled)
  const stateOf = ({ total, failing }: dashboardRoutes.ChannelHealthData) => {
    if (total === 0) return t('card.noChannels')
    return failing > 0 ? t('card.failing', { count: failing }) : t('card.noneFailing')
  }
  return (
    <OverviewFigure
      name={t('card.channels')}
      value={data && stateOf(data)}
      tone={data && data.failing > 0 ? 'bad' : undefined}
      note={
        data && data.total > 0 ? t('card.channelsNote', { count: data.total, total: number(data.total) }) : undefined
      }
      part={data && data.total > 0 ? 1 - data.failing / data.total : undefined}
      link={{ to: '/admin/channels', search: { sort: 'failures', descending: true } }}
    />
  )
}

/** The reader's own balance, only in their own view. */
function Balance({ view, spent }: { readonly view: DashboardView; readonly spent: number | undefined }) {
  const { t } = useTranslation('dashboard')
  const { money } = useFormat()
  const { data } = useBalance()
  const left = data && spent !== undefined ? daysLeft(data.quota, spent, view.days) : undefined
  const whole = data ? Math.max(0, data.quota) + data.used_quota : 0
  return (
    <OverviewFigure
      name={t('card.balance')}
      value={data && money(data.quota)}
      note={left === undefined ? undefined : t('card.daysLeft', { count: left })}
      part={data && whole > 0 ? Math.max(0, data.quota) / whole : undefined}
      link={{ to: '/app/wallet' }}
    />
  )
}

interface OverviewFigureProps extends Omit<ComponentProps<typeof StatCard>, 'note'> {
  readonly note?: string
  /** Compared with the previous span; its number of days where it is a usual range. */
  readonly change?: { readonly now: number; readonly before: number; readonly days: DashboardView['quick'] }
}

/** A figure and its change. */
function OverviewFigure({ note, change, ...card }: OverviewFigureProps) {
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
/** Beyond it, next to nothing came before: the number says no more. */
const maxShown = 9.99

/** Renders "▲ 12% vs previous 24 h", or nothing without a comparison. */
function Change({ now, before, days }: NonNullable<OverviewFigureProps['change']>) {
  const { t } = useTranslation('dashboard')
  const { share } = useFormat()
  const grown = growth(now, before)
  if (grown === undefined || Math.abs(grown) < minShown) return null
  const than = days === undefined ? t('card.before') : t('card.beforeDays', { range: t(`range.${days}`) })
  return (
    <span>
      {grown > 0 ? '▲' : '▼'} {grown > maxShown && '>'}
      {share(Math.min(Math.abs(grown), maxShown))} {than}
    </span>
  )
}
