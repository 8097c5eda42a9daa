import { Paper, Title } from '@mantine/core'
import type { dashboardRoutes } from '@tollgate/contract'

import { Chart } from '../../components/chart'
import { StatFact } from '../../components/stat/stat-card'
import { useFormat } from '../../lib/text/use-format'
import { formatCompact } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import classes from './dashboard.module.css'
import { cacheShare, timeLabel } from './figures'
import type { DashboardView } from './use-dashboard'

interface CacheProps {
  readonly view: DashboardView
  readonly data: dashboardRoutes.DashboardData
  readonly measures: dashboardRoutes.MeasuresOverview
}

const height = 190

/** Share of prompts read from caches, and the savings. */
export function Cache({ view, data, measures: { totals, previous, by_time: byTime } }: CacheProps) {
  const { t } = useTranslation('dashboard')
  const { money, share } = useFormat()
  const [rate, rateBefore] = [cacheShare(totals), cacheShare(previous)]
  return (
    <Paper p="md" className={classes.panel}>
      <Title order={2} size="h3" className={classes.panelTitle}>
        {t('cache.title')}
      </Title>
      <div className={classes.facts}>
        <StatFact
          name={t('cache.rate')}
          value={rate === undefined ? null : share(rate)}
          note={rateBefore === undefined ? null : t('latency.before', { value: share(rateBefore) })}
        />
        <StatFact
          name={t(data.margin ? 'cache.savedForUsers' : 'cache.saved')}
          value={money(totals.cache_saved)}
          note={t('cache.tokens', { count: totals.cached_tokens, tokens: formatCompact(totals.cached_tokens) })}
        />
        {data.margin && (
          <StatFact
            name={t('cache.savedAtVendors')}
            value={money(data.margin.totals.saved)}
            note={t('latency.before', { value: money(data.margin.previous.saved) })}
          />
        )}
      </div>
      {totals.cached_tokens > 0 ? (
        <Chart
          label={t('cache.savedOverTime')}
          kind="bars"
          height={height}
          times={data.times.map((time) => timeLabel(time, view.step))}
          series={[{ name: t('cache.saved'), values: byTime.cache_saved, color: 'var(--chart-3)' }]}
          format={money}
          hasLegend={false}
        />
      ) : (
        <p className={classes.nothing}>{t('cache.nothing')}</p>
      )}
    </Paper>
  )
}
