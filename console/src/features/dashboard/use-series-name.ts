import type { dashboardRoutes } from '@tollgate/contract'

import { useTranslation } from '../../lib/text/i18n'
import type { DashboardView } from './use-dashboard'

/** Returns the name of a series, or a text for one without a name. */
export function useSeriesName({ by }: DashboardView) {
  const { t } = useTranslation('dashboard')
  return ({ name, is_other: isOther }: Pick<dashboardRoutes.DashboardSeries, 'name' | 'is_other'>): string =>
    isOther ? t('series.other') : name || t(`series.${by === 'token' ? 'noToken' : 'none'}`)
}
