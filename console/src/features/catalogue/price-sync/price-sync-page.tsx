import { Button } from '@mantine/core'
import { IconRefresh, IconSettings } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { priceSyncRoutes, type RouteResult } from '@tollgate/contract'

import { ErrorState } from '../../../components/page/state-message'
import { PageHeader } from '../../../components/page/page-header'
import { PageLoading } from '../../../components/page/page-loading'
import { PriceTabs } from '../../../domain/price/price-tabs'
import { TimeAgo } from '../../../components/time-ago'
import { useTranslation } from '../../../lib/text/i18n'
import { useRead, useWrite } from '../../../lib/api/query'
import { useViewer } from '../../../lib/api/session'
import { Proposals } from './proposals-table'
import { Sources } from './sources-table'

const pollIntervalMs = 2000

/** Prices from public lists and from gateways behind channels: sources, runs, and proposals. */
export function PriceSyncPage() {
  const { t } = useTranslation('price-sync')
  const { may } = useViewer()
  const state = useRead(priceSyncRoutes.priceSync)
  useRead(priceSyncRoutes.priceSync, undefined, { refetchInterval: state.data?.is_running ? pollIntervalMs : false })
  const run = useWrite(priceSyncRoutes.runPriceSync, { changes: [priceSyncRoutes.priceSync] })
  const isRunning = state.data?.is_running === true || run.isPending
  const mayWrite = may('prices.write')
  return (
    <>
      <PageHeader title={t('title')} description={state.data && <Schedule state={state.data} />}>
        <Button
          variant="default"
          leftSection={<IconSettings size={15} />}
          renderRoot={(props) => <Link to="/admin/settings" search={{ page: 'prices' }} {...props} />}
        >
          {t('settings')}
        </Button>
        {mayWrite && (
          <Button leftSection={<IconRefresh size={15} />} loading={isRunning} onClick={() => run.mutate({})}>
            {t('run')}
          </Button>
        )}
      </PageHeader>
      <PriceTabs current="sync" />
      {state.data ? (
        <>
          <Sources sources={state.data.sources} mayWrite={mayWrite} />
          {/* Remounted when a run ends, with its results. */}
          <Proposals
            key={`${state.data.last_run_at} ${state.data.is_running}`}
            counts={state.data.counts}
            sources={state.data.sources}
            mayWrite={mayWrite}
          />
        </>
      ) : state.error ? (
        <ErrorState error={state.error} onRetry={() => void state.refetch()} />
      ) : (
        <PageLoading />
      )}
    </>
  )
}

type State = RouteResult<typeof priceSyncRoutes.priceSync>

function Schedule({ state }: { readonly state: State }) {
  const { t } = useTranslation('price-sync')
  const { schedule, last_run_at: last, next_run_at: next } = state
  return (
    <>
      {t(`schedule.${schedule}`)}
      {last !== null && (
        <>
          {' · '}
          {t('lastRun')} <TimeAgo at={last} />
        </>
      )}
      {next !== null && (
        <>
          {' · '}
          {t('nextRun')} <TimeAgo at={next} />
        </>
      )}
    </>
  )
}
