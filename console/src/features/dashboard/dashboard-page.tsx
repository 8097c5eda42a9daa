import { Paper, Skeleton, Stack, Title } from '@mantine/core'
import { lazy, Suspense, useId } from 'react'

import classes from './dashboard.module.css'
import { ErrorState } from '../../components/page/state-message'
import { OnboardingChecklist } from '../../domain/onboarding/onboarding-checklist'
import { PageHeader } from '../../components/page/page-header'
import { useTranslation } from '../../lib/text/i18n'
import { Cache } from './cache'
import { ExportMenu } from './export-menu'
import { FailureCodes, TopUsers } from './rankings'
import { HealthMap } from './health-map'
import { Latency } from './latency'
import { Overview } from './overview'
import { Usage } from './usage'
import { useDashboardData, useDashboardView, type DashboardReads, type DashboardView, useRates } from './use-dashboard'
import { ViewControls } from './view-controls'
import { useOwnStandings } from '../../domain/limits/standings-data'
import { formatCompact } from '../../lib/text/format'

const OwnLimits = lazy(async () => ({ default: (await import('../../domain/limits/own-limits')).OwnLimits }))

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
            {/* Panels below request their data once the chart has its own. */}
            {data ? <Panels view={view} measured={measured} /> : <WaitingPair />}
          </Stack>
        )}
      </OnboardingChecklist>
    </>
  )
}

interface PanelsProps {
  readonly view: DashboardView
  readonly measured: DashboardReads['measured']
}

function Panels({ view, measured: { data, error, refetch } }: PanelsProps) {
  const measures = data?.measures
  return (
    <>
      <OwnLimitsPanel />
      {error && <ErrorState error={error} onRetry={() => void refetch()} isSmall />}
      {!data && !error && <WaitingPair />}
      {data && measures && (
        <div className={classes.pair} data-wide-first>
          <Latency view={view} data={data} measures={measures} />
          <Cache view={view} data={data} measures={measures} />
        </div>
      )}
      <div className={classes.pair}>
        {measures && <FailureCodes view={view} measures={measures} />}
        {view.isAllUsers && <TopUsers view={view} />}
      </div>
      {view.isAllUsers && <HealthMap view={view} />}
    </>
  )
}

/** More are on the pages of the wallet and the tokens. */
const maxShown = 4

/** The limits of the reader and the reader's keys that are used up first; nothing without any. */
function OwnLimitsPanel() {
  const { t } = useTranslation('dashboard')
  const id = useId()
  const { data = [] } = useOwnStandings()
  const nearest = data
    .filter(({ measure }) => measure !== 'concurrent')
    .toSorted((one, other) => other.used / other.limit - one.used / one.limit)
    .slice(0, maxShown)
  if (nearest.length === 0) return null
  return (
    <Paper component="section" aria-labelledby={id} p="md">
      <Title order={2} id={id} className={classes.panelTitle} size="h3">
        {t('limits')}
      </Title>
      <Suspense>
        <OwnLimits standings={nearest} />
      </Suspense>
    </Paper>
  )
}

/** Height of the panels that are loading. */
const waitingHeight = 330

const WaitingPair = () => (
  <div className={classes.pair} data-wide-first>
    {['latency', 'cache'].map((panel) => (
      <Paper key={panel} p="md">
        <Skeleton h={waitingHeight} />
      </Paper>
    ))}
  </div>
)

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
