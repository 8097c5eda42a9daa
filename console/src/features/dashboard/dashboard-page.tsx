import { SegmentedControl, Stack } from '@mantine/core'

import classes from './dashboard.module.css'
import { ErrorState } from '../../components/page/state-message'
import { OnboardingChecklist } from '../../domain/onboarding/onboarding-checklist'
import { PageHeader } from '../../components/page/page-header'
import { useTranslation } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import type { DashboardSearch } from './dashboard-search'
import { ExportMenu } from './export-menu'
import { Overview } from './overview'
import { Panels } from './panels'
import { RangeControls } from './range-controls'
import { Usage } from './usage'
import { useDashboardData, useDashboardView, type DashboardView, useRates } from './use-dashboard'
import { WaitingPair } from './waiting-pair'
import { formatCompact } from '../../lib/text/format'

/** Spending, speed and failures: from hourly sums, never from the log itself. */
export function DashboardPage() {
  const { t } = useTranslation('dashboard')
  const { view, show } = useDashboardView()
  const { sums, measured, data } = useDashboardData(view)
  const panels = { view, data }
  return (
    <>
      <PageHeader title={t('title')} description={<LiveRates view={view} />}>
        <ViewControls view={view} onChange={show} />
        <ExportMenu {...panels} />
      </PageHeader>
      <OnboardingChecklist>
        {sums.error ? (
          <ErrorState error={sums.error} onRetry={() => void sums.refetch()} />
        ) : (
          <Stack gap="md">
            <Overview {...panels} />
            <Usage
              {...panels}
              isPending={sums.isPending}
              hasMeasures={measured.data?.measures !== null}
              onChange={show}
            />
            {/* They request their data once the chart has its own. */}
            {data ? <Panels view={view} measured={measured} /> : <WaitingPair />}
          </Stack>
        )}
      </OnboardingChecklist>
    </>
  )
}

interface ViewControlsProps {
  readonly view: DashboardView
  readonly onChange: (change: DashboardSearch) => void
}

/** Selects users, range and step. */
function ViewControls({ view, onChange }: ViewControlsProps) {
  const { t } = useTranslation('dashboard')
  const readsAll = useViewer().may('logs.read')
  return (
    <>
      {readsAll && (
        <SegmentedControl
          size="xs"
          aria-label={t('scope.label')}
          value={view.isAllUsers ? 'all' : 'mine'}
          onChange={(value) => onChange({ mine: value === 'mine' || undefined })}
          data={[
            { value: 'all', label: t('scope.all') },
            { value: 'mine', label: t('scope.mine') },
          ]}
        />
      )}
      <RangeControls view={view} onChange={onChange} />
    </>
  )
}

/** Calls and tokens of the last minute. */
function LiveRates({ view }: { readonly view: DashboardView }) {
  const { t } = useTranslation('dashboard')
  const { data } = useRates(view)
  // Its line is reserved, so that nothing below moves.
  if (!data) return <span className={classes.waiting} />
  return (
    <span className="figures">
      <span className={classes.pulse} data-is-quiet={data.rpm === 0 || undefined} aria-hidden />
      {data.rpm === 0 ? t('live.quiet') : t('live.rates', { count: data.rpm, tokens: formatCompact(data.tpm) })}
    </span>
  )
}
