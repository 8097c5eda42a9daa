import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { channelRoutes } from '@tollgate/contract'

import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import { LiveBadge } from '../live-badge'
import classes from './route.module.css'
import { formatDuration } from '../../../lib/text/format'
import { VendorMark } from '../../../domain/vendor-mark'
import { useVendors } from '../channel-data'

interface CandidateRowProps {
  readonly channel: channelRoutes.RouteCandidate
  readonly model: string
}

/** A channel of a tier: its share of the calls, its current health, and reasons against it. */
export function CandidateRow({ channel, model }: CandidateRowProps) {
  const { t } = useTranslation('routing', 'channels')
  const { share } = useFormat()
  const { weight, share_now: now, state, in_flight: calls, limit, upstream_model: upstream } = channel
  return (
    <li className={classes.row} data-is-next={now > 0 || undefined}>
      <div className={classes.who}>
        <ChannelLink channel={channel} />
        {upstream !== model && (
          <Text size="xs" c="dimmed" truncate title={upstream}>
            {t('asks', { model: upstream })}
          </Text>
        )}
      </div>
      <dl className={classes.figures}>
        <Figure name={t('weight')} value={String(weight)} />
        <Figure name={t('share')} value={share(channel.share)} />
        <Figure name={t('channels:inFlight')} value={limit > 0 ? `${calls} / ${limit}` : String(calls)} />
      </dl>
      <div className={classes.why}>
        <LiveBadge state={state} />
        <Reasons reasons={channel.reasons} />
      </div>
      <div className={classes.now}>
        <span className={classes.nowName}>{t('nextCall')}</span>
        <meter className={classes.meter} min={0} max={1} value={now} aria-label={t('shareNow')} />
        <span className="figures">{share(now)}</span>
      </div>
      {channel.score && <Score score={channel.score} />}
      {channel.sample && <Sample sample={channel.sample} learned={channel.learned} />}
    </li>
  )
}

/** The channel's score under the strategy of its tier, and what it is made of. */
function Score({ score: { score, cost, speed, room, ...measured } }: { readonly score: channelRoutes.RouteScore }) {
  const { t } = useTranslation('routing')
  const { share, money, number } = useFormat()
  const { reference_cost: reference, first_token_ms: firstToken, tokens_per_second: rate } = measured
  const speeds = [
    firstToken !== null && t('score.firstToken', { time: formatDuration(firstToken) }),
    rate !== null && t('score.rate', { rate: number(Math.round(rate)) }),
  ].filter((text) => text !== false)
  return (
    <dl className={classes.score}>
      <Figure name={t('score.score')} value={share(score)} />
      <Figure
        name={t('score.cost')}
        value={reference === null ? share(cost) : `${share(cost)} · ${money(reference)}`}
      />
      <Figure
        name={t('score.speed')}
        value={[share(speed), ...(speeds.length > 0 ? speeds : [t('score.unmeasured')])].join(' · ')}
      />
      <Figure name={t('score.room')} value={share(room)} />
    </dl>
  )
}

interface SampleProps {
  readonly sample: channelRoutes.SampleRequest
  readonly learned: channelRoutes.RouteCandidate['learned']
}

/** The request as the upstream would get it, after all changes that the channel makes. */
function Sample({ sample: { url, headers, body }, learned }: SampleProps) {
  const { t } = useTranslation('routing')
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <details className={classes.sample}>
      <summary>{t('sample')}</summary>
      {learned.map((fact) => (
        <Text key={fact} size="xs" c="dimmed">
          {t(`learned.${fact}`)}
        </Text>
      ))}
      <pre>{[`POST ${url}`, ...lines, '', body].join('\n')}</pre>
    </details>
  )
}

const Figure = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd className="figures">{value}</dd>
  </div>
)

/** Why a channel is not used, or only after others: a sentence for each reason. */
export function Reasons({ reasons }: { readonly reasons: readonly channelRoutes.RouteReason[] }) {
  const { t } = useTranslation('channels')
  if (reasons.length === 0) return null
  return (
    <ul className={classes.reasons}>
      {reasons.map(({ code, detail, seconds_left: seconds }) => (
        <li key={code}>
          {t(`reason.${code}`, { detail })}
          {seconds > 0 && ` · ${t('reason.again', { time: formatDuration(seconds * 1000) })}`}
          {code === 'auto_disabled' && detail !== '' && <span className={classes.detail}>{detail}</span>}
        </li>
      ))}
    </ul>
  )
}

interface ChannelLinkProps {
  readonly channel: { readonly id: number; readonly name: string; readonly type: number }
}

/** A channel by vendor, id and name; opens its editor. */
export function ChannelLink({ channel: { id, name, type } }: ChannelLinkProps) {
  const { t } = useTranslation('channels')
  const { language } = useFormat()
  const vendor = useVendors().find((known) => known.type === type)
  return (
    <span className={classes.channel}>
      <VendorMark id={vendor?.id ?? ''} name={vendor?.name[language] ?? t('unknownVendor', { type })} />
      <Anchor
        className={classes.channelName}
        title={name}
        renderRoot={(props) => <Link to="/admin/channels" search={{ edit: String(id) }} {...props} />}
      >
        {name}
      </Anchor>
      <span className={classes.id}>{`#${id}`}</span>
    </span>
  )
}
