import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { channelRoutes, channelStatus } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'

import { FocusBack } from '../../../components/focus-back'
import { ConfirmButton } from '../../../components/dialogs/confirm-button'
import { ownEscape } from '../../../components/own-escape'
import { useIsPhone } from '../../../lib/browser/breakpoints'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { useRead, useWrite } from '../../../lib/api/query'
import { channelReads, useChannelRights } from '../channel-data'
import { StatusBadge } from '../../../components/status-badge'
import { TimeAgo } from '../../../components/time-ago'
import { LiveBadge } from '../live-badge'
import { useFailureText } from '../live-cells'
import classes from './keys-dialog.module.css'

const LimitsDrawer = lazy(async () => ({
  default: (await import('../../../domain/limits/limits-drawer')).LimitsDrawer,
}))

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
  const [limited, setLimited] = useState<channelRoutes.ChannelKeyEntity>()
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
              position={index + 1}
              value={key}
              live={live?.keys.find(({ fingerprint }) => fingerprint === key.fingerprint)}
              isBusy={manage.isPending}
              canDelete={mayEnterKeys}
              onLimits={() => setLimited(key)}
              onOrder={order}
            />
          ))}
        </div>
        {limited && (
          <Suspense>
            <LimitsDrawer
              owner={{ owner: 'channel_key', ref: `${channel.id}:${limited.fingerprint}`, name: keyName(limited) }}
              onClose={() => setLimited(undefined)}
            />
          </Suspense>
        )}
        {keys.length === 0 && <Text size="sm">{t('keys.unreadable')}</Text>}
      </Stack>
    </Modal>
  )
}

const keyName = ({ masked, fingerprint }: channelRoutes.ChannelKeyEntity) => masked || fingerprint

type LiveKey = channelRoutes.ChannelLive['keys'][number]

interface KeyRowProps {
  readonly position: number
  readonly value: channelRoutes.ChannelKeyEntity
  /** State reported by the workers; absent while all is well. */
  readonly live: LiveKey | undefined
  readonly isBusy: boolean
  readonly canDelete: boolean
  readonly onOrder: (action: channelRoutes.KeyAction, fingerprint: string) => void
  readonly onLimits: () => void
}

/** One key: its state, why and since when, and its actions. */
function KeyRow({ position: index, value, live, isBusy, canDelete, onOrder, onLimits }: KeyRowProps) {
  const { t } = useTranslation('channel-editor')
  const words = useFailureText()
  const { fingerprint, status, reason, time } = value
  const name = keyName(value)
  const isEnabled = status === channelStatus.enabled
  const state = isEnabled ? 'enabled' : status === channelStatus.disabled ? 'disabled' : 'autoDisabled'
  return (
    <div className={classes.row} role="group" aria-label={t('keys.key', { place: index, name })}>
      <Text size="sm" c="dimmed" className="figures">
        {index}
      </Text>
      <div className={classes.what}>
        <Group gap={8}>
          <Text size="sm" ff="monospace" title={t('keys.fingerprint', { fingerprint })}>
            {name}
          </Text>
          <StatusBadge tone={isEnabled ? 'good' : state === 'disabled' ? 'neutral' : 'bad'}>
            {t(`keys.${state}`)}
          </StatusBadge>
          {isEnabled && live && <LiveBadge state={live.state} secondsLeft={live.seconds_left} />}
          {!isEnabled && time > 0 && (
            <Text size="xs" c="dimmed" component="span">
              <TimeAgo at={time} />
            </Text>
          )}
        </Group>
        {reason && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {reason}
          </Text>
        )}
        {live?.last_failure && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {t('keys.lastFailure', { words: words(live.last_failure) })} <TimeAgo at={live.last_failure.at} />
          </Text>
        )}
      </div>
      <Group gap={6} wrap="nowrap">
        <Button variant="default" onClick={onLimits}>
          {t('keys.limits')}
        </Button>
        <Button
          variant="default"
          disabled={isBusy}
          onClick={() => onOrder(isEnabled ? 'disable_key' : 'enable_key', fingerprint)}
        >
          {t(isEnabled ? 'keys.disable' : 'keys.enable')}
        </Button>
        {canDelete && (
          <ConfirmButton
            title={t('keys.deleteTitle')}
            question={t('keys.deleteOne', { name })}
            confirmText={t('keys.delete')}
            disabled={isBusy}
            onConfirm={() => onOrder('delete_key', fingerprint)}
          >
            {t('keys.delete')}
          </ConfirmButton>
        )}
      </Group>
    </div>
  )
}
