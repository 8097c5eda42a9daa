import { Progress, Title } from '@mantine/core'
import type { dashboardRoutes } from '@tollgate/contract'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'

import { seriesColors } from '../../components/chart/series'
import { Money } from '../../domain/money'
import { useFormat } from '../../lib/text/use-format'
import { formatCompact, formatDuration } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import classes from './dashboard.module.css'
import { useColumnMoney } from './column-money'
import { cacheShare, errorShare, marginOf } from './figures'
import { type DashboardView, useSeriesName } from './use-dashboard'

// It needs the price list, which the figures do not wait for.
const ModelMark = lazy(async () => ({ default: (await import('../../domain/model-mark')).ModelMark }))

interface BreakdownProps {
  readonly view: DashboardView
  readonly data: dashboardRoutes.DashboardData
  readonly hasMeasures: boolean
}

type Series = dashboardRoutes.DashboardSeries

/** The chart's series as figures, with its colours; a name links to the rows behind it. */
export function Breakdown({ view, data, hasMeasures }: BreakdownProps) {
  const { t } = useTranslation('dashboard')
  const seriesName = useSeriesName(view)
  const columnMoney = useColumnMoney()
  const hasCosts = useViewer().may('costs.read') && view.isAllUsers
  if (data.series.length === 0) return null
  const whole = Math.max(1, wholeOf(data.totals, view.metric))
  const names = data.series.map(seriesName)
  const inColumn = {
    quota: columnMoney(data.series.map(({ quota }) => quota)),
    margin: columnMoney(data.series.map(({ margin }) => marginOf(margin)?.quota ?? 0)),
  }
  const colors = seriesColors(
    data.series.map(({ is_other: isRest }, index) => ({ name: names[index] ?? '', values: [], isRest })),
  )
  return (
    <section className={classes.breakdown}>
      <Title order={2} size="h3" px="md" pt="md" pb="xs">
        {t('breakdown.title', { grouping: t(`breakdown.by.${view.by}`) })}
      </Title>
      <div className={classes.scrolled}>
        <table className={classes.table}>
          <thead className={classes.heads}>
            <tr>
              <th>{t(`by.${view.by}`)}</th>
              <th className={classes.number}>{t('metric.count')}</th>
              <th className={classes.number} data-from="wide">
                {t('breakdown.failed')}
              </th>
              <th className={classes.number} data-from="tablet">
                {t('metric.tokens')}
              </th>
              {hasMeasures &&
                measureHeads.map(([key, from]) => (
                  <th key={key} className={classes.number} data-from={from}>
                    {t(key)}
                  </th>
                ))}
              <th className={classes.number}>{t('metric.quota')}</th>
              {hasCosts && (
                <th className={classes.number} data-from="wide">
                  {t('breakdown.margin')}
                </th>
              )}
              <th className={classes.shareHead}>{t('breakdown.share')}</th>
            </tr>
          </thead>
          <tbody>
            {data.series.map((series, index) => (
              <Row
                key={`${series.id ?? ''} ${series.name} ${series.is_other}`}
                series={series}
                name={names[index] ?? ''}
                color={colors[index]}
                part={series[view.metric] / whole}
                inColumn={inColumn}
                view={view}
                hasMeasures={hasMeasures}
                hasCosts={hasCosts}
              />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** Columns of measures, and the width from which they are shown. */
const measureHeads = [
  ['breakdown.firstToken', 'tablet'],
  ['breakdown.speed', 'wide'],
  ['breakdown.cached', 'wide'],
] as const

interface RowProps {
  readonly series: Series
  readonly name: string
  readonly color: ReturnType<typeof seriesColors>[number] | undefined
  /** Share of the total, 0 to 1. */
  readonly part: number
  /** Formatters of the columns of amounts. */
  readonly inColumn: Readonly<Record<'quota' | 'margin', (quota: number) => string>>
  readonly view: DashboardView
  readonly hasMeasures: boolean
  /** The reader may see costs. */
  readonly hasCosts: boolean
}

function Row({ series, name, color, part, inColumn, view, hasMeasures, hasCosts }: RowProps) {
  const { number, share } = useFormat()
  return (
    <tr>
      <td className={classes.name}>
        <span className={classes.swatch} style={{ background: color }} />
        {view.by === 'model' && !series.is_other && (
          <Suspense>
            <ModelMark model={series.name} />{' '}
          </Suspense>
        )}
        {series.is_other || !series.name ? (
          name
        ) : (
          <Link to="/app/logs/api-usage" search={filterFor(view, series)} title={name}>
            {name}
          </Link>
        )}
      </td>
      <td className={classes.number}>{number(series.count)}</td>
      <td className={classes.number} data-from="wide">
        {series.errors === 0 ? <NoValue /> : <span className={classes.failed}>{share(errorShare(series))}</span>}
      </td>
      <td className={classes.number} data-from="tablet">
        {formatCompact(series.tokens)}
      </td>
      {hasMeasures && <MeasureCells measures={series.measures} />}
      <td className={classes.number}>
        <Money quota={series.quota} shown={inColumn.quota(series.quota)} />
      </td>
      {hasCosts && (
        <td className={classes.number} data-from="wide">
          <MarginCell margin={series.margin} format={inColumn.margin} />
        </td>
      )}
      <td>
        <div className={classes.share}>
          <Progress value={part * 100} size={6} color={color} aria-label={name} />
          <span>{share(part)}</span>
        </div>
      </td>
    </tr>
  )
}

/** Empty while measures are loading. */
function MeasureCells({ measures }: { readonly measures: Series['measures'] }) {
  const { number, share } = useFormat()
  const cached = measures && cacheShare(measures)
  const cells = [
    { id: 'first', from: 'tablet', value: measures?.first_token_ms && formatDuration(measures.first_token_ms.p50) },
    { id: 'speed', from: 'wide', value: measures?.tokens_per_second && number(measures.tokens_per_second) },
    { id: 'cached', from: 'wide', value: cached && share(cached) },
  ]
  return cells.map(({ id, from, value }) => (
    <td key={id} className={classes.number} data-from={from}>
      {value || (measures !== undefined && <NoValue />)}
    </td>
  ))
}

interface MarginCellProps {
  readonly margin: Series['margin']
  readonly format: (quota: number) => string
}

/** Empty while it is loading. */
function MarginCell({ margin: sums, format }: MarginCellProps) {
  const { share } = useFormat()
  const margin = marginOf(sums)
  if (!margin) return sums && <NoValue />
  return (
    <span title={margin.share === undefined ? undefined : share(margin.share)}>
      <Money quota={margin.quota} shown={format(margin.quota)} />
    </span>
  )
}

const dash = '–'
const NoValue = () => <span className={classes.none}>{dash}</span>

const wholeOf = (totals: dashboardRoutes.DashboardTotals, metric: DashboardView['metric']): number =>
  metric === 'tokens' ? totals.prompt_tokens + totals.completion_tokens : totals[metric]

/** Returns the log filter for a series' calls within the range. */
function filterFor({ by, range, username }: DashboardView, { id, name }: Series) {
  const rows = { from: range.start, to: range.end, username }
  if (by === 'channel') return { ...rows, channel: id ?? undefined }
  return { ...rows, [filterNames[by]]: name }
}

const filterNames = { model: 'model', token: 'token', group: 'group', user: 'username' } as const
