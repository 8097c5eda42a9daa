import type { channelRoutes } from '@tollgate/contract'
import { useState, type PointerEvent } from 'react'

import { healthLevel, healthLevels } from '../../components/chart/health-level'
import { Tip } from '../../components/tip'
import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'
import classes from './traffic-strip.module.css'

const barWidth = 4
const step = 5
const height = 18

interface TrafficStripProps {
  readonly traffic: channelRoutes.ChannelTraffic | undefined
  readonly times: readonly number[]
}

/** The last 24 hours, a bar each, and their totals. One path for each colour, however many rows there are. */
export function TrafficStrip({ traffic, times }: TrafficStripProps) {
  const { t } = useTranslation('channels')
  const { number, share } = useFormat()
  const [hour, setHour] = useState<number>()
  if (!traffic) return <div className={classes.strip} data-is-waiting />
  const { hours, count, errors } = traffic
  const words = (calls: number, failed: number) =>
    calls + failed === 0
      ? t('traffic.none')
      : t('traffic.words', {
          share: share(calls / (calls + failed)),
          calls: t('traffic.calls', { count: calls }),
          errors: t('traffic.errors', { count: failed }),
        })
  const whole = words(count, errors)
  const at = hour === undefined ? undefined : times[hour]
  const cell = hour === undefined ? null : hours[hour]
  const label = at === undefined ? whole : `${clockTime(at)} · ${words(cell?.count ?? 0, cell?.errors ?? 0)}`
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const box = currentTarget.getBoundingClientRect()
    setHour(Math.max(0, Math.min(hours.length - 1, Math.floor(((clientX - box.left) / box.width) * hours.length))))
  }
  return (
    <div className={classes.strip}>
      <Tip label={label}>
        <span
          className={classes.bars}
          role="img"
          aria-label={t('traffic.label', { words: whole })}
          tabIndex={0}
          onPointerMove={point}
          onPointerLeave={() => setHour(undefined)}
        >
          <svg width={hours.length * step} height={height} viewBox={`0 0 ${hours.length * step} ${height}`}>
            {healthLevels.map((level) => (
              <path key={level} className={classes.bar} data-level={level} d={pathOf(level, hours)} />
            ))}
          </svg>
        </span>
      </Tip>
      <span className={classes.sum}>
        {count + errors > 0
          ? t('traffic.sum', { share: share(count / (count + errors)), attempts: number(count + errors) })
          : '–'}
      </span>
    </div>
  )
}

/** Hours without traffic are low bars, so that an idle channel does not look healthy. */
function pathOf(level: string, hours: channelRoutes.ChannelTraffic['hours']): string {
  return hours
    .map((cell, index) => {
      if (healthLevel(cell) !== level) return ''
      const top = level === 'quiet' ? height - 4 : 1
      return `M${index * step} ${top}h${barWidth}V${height - 1}h-${barWidth}z`
    })
    .join('')
}

const clockTime = (unixSeconds: number): string => {
  const date = new Date(unixSeconds * 1000)
  return `${String(date.getHours()).padStart(2, '0')}:00`
}
