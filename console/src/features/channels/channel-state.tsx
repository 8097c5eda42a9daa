import { Loader, Text } from '@mantine/core'
import { channelRoutes, channelStatus } from '@tollgate/contract'

import { ErrorState } from '../../components/page/state-message'
import { StatusBadge, type Tone } from '../../components/status-badge'
import { useFormat } from '../../lib/text/use-format'
import { formatDuration, formatTime } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { useRead } from '../../lib/api/query'
import classes from './channel-state.module.css'
import { isEnabled, statusReason, type Channel } from './channel-row'
import { LiveBadge } from './live-badge'
import { useFailureText } from './live-cells'

interface ChannelStateProps {
  readonly channel: Channel
  readonly live: channelRoutes.ChannelLive | undefined
  readonly traffic: channelRoutes.ChannelTraffic | undefined
}

/**
 * What is known of a channel: its stored state with the reason, the outages that this node remembers, the last 24 hours, and the last test.
 * All but the outages outlives a restart.
 */
export function ChannelState({ channel, live, traffic }: ChannelStateProps) {
  const { t } = useTranslation('channels')
  const words = useFailureText()
  const failure = live?.last_failure
  const keys = live?.keys.filter(({ state }) => state !== 'steady') ?? []
  const nameOf = (fingerprint: string) =>
    channel.keys.find((key) => key.fingerprint === fingerprint)?.masked || fingerprint.slice(0, 8)
  return (
    <ul className={classes.list}>
      <StoredState channel={channel} />
      {failure && (
        <li>
          <span className={classes.name}>{t('details.lastFailure', { time: formatTime(failure.at) })}</span>
          <span className={classes.words}>{words(failure)}</span>
          <span className={classes.name}>{failure.model}</span>
        </li>
      )}
      {live?.models.map(({ name, state, seconds_left: seconds }) => (
        <li key={name}>
          <span className={classes.words}>{name}</span>
          <LiveBadge state={state} secondsLeft={seconds} />
        </li>
      ))}
      {keys.map(({ fingerprint, state, seconds_left: seconds }) => (
        <li key={fingerprint}>
          <span className={classes.words}>{t('details.key', { key: nameOf(fingerprint) })}</span>
          <LiveBadge state={state} secondsLeft={seconds} />
        </li>
      ))}
      {traffic && (
        <li>
          <DayWords traffic={traffic} />
        </li>
      )}
      <li>
        <TestWords channel={channel} />
      </li>
    </ul>
  )
}

/** Why the channel gets no calls; nothing for an enabled one. */
function StoredState({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('channels')
  if (isEnabled(channel)) return null
  const why = channel.status === channelStatus.autoDisabled ? statusReason(channel.other_info) : undefined
  return (
    <li>
      {why && why.time > 0 && <span className={classes.name}>{formatTime(why.time)}</span>}
      <span className={classes.words}>
        {channel.status !== channelStatus.autoDisabled
          ? t('details.disabled')
          : why
            ? t('details.autoDisabled', { reason: why.reason })
            : t('details.autoDisabledUnknown')}
      </span>
    </li>
  )
}

function DayWords({ traffic: { count, errors } }: { readonly traffic: channelRoutes.ChannelTraffic }) {
  const { t } = useTranslation('channels')
  const { number } = useFormat()
  if (count + errors === 0) return t('details.noCalls')
  if (errors === 0) return t('details.allSucceeded', { count })
  return t('details.someFailed', { count: errors, attempts: number(count + errors) })
}

function TestWords({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('channels')
  const { test_time: at, test_failure: failure, response_time: took } = channel
  if (at === 0) return t('details.neverTested')
  const time = formatTime(at)
  return failure === ''
    ? t('details.testPassed', { time, duration: formatDuration(took) })
    : t('details.testFailed', { time, reason: failure })
}

const tones: Readonly<Record<channelRoutes.ChannelEvent['kind'], Tone>> = {
  disabled: 'bad',
  key_disabled: 'warning',
  enabled: 'good',
  key_enabled: 'good',
}

/** When the channel and its keys were disabled and enabled. */
export function ChannelHistory({ id }: { readonly id: number }) {
  const { t } = useTranslation('channels')
  const { data, error, refetch } = useRead(channelRoutes.channelHistory, { params: { id } })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} isSmall />
  if (!data) return <Loader size={16} aria-label={t('details.loading')} />
  if (data.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('details.noHistory')}
      </Text>
    )
  return (
    <ul className={classes.list}>
      {data.map(({ at, kind, is_by_hand: isByHand, username, text }, index) => (
        // Events have no ids and are only added at the front.
        <li key={`${at} ${kind} ${data.length - index}`}>
          <span className={classes.name}>{formatTime(at)}</span>
          <StatusBadge tone={isByHand && kind === 'disabled' ? 'neutral' : tones[kind]}>
            {t(`details.kind.${kind}`)}
          </StatusBadge>
          <span className={classes.words}>
            {isByHand ? (username === '' ? t('details.byHand') : t('details.by', { username })) : text}
          </span>
        </li>
      ))}
    </ul>
  )
}
