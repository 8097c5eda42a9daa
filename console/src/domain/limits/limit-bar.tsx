import { IconAlertTriangle, IconBan } from '@tabler/icons-react'
import { windowRoutes } from '@tollgate/contract'

import { Tip } from '../../components/tip'
import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'
import { useNow } from '../../lib/text/use-now'
import type { Standing } from './standings-data'
import classes from './limits.module.css'
import { useLimitText } from './use-limit-text'

interface LimitBarProps {
  readonly standing: Standing
  /** Default: that of the limit; empty where it is written above. */
  readonly name?: string
}

type Level = 'fine' | 'near' | 'used'

const shareOf = ({ used, limit }: Standing): number => Math.min(1, used / limit)

function levelOf(standing: Standing): Level {
  if (standing.used >= standing.limit) return 'used'
  return shareOf(standing) * 100 >= windowRoutes.nearLimitPercent ? 'near' : 'fine'
}

/** What is left of a limit, and when it resets. */
export function LimitBar({ standing, name = standing.name }: LimitBarProps) {
  const { t } = useTranslation('limits')
  const text = useLimitText()
  const { measure, limit, used } = standing
  const isCounted = measure !== 'concurrent'
  const left = isCounted ? text.left(measure, used, limit) : t('atMost', { limit: text.amount(measure, limit) })
  return (
    <div className={classes.bar} data-level={levelOf(standing)}>
      <div className={classes.line}>
        {name !== '' && <span className={classes.name}>{name}</span>}
        <span className="figures">{left}</span>
      </div>
      {isCounted && (
        <>
          <Track standing={standing} />
          <div className={classes.note}>
            <LevelText standing={standing} />
            <ResetText standing={standing} />
          </div>
        </>
      )}
    </div>
  )
}

function Track({ standing }: { readonly standing: Standing }) {
  const percent = Math.round(shareOf(standing) * 100)
  return (
    <div
      className={classes.track}
      role="progressbar"
      aria-label={standing.name}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <div style={{ width: `${percent}%` }} />
    </div>
  )
}

/** Says what the colour of the bar means. */
function LevelText({ standing }: { readonly standing: Standing }) {
  const { t } = useTranslation('limits')
  const { share } = useFormat()
  const level = levelOf(standing)
  if (level === 'fine') return null
  const LevelIcon = level === 'near' ? IconAlertTriangle : IconBan
  return (
    <span className={classes.level}>
      <LevelIcon size={13} aria-hidden />
      {level === 'near'
        ? t('level.near', { share: share(shareOf(standing)) })
        : t(standing.remaining > 0 ? 'level.grace' : 'level.used')}
    </span>
  )
}

const minuteMs = 60_000

function ResetText({ standing: { resets_at: at, span } }: { readonly standing: Standing }) {
  const { t } = useTranslation('limits')
  const { ago } = useFormat()
  const now = useNow(minuteMs)
  if (at !== null) {
    const when = ago(at, now / 1000)
    return <span>{t('resets', { when })}</span>
  }
  return span === 'always' || span === 'range' ? null : <span>{t('notBegun')}</span>
}

/** The limit of which the largest share is used, for a cell of a list; all of them on hover. */
export function NearestLimit({ standings }: { readonly standings: readonly Standing[] }) {
  const text = useLimitText()
  const counted = standings.filter(({ measure }) => measure !== 'concurrent')
  const [nearest, ...others] = counted.toSorted((one, other) => shareOf(other) - shareOf(one))
  if (!nearest) return null
  const lines = counted.map(({ id, name, measure, used, limit }) => (
    <div key={id}>{`${name}: ${text.left(measure, used, limit)}`}</div>
  ))
  return (
    <Tip label={<>{lines}</>}>
      <div className={classes.bar} data-is-compact data-level={levelOf(nearest)} tabIndex={0}>
        <div className={`figures ${classes.line}`}>
          <span>{text.shortLeft(nearest.measure, nearest.used, nearest.limit)}</span>
          {others.length > 0 && <span>{`+${others.length}`}</span>}
        </div>
        <Track standing={nearest} />
        <div className={classes.note}>
          <LevelText standing={nearest} />
          <ResetText standing={nearest} />
        </div>
      </div>
    </Tip>
  )
}
