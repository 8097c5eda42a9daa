import { Skeleton } from '@mantine/core'
import { channelRoutes, type ApiError } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'

import { ErrorState } from '../../../components/page/state-message'
import { FocusBack } from '../../../components/focus-back'
import { FormDrawer } from '../../../components/dialogs/form-drawer'
import { useTranslation } from '../../../lib/text/i18n'
import { useRead } from '../../../lib/api/query'
import { useChannelRights } from '../channel-data'
import { ChannelEditor, editorWidth, titleOf } from './channel-editor'

type Channel = channelRoutes.ChannelEntity

const CreatedDialog = lazy(async () => ({ default: (await import('./created-dialog')).CreatedDialog }))

interface ChannelDrawerProps {
  readonly id: 'new' | number
  readonly onClose: () => void
}

/** Creates or edits a channel. A new one can be tested once it exists. */
export function ChannelDrawer(props: ChannelDrawerProps) {
  return (
    <>
      <FocusBack />
      <OpenDrawer {...props} />
    </>
  )
}

function OpenDrawer({ id, onClose }: ChannelDrawerProps) {
  const [created, setCreated] = useState<Channel | undefined>()
  const isNew = id === 'new'
  const types = useRead(channelRoutes.channelTypes, undefined, { staleTime: 300_000 })
  const opened = useOpenedChannel(id)
  if (created) {
    return (
      <Suspense>
        <CreatedDialog channel={created} onClose={onClose} />
      </Suspense>
    )
  }
  if (types.data && (isNew || opened.channel)) {
    return (
      <ChannelEditor key={id} channel={opened.channel} vendors={types.data} onClose={onClose} onCreated={setCreated} />
    )
  }
  const retry = () => {
    void types.refetch()
    opened.retry()
  }
  return <WaitingDrawer isNew={isNew} error={types.error ?? opened.error} onRetry={retry} onClose={onClose} />
}

/** The channel as loaded when its form opened: a later response must not overwrite what is being typed. */
function useOpenedChannel(id: 'new' | number) {
  const [opened, setOpened] = useState<Channel | undefined>()
  const isNew = id === 'new'
  const { data, error, isFetching, refetch } = useRead(
    channelRoutes.getChannel,
    { params: { id } },
    { enabled: !isNew, staleTime: 0 },
  )
  const isOpened = opened?.id === id
  if (!isOpened && data?.id === id && !isFetching) setOpened(data)
  return {
    channel: isOpened ? opened : undefined,
    error,
    retry: () => {
      if (!isNew) void refetch()
    },
  }
}

interface WaitingDrawerProps {
  readonly isNew: boolean
  readonly error: ApiError | null
  readonly onRetry: () => void
  readonly onClose: () => void
}

function WaitingDrawer({ isNew, error, onRetry, onClose }: WaitingDrawerProps) {
  const { t } = useTranslation('channel-editor')
  const { mayWrite } = useChannelRights()
  return (
    <FormDrawer
      isOpen
      title={t(titleOf(isNew, mayWrite))}
      width={editorWidth}
      isDirty={false}
      isSaving={!error}
      saveText={error ? t('common:retry') : undefined}
      onSave={onRetry}
      onClose={onClose}
    >
      {error ? (
        <ErrorState error={error} />
      ) : (
        Array.from({ length: 6 }, (_, row) => <Skeleton key={row} height={36} mt="md" />)
      )}
    </FormDrawer>
  )
}
