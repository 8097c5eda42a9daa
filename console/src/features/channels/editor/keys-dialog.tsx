import { Modal } from '@mantine/core'
import type { channelRoutes } from '@tollgate/contract'
import { useTranslation } from 'react-i18next'

interface KeysDialogProps {
  readonly channel: channelRoutes.ChannelEntity
  readonly onClose: () => void
}

/** The keys of a channel, one by one. */
export function KeysDialog({ channel, onClose }: KeysDialogProps) {
  const { t } = useTranslation('channel-editor')
  return <Modal opened onClose={onClose} title={t('keys.title', { name: channel.name })} />
}
