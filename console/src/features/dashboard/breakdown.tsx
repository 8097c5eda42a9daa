import { Progress, Table, Title } from '@mantine/core'
import type { dashboardRoutes } from '@tollgate/contract'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

import { seriesColors } from '../../components/chart/series'
import { Money } from '../../components/money'
import { formatCompact, formatDuration } from '../../lib/format'
import { useFormat } from '../../lib/use-format'
import classes from './dashboard.module.css'
import { cacheShare, errorShare } from './figures'
import type { DashboardView } from './use-dashboard'
import { useSeriesName } from './use-series-name'

interface BreakdownProps {
  readonly view: DashboardView
  readonly data: dashboardRoutes.DashboardData
}

type Series = dashboardRoutes.DashboardSeries

/** The chart's series as figures, with its colours; a name leads to the rows behind it. */
export function Breakdown({ view, data }: BreakdownProps) {
  const { t } = useTranslation('dashboard')
  const seriesName = useSeriesName(view)
  if (data.series.length === 0) return null
  const whole = Math.max(1, wholeOf(data.totals, view.metric))
  const names = data.series.map(seriesName)
  const colors = seriesColors(
    data.series.map(({ is_other: isRest }, place) => ({ name: names[place] ?? '', values: [], isRest })),
  )
  const hasMeasures = data.series.some(({ measures }) => measures)
  return (
    <section className={classes.breakdown}>
      <Title order={2} size="h3" px="md" pt="md" pb="xs">
        {t('breakdown.title', { grouping: t(`breakdown.by.${view.by}`) })}
      </Title>
      <Table.ScrollContainer minWidth={300}>
        <Table verticalSpacing={6} horizontalSpacing="md" highlightOnHover>
          <Table.Thead className={classes.heads}>
            <Table.Tr>
              <Table.Th>{t(`by.${view.by}`)}</Table.Th>
              <Table.Th className={classes.number}>{t('metric.count')}</Table.Th>
              <Table.Th className={classes.number} data-from="wide">
                {t('breakdown.failed')}
              </Table.Th>
              <Table.Th className={classes.number} data-from="tablet">
                {t('metric.tokens')}
              </Table.Th>
              {hasMeasures && <MeasureHeads />}
              <Table.Th className={classes.number}>{t('metric.quota')}</Table.Th>
              <Table.Th className={classes.shareHead}>{t('breakdown.share')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.series.map((series, place) => (
              <Row
                key={`${series.id ?? ''} ${series.name} ${series.is_other}`}
                series={series}
                name={names[place] ?? ''}
                color={colors[place]}
                part={series[view.metric] / whole}
                view={view}
                hasMeasures={hasMeasures}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  )
}

function MeasureHeads() {
  const { t } = useTranslation('dashboard')
  return (
    <>
      <Table.Th className={classes.number} data-from="tablet">
        {t('breakdown.firstToken')}
      </Table.Th>
      <Table.Th className={classes.number} data-from="wide">
        {t('breakdown.speed')}
      </Table.Th>
      <Table.Th className={classes.number} data-from="wide">
        {t('breakdown.cached')}
      </Table.Th>
    </>
  )
}

interface RowProps {
  readonly series: Series
  readonly name: string
  readonly color: string | undefined
  /** Of the whole, 0 to 1. */
  readonly part: number
  readonly view: DashboardView
  readonly hasMeasures: boolean
}

function Row({ series, name, color, part, view, hasMeasures }: RowProps) {
  const { number, share } = useFormat()
  return (
    <Table.Tr>
      <Table.Td className={classes.name}>
        <span className={classes.swatch} style={{ background: color }} />
        {series.is_other || !series.name ? (
          name
        ) : (
          <Link to="/app/logs/api-usage" search={filterFor(view, series)} title={name}>
            {name}
          </Link>
        )}
      </Table.Td>
      <Table.Td className={classes.number}>{number(series.count)}</Table.Td>
      <Table.Td className={classes.number} data-from="wide">
        {series.errors === 0 ? <None /> : <span className={classes.failed}>{share(errorShare(series))}</span>}
      </Table.Td>
      <Table.Td className={classes.number} data-from="tablet">
        {formatCompact(series.tokens)}
      </Table.Td>
      {hasMeasures && <MeasureCells measures={series.measures} />}
      <Table.Td className={classes.number}>
        <Money quota={series.quota} />
      </Table.Td>
      <Table.Td>
        <div className={classes.share}>
          <Progress value={part * 100} size={6} color={color} aria-label={name} />
          <span>{share(part)}</span>
        </div>
      </Table.Td>
    </Table.Tr>
  )
}

function MeasureCells({ measures }: { readonly measures: Series['measures'] }) {
  const { number, share } = useFormat()
  const first = measures?.first_token_ms
  const cached = measures ? cacheShare(measures) : undefined
  return (
    <>
      <Table.Td className={classes.number} data-from="tablet">
        {first ? formatDuration(first.p50) : <None />}
      </Table.Td>
      <Table.Td className={classes.number} data-from="wide">
        {measures?.tokens_per_second ? number(measures.tokens_per_second) : <None />}
      </Table.Td>
      <Table.Td className={classes.number} data-from="wide">
        {cached ? share(cached) : <None />}
      </Table.Td>
    </>
  )
}

const nothing = '–'
const None = () => <span className={classes.none}>{nothing}</span>

const wholeOf = (totals: dashboardRoutes.DashboardTotals, metric: DashboardView['metric']): number =>
  metric === 'tokens' ? totals.prompt_tokens + totals.completion_tokens : totals[metric]

/** The log page's filter that shows a series' calls within the range. */
function filterFor({ by, range, username }: DashboardView, { id, name }: Series) {
  const rows = { from: range.start, to: range.end, username }
  if (by === 'channel') return { ...rows, channel: id ?? undefined }
  return { ...rows, [filterNames[by]]: name }
}

const filterNames = { model: 'model', token: 'token', group: 'group', user: 'username' } as const
