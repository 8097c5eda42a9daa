import { ActionIcon, Paper, SegmentedControl, Skeleton, Stack } from '@mantine/core'
import { IconListDetails } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { earningRoutes } from '@tollgate/contract'
import { lazy, Suspense } from 'react'

import { DataTable } from '../../../components/data-table/data-table'
import { ExportButton } from '../../../components/export-button'
import { PageHeader } from '../../../components/page/page-header'
import { Tip } from '../../../components/tip'
import { useRead } from '../../../lib/api/query'
import { useSite } from '../../../lib/api/status'
import { useTranslation } from '../../../lib/text/i18n'
import { useNow } from '../../../lib/text/use-now'
import { useSearchChange } from '../../../lib/url/use-search-change'
import { RangeControls } from '../range-controls'
import { EarningChart } from './earning-chart'
import { useEarningColumns, type EarningEntry } from './earning-columns'
import { profitOf } from './earning-figures'
import type { EarningSearch } from './earning-search'
import { EarningTotals, UnknownCosts } from './earning-totals'
import { drillDown, earningQuery, earningView, rowsOf } from './earning-view'
import classes from './earnings.module.css'

const EarningFilters = lazy(async () => ({ default: (await import('./earning-filters')).EarningFilters }))

const route = getRouteApi('/admin/earnings')
const refreshMs = 60_000

/** Cost, sale and profit: from the sums of the dashboard, never from the log itself. */
export function EarningsPage() {
  const { t } = useTranslation('earnings', 'dashboard')
  const search = route.useSearch()
  const setSearch = useSearchChange<EarningSearch>(route.useNavigate())
  const now = useNow(refreshMs)
  const view = earningView(search, { now, usualStep: useSite().data_export_default_time })
  const query = earningQuery(view)
  const earnings = useRead(earningRoutes.earnings, { query }, { refetchInterval: refreshMs })
  const { data } = earnings
  const entries = data && entriesOf(data)
  const { columns, cellsOf } = useEarningColumns(view, data && entries ? [...entries, data.totals] : [])
  return (
    <>
      <PageHeader title={t('title')} description={t('hint')}>
        <RangeControls view={view} onChange={setSearch} />
        <ExportButton route={earningRoutes.exportEarnings} sent={{ query }} name="earnings.csv" />
      </PageHeader>
      <Stack gap="md">
        <Paper p="md">
          {data ? <EarningTotals data={data} /> : <Skeleton className={classes.waiting} />}
          <div className={classes.chart}>
            {data?.totals.count === 0 && <p className={classes.nothing}>{t('chart.nothing')}</p>}
            {data && data.totals.count > 0 && (
              <EarningChart
                view={view}
                data={data}
                onPick={(time) => setSearch(drillDown({ ...view, by: 'time' }, { id: time, name: '' }))}
              />
            )}
          </div>
        </Paper>
        {data && <UnknownCosts totals={data.totals} />}
        <DataTable
          id="earnings"
          label={t('title')}
          columns={columns}
          rowKey={({ row }) => (row ? `${row.id ?? ''} ${row.name} ${row.key ?? ''}` : 'others')}
          source={{
            rows: entries,
            isPending: earnings.isPending,
            isFetching: earnings.isFetching,
            error: earnings.error,
            onRetry: () => void earnings.refetch(),
          }}
          sorting={{
            column: view.sort,
            isDescending: view.isDescending,
            onChange: (sort, descending) => setSearch({ sort, descending }),
          }}
          sums={data && { label: t('all'), cells: cellsOf(data.totals) }}
          isBad={(entry) => (profitOf(entry) ?? 0) < 0}
          isMuted={({ row }) => row === null}
          rowActions={({ row }) =>
            row && (
              <Tip label={t('calls')}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('calls')}
                  renderRoot={(props) => <Link to="/app/logs/api-usage" search={rowsOf(view, row)} {...props} />}
                >
                  <IconListDetails size={16} />
                </ActionIcon>
              </Tip>
            )
          }
          empty={{ title: t('empty.title'), hint: t('empty.hint'), action: null }}
          toolbar={
            <div className={classes.toolbar}>
              <SegmentedControl
                size="xs"
                aria-label={t('groupedBy')}
                value={view.by}
                onChange={(by) =>
                  setSearch({
                    by,
                    sort: undefined,
                    descending: undefined,
                    ...(by !== 'key' && by !== 'time' && { key: undefined }),
                  })
                }
                data={earningRoutes.earningGroupings.map((value) => ({ value, label: t(`by.${value}`) }))}
              />
              <Suspense fallback={<Skeleton h={30} w={200} />}>
                <EarningFilters search={search} view={view} onChange={setSearch} />
              </Suspense>
            </div>
          }
        />
      </Stack>
    </>
  )
}

const entriesOf = ({ rows, rest }: earningRoutes.EarningData): readonly EarningEntry[] => [
  ...rows.map((row) => ({ ...row, row, others: 0 })),
  ...(rest ? [{ ...rest, row: null, others: rest.rows }] : []),
]
