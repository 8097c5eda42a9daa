import { Link } from '@tanstack/react-router'
import { dashboardRoutes } from '@tollgate/contract'

import { Sparkline } from '../../components/sparkline'
import { Tip } from '../../components/tip'
import { useTranslation } from '../../lib/text/i18n'
import { useRead } from '../../lib/api/query'
import { useFormat } from '../../lib/text/use-format'
import { useNow } from '../../lib/text/use-now'
import classes from './tokens.module.css'

/** Spending of a token in the last 30 days, by day. Calls are summed by token name. */
export function TokenMonth({ name }: { readonly name: string }) {
  const { t } = useTranslation('tokens')
  const { money, number } = useFormat()
  const month = useMonth()
  const series = month?.series.find((series) => !series.is_other && series.name === name)
  // The token may be part of the rest, which has no breakdown.
  if (!month || (!series && month.series.some(({ is_other: isRest }) => isRest))) return null
  const { quota, count } = series ?? { quota: 0, count: 0 }
  return (
    <Tip label={t('month', { calls: number(count) })}>
      <Link to="/app/logs/api-usage" search={{ token: name, range: 'month' }} className={classes.month}>
        <span className="figures">{money(quota)}</span>
        {series && (
          <span className={classes.spark}>
            {/* Today goes on. */}
            <Sparkline values={series.by_time.quota.slice(0, -1)} />
          </span>
        )}
      </Link>
    </Tip>
  )
}

const days = 30
const refreshMs = 600_000

/** All cells share one request. */
function useMonth() {
  const first = new Date(useNow(refreshMs))
  first.setHours(0, 0, 0, 0)
  first.setDate(first.getDate() - (days - 1))
  const query = {
    start_timestamp: first.getTime() / 1000,
    granularity: 'day',
    group_by: 'token',
    limit: dashboardRoutes.maxSeries,
    utc_offset: -first.getTimezoneOffset(),
  } as const
  return useRead(dashboardRoutes.ownDashboard, { query }, { staleTime: refreshMs }).data
}
