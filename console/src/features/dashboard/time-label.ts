import type { dashboardRoutes } from '@tollgate/contract'

import { formatTime } from '../../lib/text/format'

/** Returns the label of a bucket: 11-21 07:00 for an hour, 11-21 for a day or a week. */
export const timeLabel = (unixSeconds: number, step: dashboardRoutes.Granularity): string =>
  formatTime(unixSeconds).slice(5, step === 'hour' ? 16 : 10)
