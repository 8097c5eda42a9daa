import { SegmentedControl, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '../../components/error-state'
import { OnboardingChecklist } from '../../components/onboarding/onboarding-checklist'
import { PageHeader } from '../../components/page-header'
import { useViewer } from '../../lib/session'
import { Breakdown } from './breakdown'
import { HealthMap } from './health-map'
import { OverTime } from './over-time'
import { ViewControls } from './view-controls'
import { StatCards } from './stat-cards'
import { useDashboardData, useDashboardView } from './use-dashboard'

/** What was spent on what, at a glance: from hourly sums, never from the log itself. */
export function DashboardPage() {
  const { t } = useTranslation('dashboard')
  const { isAdmin } = useViewer()
  const { view, show } = useDashboardView()
  const { data, error, isPending, refetch } = useDashboardData(view)
  return (
    <>
      <PageHeader title={t('title')}>
        {isAdmin && (
          <SegmentedControl
            size="xs"
            aria-label={t('scope.label')}
            value={view.isEverybody ? 'all' : 'mine'}
            onChange={(value) => show({ mine: value === 'mine' || undefined })}
            data={[
              { value: 'all', label: t('scope.all') },
              { value: 'mine', label: t('scope.mine') },
            ]}
          />
        )}
        <ViewControls view={view} onChange={show} />
      </PageHeader>
      <OnboardingChecklist />
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Stack gap="md">
          <StatCards view={view} data={data} />
          <OverTime view={view} data={data} isPending={isPending} onChange={show} />
          <Breakdown view={view} data={data} />
          {view.isEverybody && <HealthMap view={view} />}
        </Stack>
      )}
    </>
  )
}
