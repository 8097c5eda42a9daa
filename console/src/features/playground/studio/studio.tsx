import { modelRoutes } from '@tollgate/contract'
import { IconPhoto } from '@tabler/icons-react'

import { ErrorState } from '../../../components/error-state'
import { PageHeader } from '../../../components/page-header'
import { PageLoading } from '../../../components/page-loading'
import { RouteTabs } from '../../../components/route-tabs'
import { StateMessage } from '../../../components/state-message'
import { useTranslation } from '../../../lib/i18n'
import { useRead } from '../../../lib/query'
import { NoModels } from '../no-models'
import { ImageForm } from './image-form'
import { ImageRunView } from './image-run-view'
import classes from './studio.module.css'
import { useImageRuns } from './use-image-runs'

/** Makes images with the models of the reader. They stay on the page until it is left. */
export function Studio() {
  const { t } = useTranslation('playground')
  return (
    <>
      <PageHeader title={t('title')} />
      <RouteTabs
        label={t('studio.parts')}
        current="images"
        tabs={[
          { name: 'chat', label: t('studio.chat'), link: { to: '/playground', search: {} } },
          { name: 'images', label: t('studio.images'), link: { to: '/playground', search: { make: 'images' } } },
        ]}
      />
      <Images />
    </>
  )
}

function Images() {
  const { t } = useTranslation('playground')
  const { data: models, error, refetch } = useRead(modelRoutes.ownModels, { query: { images: 'true' } })
  const { runs, make, stop } = useImageRuns()
  if (!models) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <PageLoading />
  if (models.length === 0) return <NoModels />
  return (
    <div className={classes.studio}>
      <ImageForm models={models} onMake={make} />
      {runs.length === 0 ? (
        <StateMessage icon={IconPhoto} title={t('studio.empty')} hint={t('studio.emptyHint')} />
      ) : (
        <ul className={classes.runs} aria-label={t('studio.images')}>
          {runs.map((run) => (
            <ImageRunView key={run.id} run={run} onStop={() => stop(run.id)} onRetry={() => make(run.wish)} />
          ))}
        </ul>
      )}
    </div>
  )
}
