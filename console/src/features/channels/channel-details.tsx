import { Loader, Text } from '@mantine/core'
import { channelRoutes } from '@tollgate/contract'

import { ErrorState } from '../../components/page/error-state'
import { StatusBadge, type Tone } from '../../components/status-badge'
import { formatTime } from '../../lib/format'
import { useTranslation } from '../../lib/i18n'
import { useRead } from '../../lib/query'
import classes from './channel-details.module.css'
import type { Channel } from './channel-row'
import { LiveBadge } from './live-badge'
import { useFailureWords } from './live-cells'

interface ChannelDetailsProps {
  readonly channel: Channel
  readonly live: channelRoutes.ChannelLive | undefined
}

/** Below a row: current outages, and the history of disabled channels and keys. */
export function ChannelDetails({ channel, live }: ChannelDetailsProps) {
  const { t } = useTranslation('channels')
  return (
    <div className={classes.details}>
      <section>
        <h3>{t('details.now')}</h3>
        <Now channel={channel} live={live} />
      </section>
      <section>
        <h3>{t('details.history')}</h3>
        <History id={channel.id} />
      </section>
    </div>
  )
}

function Now({ channel, live }: ChannelDetailsProps) {
  const { t } = useTranslation('channels')
  const words = useFailureWords()
  const failure = live?.last_failure
  const models = live?.models ?? []
  const keys = live?.keys.filter(({ state }) => state !== 'steady') ?? []
  const nameOf = (fingerprint: string) =>
    channel.keys.find((key) => key.fingerprint === fingerprint)?.masked || fingerprint.slice(0, 8)
  if (!failure && models.length === 0 && keys.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('details.allWell')}
      </Text>
    )
  return (
    <ul className={classes.list}>
      {failure && (
        <li>
          <span className={classes.name}>{t('details.lastFailure', { time: formatTime(failure.at) })}</span>
          <span className={classes.words}>{words(failure)}</span>
          <span className={classes.name}>{failure.model}</span>
        </li>
      )}
      {models.map(({ name, state, seconds_left: seconds }) => (
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
    </ul>
  )
}

const tones: Readonly<Record<channelRoutes.ChannelEvent['kind'], Tone>> = {
  disabled: 'bad',
  key_disabled: 'warning',
  enabled: 'good',
  key_enabled: 'good',
}

function History({ id }: { readonly id: number }) {
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
      {data.map(({ at, kind, is_by_hand: isByHand, username, text }, place) => (
        // Events have no ids and are only added at the front.
        <li key={`${at} ${kind} ${data.length - place}`}>
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
