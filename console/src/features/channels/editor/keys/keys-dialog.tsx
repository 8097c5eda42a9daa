import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { channelRoutes } from '@tollgate/contract'

import { FocusBack } from '../../../../components/focus-back'
import { ConfirmButton } from '../../../../components/dialogs/confirm-button'
import { ownEscape } from '../../../../components/own-escape'
import { useIsPhone } from '../../../../lib/browser/breakpoints'
import { useTranslation } from '../../../../lib/text/i18n'
import { notifySuccess } from '../../../../lib/browser/notify'
import { useRead, useWrite } from '../../../../lib/api/query'
import { KeyRow } from './key-row'
import { channelReads } from '../../channel-data'
import { useChannelRights } from '../../use-channel-rights'

const liveMs = 5_000

interface KeysDialogProps {
  readonly channel: channelRoutes.ChannelEntity
  readonly onClose: () => void
}

/** The keys of a channel, identified by their last four characters, never shown. */
export function KeysDialog({ channel, onClose }: KeysDialogProps) {
  const { t } = useTranslation('channel-editor')
  const isPhone = useIsPhone()
  const { mayEnterKeys } = useChannelRights()
  const { data } = useRead(channelRoutes.getChannel, { params: { id: channel.id } })
  const live = useRead(
    channelRoutes.liveChannels,
    { query: { ids: String(channel.id) } },
    { refetchInterval: liveMs },
  ).data?.channels.find(({ id }) => id === channel.id)
  const manage = useWrite(channelRoutes.manageKeys, {
    changes: channelReads,
    onSuccess: () => notifySuccess(t('keys.done')),
  })
  const { keys } = data?.id === channel.id ? data : channel
  const disabled = keys.filter(({ status }) => status !== 1).length
  const order = (action: channelRoutes.KeyAction, fingerprint?: string) =>
    manage.mutate({ body: { channel_id: channel.id, action, fingerprint } })
  return (
    <Modal
      opened
      onClose={onClose}
      {...ownEscape(onClose)}
      title={t('keys.title', { name: channel.name })}
      size={720}
      fullScreen={isPhone}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <FocusBack />
      <Stack gap="sm">
        <Group gap={8} justify="space-between">
          <Text size="sm" c="dimmed" className="figures">
            {t('keys.summary', { count: keys.length, disabled })}
          </Text>
          <Group gap={6}>
            <Button variant="default" disabled={disabled === 0} onClick={() => order('enable_all_keys')}>
              {t('keys.enableAll')}
            </Button>
            <ConfirmButton
              title={t('keys.disableAll')}
              question={t('keys.disableAllHint', { count: keys.length })}
              confirmText={t('keys.disableAll')}
              disabled={disabled === keys.length}
              onConfirm={() => order('disable_all_keys')}
            >
              {t('keys.disableAll')}
            </ConfirmButton>
            {mayEnterKeys && (
              <ConfirmButton
                title={t('keys.deleteDisabled')}
                question={t('keys.deleteHint', { count: disabled })}
                confirmText={t('keys.delete')}
                disabled={disabled === 0}
                onConfirm={() => order('delete_disabled_keys')}
              >
                {t('keys.deleteDisabled')}
              </ConfirmButton>
            )}
          </Group>
        </Group>
        <div>
          {keys.map((key, index) => (
            <KeyRow
              key={key.fingerprint}
              place={index + 1}
              value={key}
              live={live?.keys.find(({ fingerprint }) => fingerprint === key.fingerprint)}
              isBusy={manage.isPending}
              canDelete={mayEnterKeys}
              onOrder={order}
            />
          ))}
        </div>
        {keys.length === 0 && <Text size="sm">{t('keys.unreadable')}</Text>}
      </Stack>
    </Modal>
  )
}
