import { Button, Group, Text } from '@mantine/core'
import { channelStatus, type channelRoutes } from '@tollgate/contract'

import { ConfirmButton } from '../../../../components/dialogs/confirm-button'
import { StatusBadge } from '../../../../components/status-badge'
import { TimeAgo } from '../../../../components/time-ago'
import { useTranslation } from '../../../../lib/text/i18n'
import { LiveBadge } from '../../live-badge'
import { useFailureText } from '../../live-cells'
import classes from './keys.module.css'

type LiveKey = channelRoutes.ChannelLive['keys'][number]

interface KeyRowProps {
  readonly place: number
  readonly value: channelRoutes.ChannelKeyEntity
  /** State reported by the workers; absent while all is well. */
  readonly live: LiveKey | undefined
  readonly isBusy: boolean
  readonly canDelete: boolean
  readonly onOrder: (action: channelRoutes.KeyAction, fingerprint: string) => void
}

/** One key: its state, why and since when, and its actions. */
export function KeyRow({ place, value, live, isBusy, canDelete, onOrder }: KeyRowProps) {
  const { t } = useTranslation('channel-editor')
  const words = useFailureText()
  const { fingerprint, masked, status, reason, time } = value
  const name = masked || fingerprint
  const isEnabled = status === channelStatus.enabled
  const state = isEnabled ? 'enabled' : status === channelStatus.disabled ? 'disabled' : 'autoDisabled'
  return (
    <div className={classes.row} role="group" aria-label={t('keys.key', { place, name })}>
      <Text size="sm" c="dimmed" className="figures">
        {place}
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
