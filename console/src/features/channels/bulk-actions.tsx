import { Button, Group, TextInput } from '@mantine/core'
import { channelRoutes } from '@tollgate/contract'
import { useState } from 'react'

import { ConfirmButton } from '../../components/dialogs/confirm-button'
import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess, notifyWarning } from '../../lib/browser/notify'
import { useWrite } from '../../lib/api/query'
import { channelReads, useChannelRights } from './channel-data'
import type { Channel } from './channel-row'
import type { RunKind } from './dialogs'

interface BulkActionsProps {
  readonly channels: readonly Channel[]
  readonly onRun: (kind: RunKind, channels: readonly Channel[]) => void
  readonly onExport: (channels: readonly Channel[]) => void
  readonly onDone: () => void
}

/** Actions for the selected channels. */
export function BulkActions({ channels, onRun, onExport, onDone }: BulkActionsProps) {
  const { t } = useTranslation('channels')
  const { mayWrite } = useChannelRights()
  const ids = channels.map(({ id }) => id)
  const count = ids.length
  const remove = useWrite(channelRoutes.deleteChannels, {
    changes: channelReads,
    onSuccess: (count) => {
      notifySuccess(t('done.deletedMany', { count }))
      onDone()
    },
  })
  /** Another user may have deleted the selected channels. */
  const ifAny = (act: () => void) => () => (count > 0 ? act() : notifyWarning(t('error.noneSelected')))
  const exported = (
    <Button variant="default" onClick={ifAny(() => onExport(channels))}>
      {t('action.export')}
    </Button>
  )
  if (!mayWrite) return exported
  return (
    <>
      {(['test', 'enable', 'disable'] as const).map((kind) => (
        <Button key={kind} variant="default" onClick={ifAny(() => onRun(kind, channels))}>
          {t(`action.${kind}`)}
        </Button>
      ))}
      <TagForm channels={channels} />
      {exported}
      <ConfirmButton
        color="red"
        variant="light"
        title={t('delete.manyTitle', { count })}
        question={t('delete.question')}
        confirmText={t('action.delete')}
        loading={remove.isPending}
        onConfirm={() => (count > 0 ? remove.mutate({ body: { ids } }) : notifyWarning(t('error.noneToDelete')))}
      >
        {t('action.delete')}
      </ConfirmButton>
    </>
  )
}

/** Sets one tag for all of them, or removes it. */
function TagForm({ channels }: Pick<BulkActionsProps, 'channels'>) {
  const { t } = useTranslation('channels')
  const [tag, setTag] = useState('')
  const ids = channels.map(({ id }) => id)
  const write = useWrite(channelRoutes.tagChannels, {
    changes: channelReads,
    onSuccess: (count) => {
      notifySuccess(t('done.tagged', { count }))
      setTag('')
    },
  })
  const hasTags = channels.some((channel) => channel.tag)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (tag.trim() !== '' && ids.length > 0) write.mutate({ body: { ids, tag: tag.trim() } })
      }}
    >
      <Group gap={6} wrap="nowrap">
        <TextInput
          size="xs"
          w={110}
          aria-label={t('column.tag')}
          placeholder={t('column.tag')}
          maxLength={255}
          value={tag}
          onChange={({ currentTarget }) => setTag(currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={write.isPending} disabled={tag.trim() === ''}>
          {t('action.setTag')}
        </Button>
        {hasTags && (
          <Button variant="default" onClick={() => write.mutate({ body: { ids, tag: null } })}>
            {t('action.untag')}
          </Button>
        )}
      </Group>
    </form>
  )
}
