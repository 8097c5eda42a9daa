import { Paper, Title } from '@mantine/core'
import { lazy, Suspense, useId } from 'react'

import { ErrorState } from '../../components/page/state-message'
import { useOwnStandings } from '../../domain/limits/standings-data'
import { useTranslation } from '../../lib/text/i18n'
import { Cache } from './cache'
import classes from './dashboard.module.css'
import { HealthMap } from './health-map'
import { Latency } from './latency'
import { FailureCodes, TopUsers } from './rankings'
import type { DashboardReads, DashboardView } from './use-dashboard'
import { WaitingPair } from './waiting-pair'

const OwnLimits = lazy(async () => ({ default: (await import('../../domain/limits/own-limits')).OwnLimits }))

interface PanelsProps {
  readonly view: DashboardView
  readonly measured: DashboardReads['measured']
}

/** What is below the chart: speed, caches, failures, users and channels. */
export function Panels({ view, measured: { data, error, refetch } }: PanelsProps) {
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
