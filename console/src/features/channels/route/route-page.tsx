import { channelRoutes } from '@tollgate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Button, Skeleton } from '@mantine/core'
import { IconArrowLeft, IconRoute } from '@tabler/icons-react'

import { ErrorState, StateMessage } from '../../../components/page/state-message'
import { PageHeader } from '../../../components/page/page-header'
import { useTranslation } from '../../../lib/text/i18n'
import { useRead } from '../../../lib/api/query'
import { RouteExplanation } from './route-explanation'
import { RouteForm } from './route-form'
import type { RouteSearch } from './route-search'
import classes from './route.module.css'

const page = getRouteApi('/admin/routing')

/** Circuit breakers and calls in flight change from call to call. */
const refreshMs = 5_000

/** Which channels would serve a call, in which order, and why others would not. The query is in the address. */
export function RoutePage() {
  const { t } = useTranslation('routing', 'channels')
  const search = page.useSearch()
  const navigate = page.useNavigate()
  const setSearch = (change: Partial<RouteSearch>) =>
    void navigate({ search: (previous) => ({ ...previous, ...change }), replace: true })
  const { model = '', group, user, token } = search
  const explanation = useRead(
    channelRoutes.explainRoute,
    { query: { model, group, user, token } },
    { enabled: model !== '', refetchInterval: refreshMs },
  )
  return (
    <>
      <PageHeader title={t('title')} description={t('description')}>
        <Button
          variant="default"
          leftSection={<IconArrowLeft size={14} />}
          renderRoot={(props) => <Link to="/admin/channels" {...props} />}
        >
          {t('channels:title')}
        </Button>
      </PageHeader>
      <RouteForm search={search} onChange={setSearch} />
      <div className={classes.answer} aria-live="polite" aria-busy={explanation.isFetching}>
        {model === '' ? (
          <StateMessage icon={IconRoute} title={t('noQuestion')} hint={t('noQuestionHint')} />
        ) : explanation.error ? (
          <ErrorState error={explanation.error} onRetry={() => void explanation.refetch()} />
        ) : explanation.data ? (
          <RouteExplanation model={model} explanation={explanation.data} />
        ) : (
          // As high as a few channels: the footer stays below the fold.
          <Skeleton h={560} />
        )}
      </div>
    </>
  )
}
