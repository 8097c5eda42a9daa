import { modelRoutes } from '@tollgate/contract'
import { IconMovie, IconMusic, IconPhoto, type Icon } from '@tabler/icons-react'
import { useEffect, useState, type ComponentType, type ReactNode } from 'react'

import { ErrorState, StateMessage } from '../../../components/page/state-message'
import { PageHeader } from '../../../components/page/page-header'
import { PageLoading } from '../../../components/page/page-loading'
import { RouteTabs } from '../../../components/page/route-tabs'
import { useTranslation } from '../../../lib/text/i18n'
import { readDraft, takeDraft } from '../../../lib/url/playground-draft'
import { useRead } from '../../../lib/api/query'
import { useSite } from '../../../lib/api/status'
import { NoModels } from '../no-models'
import type { PlaygroundSearch } from '../playground-search'
import { ImageForm } from './image-form'
import { ImageRunView } from './image-run-view'
import { SongForm } from './song-form'
import type { TaskFormProps } from './studio-form'
import classes from './studio.module.css'
import { TaskRunView } from './task-run-view'
import { useImageRuns } from './use-image-runs'
import { useTaskRuns } from './use-task-runs'
import { initialRequest, type InitialRequest } from './initial-request'
import { VideoForm } from './video-form'

type MediaKind = NonNullable<PlaygroundSearch['make']>

interface MakerProps {
  /** What another page handed over; nothing is sent before the reader says so. */
  readonly initial: InitialRequest | undefined
}

const makers = { images: Images, songs: Songs, videos: Videos } as const satisfies Record<
  MediaKind,
  ComponentType<MakerProps>
>

interface StudioProps {
  readonly make: MediaKind
  /** Another page handed over what to make. */
  readonly hasDraft: boolean
}

/** Makes images, songs and videos with the models of the reader. What was made stays on the page until it is left. */
export function Studio({ make, hasDraft }: StudioProps) {
  const { t } = useTranslation('playground')
  const { enable_task: hasTasks } = useSite()
  const [initial] = useState(() => (hasDraft ? initialRequest(readDraft()) : undefined))
  useEffect(() => {
    if (hasDraft) takeDraft()
  }, [hasDraft])
  const Maker = makers[make]
  const parts = ['images', ...(hasTasks ? (['songs', 'videos'] as const) : [])] as const
  return (
    <>
      <PageHeader title={t('title')} />
      <RouteTabs
        label={t('studio.parts')}
        current={make}
        tabs={[
          { name: 'chat', label: t('studio.chat'), link: { to: '/playground', search: {} } },
          ...parts.map((name) => ({
            name,
            label: t(`studio.${name}`),
            link: { to: '/playground' as const, search: { make: name } },
          })),
        ]}
      />
      <Maker initial={initial} />
    </>
  )
}

function Images({ initial }: MakerProps) {
  const { runs, make, stop } = useImageRuns()
  return (
    <Workshop
      makes="images"
      icon={IconPhoto}
      form={(models) => <ImageForm models={models} initial={initial} onMake={make} />}
      runs={runs.map((run) => (
        <ImageRunView key={run.id} run={run} onStop={() => stop(run.id)} onRetry={() => make(run.request)} />
      ))}
    />
  )
}

function Songs({ initial }: MakerProps) {
  return <Tasks makes="songs" icon={IconMusic} Form={SongForm} initial={initial} />
}

function Videos({ initial }: MakerProps) {
  return <Tasks makes="videos" icon={IconMovie} Form={VideoForm} initial={initial} />
}

interface TasksProps extends MakerProps {
  readonly makes: MediaKind
  readonly icon: Icon
  readonly Form: ComponentType<TaskFormProps>
}

function Tasks({ makes, icon, Form, initial }: TasksProps) {
  const { runs, make } = useTaskRuns()
  return (
    <Workshop
      makes={makes}
      icon={icon}
      form={(models) => <Form models={models} initial={initial} onMake={make} />}
      runs={runs.map((run) => (
        <TaskRunView key={run.id} run={run} onRetry={() => make(run.request)} />
      ))}
    />
  )
}

interface WorkshopProps {
  readonly makes: MediaKind
  readonly icon: Icon
  readonly form: (models: readonly string[]) => ReactNode
  readonly runs: readonly ReactNode[]
}

/** A form, and beside it what was made with it. */
function Workshop({ makes, icon, form, runs }: WorkshopProps) {
  const { t } = useTranslation('playground')
  const { data: models, error, isPlaceholderData, refetch } = useRead(modelRoutes.ownModels, { query: { makes } })
  if (!models || isPlaceholderData)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <PageLoading />
  if (models.length === 0) return <NoModels />
  return (
    <div className={classes.studio}>
      {form(models)}
      {runs.length === 0 ? (
        <StateMessage icon={icon} title={t('studio.empty')} hint={t('studio.emptyHint')} />
      ) : (
        <ul className={classes.runs} aria-label={t(`studio.${makes}`)}>
          {runs}
        </ul>
      )}
    </div>
  )
}
