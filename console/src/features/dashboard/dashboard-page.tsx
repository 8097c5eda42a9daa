import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '../../components/error-state'
import { OnboardingChecklist } from '../../components/onboarding/onboarding-checklist'
import { PageHeader } from '../../components/page-header'
import { Cache } from './cache'
import classes from './dashboard.module.css'
import { ExportMenu } from './export-menu'
import { FailureCodes } from './failure-codes'
import { HealthMap } from './health-map'
import { Latency } from './latency'
import { LiveRates } from './live-rates'
import { Overview } from './overview'
import { TopUsers } from './top-users'
import { Usage } from './usage'
import { useDashboardData, useDashboardView } from './use-dashboard'
import { ViewControls } from './view-controls'

/** What was spent on what, how fast it was and what failed: from hourly sums, never from the log itself. */
export function DashboardPage() {
  const { t } = useTranslation('dashboard')
  const { view, show } = useDashboardView()
  const { data, error, isPending, refetch } = useDashboardData(view)
  const panels = { view, data }
  return (
    <>
      <PageHeader title={t('title')} description={<LiveRates view={view} />}>
        <ViewControls view={view} onChange={show} />
        <ExportMenu {...panels} />
      </PageHeader>
      {data?.totals.count === 0 && <OnboardingChecklist />}
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Stack gap="md">
          <Overview {...panels} />
          <Usage {...panels} isPending={isPending} onChange={show} />
          {data?.measures && (
            <div className={classes.pair} data-wide-first>
              <Latency view={view} data={data} measures={data.measures} />
              <Cache view={view} data={data} measures={data.measures} />
            </div>
          )}
          <div className={classes.pair}>
            {data?.measures && <FailureCodes view={view} measures={data.measures} />}
            {view.isEverybody && <TopUsers view={view} />}
          </div>
          {view.isEverybody && <HealthMap view={view} />}
        </Stack>
      )}
    </>
  )
}
