import type { dashboardRoutes } from '@tollgate/contract'

import type { Hours } from '../../billing/analytics/hours'
import type { UsageFilter } from '../../platform/store/usage-conditions'
import type { Buckets } from './buckets'

/** The query of a chart. */
export interface ChartQuery {
  readonly filter: UsageFilter
  readonly span: Hours
  readonly grouping: dashboardRoutes.Grouping
  readonly buckets: Buckets
}

/** The query of the dashboard. */
export interface ConsumptionQuery extends Omit<ChartQuery, 'buckets'> {
  readonly granularity: dashboardRoutes.Granularity
  readonly utcOffset: number
  /** Series kept. */
  readonly limit: number
  readonly hasMeasures?: boolean
  /** What vendors charge; not for users. */
  readonly hasMargin?: boolean
}
