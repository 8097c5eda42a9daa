import { Text } from '@mantine/core'
import { channelRoutes, type LoggedAttempt, readLogOther } from '@tollgate/contract'
import { useTranslation } from 'react-i18next'

import { formatDuration } from '../../lib/format'
import { useRead } from '../../lib/query'
import type { LogRow } from './log-row'
import classes from './logs.module.css'
import { PanelSection } from './panel-section'

/** Which channels were asked, one after the other, and why each was left. For administrators: others are not told. */
export function Attempts({ row }: { readonly row: LogRow }) {
  const { t } = useTranslation('logs')
  const { attempts = [] } = readLogOther(row.other).admin_info ?? {}
  if (attempts.length === 0) return null
  return (
    <PanelSection title={t('attempts.title')}>
      <ol className={classes.attempts}>
        {waterfall(attempts).map(({ attempt, start, share }, index) => {
          const known = attempt.channel === row.channel ? row.channel_name : undefined
          const isServed = !attempt.reason && attempt.status < 400
          return (
            <li key={index} className={classes.attempt} data-is-served={isServed || undefined}>
              <div className={classes.attemptHead}>
                <span className={classes.attemptName}>
                  {known || <ChannelName id={attempt.channel} />}
                  <Text span size="xs" c="dimmed">
                    {` #${attempt.channel}`}
                  </Text>
                </span>
                <span className="figures" style={{ flex: 'none' }}>
                  {t('attempts.outcome', { status: attempt.status, duration: formatDuration(attempt.ms) })}
                </span>
              </div>
              <div className={classes.track}>
                <span style={{ marginLeft: `${start * 100}%`, width: `${Math.max(share * 100, 0.7)}%` }} />
              </div>
              {attempt.reason && (
                <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {attempt.reason}
                </Text>
              )}
            </li>
          )
        })}
      </ol>
    </PanelSection>
  )
}

/** As the channel is called now; nothing where it is gone. */
function ChannelName({ id }: { readonly id: number }) {
  const { data } = useRead(channelRoutes.getChannel, { params: { id } }, { staleTime: Infinity })
  return data?.id === id ? data.name : null
}

/** Where each attempt begins and how long it is, as shares of the whole. */
function waterfall(attempts: readonly LoggedAttempt[]) {
  const whole = Math.max(
    1,
    attempts.reduce((sum, { ms }) => sum + ms, 0),
  )
  let before = 0
  return attempts.map((attempt) => {
    const start = before / whole
    before += attempt.ms
    return { attempt, start, share: attempt.ms / whole }
  })
}
