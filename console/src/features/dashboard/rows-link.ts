import type { DashboardView } from './use-dashboard'

interface RowFilter {
  readonly type?: number
  readonly error?: string
  readonly username?: string
}

/** Returns links to the log's rows within the view's range and users. */
export const rowsLink =
  ({ range, username }: DashboardView) =>
  (filter: RowFilter = {}) =>
    ({ to: '/app/logs/api-usage', search: { from: range.start, to: range.end, username, ...filter } }) as const
