import type { channelRoutes } from '@tollgate/contract'

import { Tip } from '../../components/tip'
import { formatDuration, formatTime } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'
import classes from './channels.module.css'
import { LiveBadge } from './live-badge'

interface LiveProps {
  readonly live: channelRoutes.ChannelLive | undefined
}

/** Calls in flight, the concurrency limit, and queued calls; nothing while there are none. */
export function CallsInFlight({ live }: LiveProps) {
  const { t } = useTranslation('channels')
  const { number } = useFormat()
  if (!live) return null
  const { in_flight: calls, limit, waiting } = live
  if (calls === 0 && waiting === 0) return null
  const isFull = limit > 0 && calls >= limit
  return (
    <Tip label={limit > 0 ? t('inFlightOf', { calls, limit, waiting }) : t('inFlightFree', { calls })}>
      <span className={classes.inFlight} data-is-full={isFull || undefined}>
        {t('inFlightNow', { calls: limit > 0 ? `${number(calls)} / ${number(limit)}` : number(calls) })}
        {waiting > 0 && ` +${number(waiting)}`}
      </span>
    </Tip>
  )
}

/** Median latency of the last 24 hours. */
export function Latency({ traffic }: { readonly traffic: channelRoutes.ChannelTraffic | undefined }) {
  const { t } = useTranslation('channels')
  if (!traffic || traffic.p50_ms === null) return null
  const { p50_ms: half, p95_ms: max, first_token_p50_ms: first } = traffic
  const lines = [
    t('latency.half', { time: formatDuration(half) }),
    ...(max === null ? [] : [t('latency.most', { time: formatDuration(max) })]),
    ...(first === null ? [] : [t('latency.first', { time: formatDuration(first) })]),
  ]
  return (
    <Tip label={lines.join('\n')}>
      <span className="figures" tabIndex={0}>
        {formatDuration(half)}
      </span>
    </Tip>
  )
}

/** Open circuit breakers: of the channel, or of single models and keys. */
export function LiveStates({ live }: LiveProps) {
  const { t } = useTranslation('channels')
  if (!live) return null
  const models = live.models.filter(({ state }) => state === 'open' || state === 'ready')
  const keys = live.keys.filter(({ state }) => state !== 'steady' && state !== 'suspect')
  return (
    <>
      <LiveBadge state={live.state} secondsLeft={live.seconds_left} />
      {live.state !== 'open' && models.length > 0 && (
        <Tip label={models.map(({ name }) => name).join('\n')}>
          <span className={classes.trouble} tabIndex={0}>
            {t('live.models', { count: models.length })}
          </span>
        </Tip>
      )}
      {keys.length > 0 && <span className={classes.trouble}>{t('live.keys', { count: keys.length })}</span>}
    </>
  )
}

/** The last failure and its time, on one line. */
export function LastFailure({ live }: LiveProps) {
  const failure = live?.last_failure
  const { ago } = useFormat()
  const words = useFailureText()
  if (!failure) return null
  const text = words(failure)
  return (
    <Tip label={`${text}\n${failure.model} · ${formatTime(failure.at)}`}>
      <span className={classes.failure} tabIndex={0}>
        <span className={classes.failureText}>{text}</span>
        <span className={classes.failureTime}>{ago(failure.at)}</span>
      </span>
    </Tip>
  )
}

/** Returns "401 invalid key", or the name of a failure without a response. */
export function useFailureText() {
  const { t } = useTranslation('channels')
  return ({ status, fault, message }: channelRoutes.ChannelFailure): string => {
    const known = faults.find((name) => name === fault)
    const name = known === undefined ? String(status) : t(`fault.${known}`)
    return message === '' ? name : `${name} · ${message}`
  }
}

/** Kinds of failures without a response; a refusal is described by its status. */
const faults = ['unreachable', 'stale', 'malformed', 'silent', 'timeout', 'unanswered', 'busy'] as const
