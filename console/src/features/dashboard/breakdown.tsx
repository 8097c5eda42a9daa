import { Paper, Progress, Table, Title } from '@mantine/core'
import type { dashboardRoutes } from '@tollgate/contract'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

import { Money } from '../../components/money'
import { formatCompact } from '../../lib/format'
import { useFormat } from '../../lib/use-format'
import classes from './dashboard.module.css'
import type { DashboardView } from './use-dashboard'
import { useSeriesName } from './use-series-name'

interface BreakdownProps {
  readonly view: DashboardView
  readonly data: dashboardRoutes.DashboardData | undefined
}

/** The same parts as figures; a name leads to the rows behind it. */
export function Breakdown({ view, data }: BreakdownProps) {
  const { t } = useTranslation('dashboard')
  const { number, share } = useFormat()
  const seriesName = useSeriesName(view)
  if (!data || data.series.length === 0) return null
  const whole = Math.max(1, wholeOf(data.totals, view.metric))
  return (
    <Paper>
      <Title order={2} size="h3" p="md" pb="xs">
        {t('breakdown.title', { grouping: t(`by.${view.by}`) })}
      </Title>
      <Table.ScrollContainer minWidth={300}>
        <Table verticalSpacing={6} horizontalSpacing="md" highlightOnHover>
          <Table.Thead className={classes.heads}>
            <Table.Tr>
              <Table.Th>{t(`by.${view.by}`)}</Table.Th>
              <Table.Th ta="right" visibleFrom="xs">
                {t('metric.count')}
              </Table.Th>
              <Table.Th ta="right" visibleFrom="xs">
                {t('metric.tokens')}
              </Table.Th>
              <Table.Th ta="right">{t('metric.quota')}</Table.Th>
              <Table.Th className={classes.shareHead}>{t('breakdown.share')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.series.map((series) => {
              const part = series[view.metric] / whole
              const name = seriesName(series)
              return (
                <Table.Tr key={`${series.id ?? ''} ${series.name} ${series.is_other}`}>
                  <Table.Td className={classes.name}>
                    {series.is_other || !series.name ? (
                      name
                    ) : (
                      <Link to="/app/logs/api-usage" search={filterFor(view, series)}>
                        {name}
                      </Link>
                    )}
                  </Table.Td>
                  <Table.Td ta="right" visibleFrom="xs">
                    {number(series.count)}
                  </Table.Td>
                  <Table.Td ta="right" visibleFrom="xs">
                    {formatCompact(series.tokens)}
                  </Table.Td>
                  <Table.Td ta="right">
                    <Money quota={series.quota} />
                  </Table.Td>
                  <Table.Td>
                    <div className={classes.share}>
                      <Progress value={part * 100} size={6} aria-label={name} />
                      <span>{share(part)}</span>
                    </div>
                  </Table.Td>
                </Table.Tr>
              )
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  )
}

const wholeOf = (totals: dashboardRoutes.DashboardTotals, metric: DashboardView['metric']): number =>
  metric === 'tokens' ? totals.prompt_tokens + totals.completion_tokens : totals[metric]

/** The log page's filter that shows a series' calls within the range. */
function filterFor({ by, range, username }: DashboardView, { id, name }: dashboardRoutes.DashboardSeries) {
  const rows = { from: range.start, to: range.end, username }
  if (by === 'channel') return { ...rows, channel: id ?? undefined }
  return { ...rows, [filterNames[by]]: name }
}

const filterNames = { model: 'model', token: 'token', group: 'group', user: 'username' } as const
