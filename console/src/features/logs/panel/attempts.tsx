import { Text } from '@mantine/core'
import { readLogDetails, type ChoiceReason as Reason } from '@tollgate/contract'

import { PanelSection } from '../../../components/peek/panel-section'
import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import { attemptsOf, type CallAttempt, formatElapsed, type LogRow } from '../log-row'
import { ChannelName } from '../channel-name'
import classes from '../logs.module.css'

/** The channels tried in order, and why each failed; users see only the number of attempts. */
export function Attempts({ row }: { readonly row: LogRow }) {
  const { t } = useTranslation('logs')
  if (attemptsOf(row).length === 0) return null
  return (
    <PanelSection title={t('attempts.title')}>
      <ChosenBy row={row} />
      <AttemptList row={row} />
    </PanelSection>
  )
}

/** Why a strategy chose the channel that served. */
function ChosenBy({ row }: { readonly row: LogRow }) {
  const { chosen_by: chosen } = readLogDetails(row.other).admin_info ?? {}
  return chosen ? <ChoiceReason reason={chosen} /> : null
}

function ChoiceReason({ reason: { strategy, basis, score } }: { readonly reason: Reason }) {
  const { t } = useTranslation('strategies')
  const { share } = useFormat()
  return <Text size="xs">{t(`basis.${basis}`, { strategy: t(`name.${strategy}`), score: share(score) })}</Text>
}

export function AttemptList({ row }: { readonly row: LogRow }) {
  const { t } = useTranslation('logs')
  return (
    <ol className={classes.attempts}>
      {waterfall(attemptsOf(row)).map(({ attempt, start, share }, index) => (
        <li key={index} className={classes.attempt} data-is-served={isServed(attempt) || undefined}>
          <div className={classes.attemptHead}>
            <span className={classes.attemptName}>
              {attempt.channel === undefined ? (
                t('attempts.numbered', { number: index + 1 })
              ) : (
                <AttemptChannel row={row} id={attempt.channel} />
              )}
            </span>
            <span className="figures" style={{ flex: 'none' }}>
              {t('attempts.outcome', { status: attempt.status, duration: formatElapsed(attempt.ms) })}
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
      ))}
    </ol>
  )
}

const isServed = ({ reason, status }: CallAttempt) => !reason && status < 400

function AttemptChannel({ row, id }: { readonly row: LogRow; readonly id: number }) {
  const known = id === row.channel ? row.channel_name : undefined
  return (
    <>
      {known || <ChannelName id={id} otherwise="" />}
      <Text span size="xs" c="dimmed">
        {` #${id}`}
      </Text>
    </>
  )
}

/** Start and duration of each attempt as shares of the whole. */
function waterfall(attempts: readonly CallAttempt[]) {
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
