import { Button, Group, TextInput } from '@mantine/core'
import { channelRoutes } from '@tollgate/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ConfirmButton } from '../../components/confirm-button'
import { notifySuccess } from '../../lib/notify'
import { useWrite } from '../../lib/query'
import { channelReads } from './channel-reads'
import type { Channel } from './channel-row'
import type { RunKind } from './use-runs'

interface BulkActionsProps {
  readonly channels: readonly Channel[]
  readonly onRun: (kind: RunKind, channels: readonly Channel[]) => void
  readonly onDone: () => void
}

/** What can be done with the selected channels. */
export function BulkActions({ channels, onRun, onDone }: BulkActionsProps) {
  const { t } = useTranslation('channels')
  const [tag, setTag] = useState('')
  const ids = channels.map(({ id }) => id)
  const remove = useWrite(channelRoutes.deleteChannels, {
    changes: channelReads,
    onSuccess: (count) => {
      notifySuccess(t('done.deletedMany', { count }))
      onDone()
    },
  })
  const setTags = useWrite(channelRoutes.tagChannels, {
    changes: channelReads,
    onSuccess: () => {
      notifySuccess(t('done.saved'))
      setTag('')
    },
  })
  return (
    <Group gap={8}>
      {(['test', 'enable', 'disable'] as const).map((kind) => (
        <Button key={kind} variant="default" onClick={() => onRun(kind, channels)}>
          {t(`action.${kind}`)}
        </Button>
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          setTags.mutate({ body: { ids, tag: tag.trim() || null } })
        }}
      >
        <Group gap={4} wrap="nowrap">
          <TextInput
            size="xs"
            w={120}
            aria-label={t('column.tag')}
            placeholder={t('column.tag')}
            value={tag}
            onChange={({ currentTarget }) => setTag(currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={setTags.isPending}>
            {t(tag.trim() === '' ? 'action.untag' : 'action.setTag')}
          </Button>
        </Group>
      </form>
      <ConfirmButton
        title={t('delete.title')}
        question={t('delete.manyQuestion', { count: ids.length })}
        confirmText={t('action.delete')}
        loading={remove.isPending}
        onConfirm={() => remove.mutate({ body: { ids } })}
      >
        {t('action.delete')}
      </ConfirmButton>
    </Group>
  )
}
