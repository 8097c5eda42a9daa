import { ActionIcon, Group } from '@mantine/core'
import {
  IconActivityHeartbeat,
  IconCopy,
  IconDots,
  IconEdit,
  IconEye,
  IconFlask,
  IconKey,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
  IconWallet,
} from '@tabler/icons-react'

import { MenuButton } from '../../components/menu-button'
import { Tip } from '../../components/tip'
import { useTranslation } from '../../lib/text/i18n'
import type { Vendor } from './channel-cells'
import { isEnabled, isTestable, type Channel, type Row } from './channel-row'
import type { ChannelWrites } from './use-channel-writes'

interface ChannelActionsProps {
  readonly row: Row
  readonly writes: ChannelWrites
  /** Undefined for a tag, or a type of a later release. */
  readonly vendor: Vendor | undefined
  readonly onEdit: (row: Row) => void
  readonly onTest: (channel: Channel) => void
  readonly onKeys: (channel: Channel) => void
}

/** Actions for a row. */
export function ChannelActions(props: ChannelActionsProps) {
  const { row, writes, onEdit } = props
  const { t } = useTranslation('channels')
  const edit = <RowButton name={t('action.edit')} icon={IconEdit} onClick={() => onEdit(row)} />
  if (row.kind === 'tag') {
    const set = (isOn: boolean) => writes.setTagStatus(row.tag, isOn)
    return (
      <Group gap={0} wrap="nowrap" justify="flex-end">
        <RowButton name={t('action.enableAll')} icon={IconPlayerPlay} onClick={() => set(true)} />
        <RowButton name={t('action.disableAll')} icon={IconPlayerPause} onClick={() => set(false)} />
        {edit}
      </Group>
    )
  }
  const isOn = isEnabled(row.channel)
  return (
    <Group gap={0} wrap="nowrap" justify="flex-end">
      {isTestable(props.vendor) && (
        <RowButton
          name={t('action.test')}
          icon={IconActivityHeartbeat}
          isBusy={writes.isBusy('test', row.channel)}
          onClick={() => void writes.test(row.channel)}
        />
      )}
      <RowButton
        name={t(isOn ? 'action.disable' : 'action.enable')}
        icon={isOn ? IconPlayerPause : IconPlayerPlay}
        onClick={() => writes.setStatus(row.channel, !isOn)}
      />
      {edit}
      <MoreActions {...props} channel={row.channel} />
    </Group>
  )
}

/** Opens the form read-only, for readers without write access. */
export function ViewAction({ onView }: { readonly onView: () => void }) {
  const { t } = useTranslation('channels')
  return (
    <Group gap={0} wrap="nowrap" justify="flex-end">
      <RowButton name={t('action.view')} icon={IconEye} onClick={onView} />
    </Group>
  )
}

interface RowButtonProps {
  readonly name: string
  readonly icon: typeof IconEdit
  readonly isBusy?: boolean
  readonly onClick: () => void
}

function RowButton({ name, icon: ButtonIcon, isBusy = false, onClick }: RowButtonProps) {
  return (
    <Tip label={name}>
      <ActionIcon aria-label={name} loading={isBusy} onClick={onClick}>
        <ButtonIcon size={16} />
      </ActionIcon>
    </Tip>
  )
}

interface MoreActionsProps extends ChannelActionsProps {
  readonly channel: Channel
}

function MoreActions({ channel, writes, vendor, onTest, onKeys }: MoreActionsProps) {
  const { t } = useTranslation('channels')
  const { name } = channel
  const balance = {
    id: 'balance',
    label: t('action.balance'),
    icon: IconWallet,
    onClick: () => void writes.updateBalance(channel),
  }
  return (
    <MenuButton
      label={t('action.more', { name })}
      icon={IconDots}
      items={[
        ...(isTestable(vendor)
          ? [{ id: 'test', label: t('action.testModel'), icon: IconFlask, onClick: () => onTest(channel) }]
          : []),
        ...(vendor?.has_balance ? [balance] : []),
        { id: 'keys', label: t('action.keys'), icon: IconKey, onClick: () => onKeys(channel) },
        { id: 'copy', label: t('action.copy'), icon: IconCopy, onClick: () => writes.copy(channel) },
        {
          id: 'delete',
          label: t('action.delete'),
          icon: IconTrash,
          isDangerous: true,
          startsGroup: true,
          confirmation: {
            title: t('delete.title', { name }),
            question: t('delete.question'),
            confirmText: t('action.delete'),
          },
          onClick: () => writes.remove(channel),
        },
      ]}
    />
  )
}
