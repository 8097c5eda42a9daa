import { ActionIcon, Group } from '@mantine/core'
import {
  IconActivityHeartbeat,
  IconCopy,
  IconDots,
  IconEdit,
  IconFlask,
  IconKey,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ConfirmDialog } from '../../components/confirm-dialog'
import { MenuButton } from '../../components/menu-button'
import { Tip } from '../../components/tip'
import { isEnabled, type Channel, type Row } from './channel-row'
import type { ChannelWrites } from './use-channel-writes'

interface ChannelActionsProps {
  readonly row: Row
  readonly writes: ChannelWrites
  readonly onEdit: (row: Row) => void
  readonly onTest: (channel: Channel) => void
  readonly onKeys: (channel: Channel) => void
}

/** What can be done with a row. */
export function ChannelActions(props: ChannelActionsProps) {
  const { row, writes, onEdit } = props
  const { t } = useTranslation('channels')
  const isOn = row.kind === 'tag' ? row.channels.some(isEnabled) : isEnabled(row.channel)
  const toggle = () => (row.kind === 'tag' ? writes.setTagStatus(row.tag, !isOn) : writes.setStatus(row.channel, !isOn))
  const Toggle = isOn ? IconPlayerPause : IconPlayerPlay
  return (
    <Group gap={2} wrap="nowrap" justify="flex-end">
      {row.kind === 'channel' && (
        <Button name={t('action.test')} icon={IconActivityHeartbeat} onClick={() => void writes.test(row.channel)} />
      )}
      <Button name={t(isOn ? 'action.disable' : 'action.enable')} icon={Toggle} onClick={toggle} />
      <Button name={t('action.edit')} icon={IconEdit} onClick={() => onEdit(row)} />
      {row.kind === 'channel' && <MoreActions {...props} channel={row.channel} />}
    </Group>
  )
}

interface ButtonProps {
  readonly name: string
  readonly icon: typeof IconEdit
  readonly onClick: () => void
}

function Button({ name, icon: ButtonIcon, onClick }: ButtonProps) {
  return (
    <Tip label={name}>
      <ActionIcon aria-label={name} onClick={onClick}>
        <ButtonIcon size={16} />
      </ActionIcon>
    </Tip>
  )
}

function MoreActions({ channel, writes, onTest, onKeys }: ChannelActionsProps & { readonly channel: Channel }) {
  const { t } = useTranslation(['channels', 'common'])
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <MenuButton
        label={t('action.more')}
        icon={IconDots}
        items={[
          { id: 'test', label: t('action.testModel'), icon: IconFlask, onClick: () => onTest(channel) },
          { id: 'keys', label: t('action.keys'), icon: IconKey, onClick: () => onKeys(channel) },
          { id: 'copy', label: t('action.copy'), icon: IconCopy, onClick: () => writes.copy(channel) },
          {
            id: 'delete',
            label: t('action.delete'),
            icon: IconTrash,
            isDangerous: true,
            startsGroup: true,
            onClick: () => setAsking(true),
          },
        ]}
      />
      {isAsking && (
        <ConfirmDialog
          title={t('delete.title')}
          question={t('delete.question', { name: channel.name })}
          confirmText={t('action.delete')}
          onConfirm={() => writes.remove(channel)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
