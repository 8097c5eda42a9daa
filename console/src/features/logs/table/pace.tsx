import { readLogDetails } from '@tollgate/contract'
import { IconWaveSine } from '@tabler/icons-react'

import { Tip } from '../../../components/tip'
import { useTranslation } from '../../../lib/text/i18n'
import { elapsedMs, formatElapsed, type LogRow, type Pace as PaceName, paceOfCall, paceOfFirstToken } from '../log-row'
import classes from '../logs.module.css'

interface PaceProps {
  readonly row: LogRow
  /** Both values in one line. */
  readonly isInline?: boolean
}

/** Duration of the call, and below it the time to the first token. Only slow values are coloured. */
export function Pace({ row, isInline }: PaceProps) {
  const { t } = useTranslation('logs')
  const { frt: firstTokenMs = -1 } = readLogDetails(row.other)
  const ms = elapsedMs(row)
  // A vendor made the call in its own time.
  if (ms === null) return null
  return (
    <div className={classes.pace} data-is-inline={isInline || undefined}>
      <Tip label={t('pace.call')}>
        <Figure pace={paceOfCall(row.use_time)}>{ms === undefined ? `${row.use_time} s` : formatElapsed(ms)}</Figure>
      </Tip>
      {row.is_stream && (
        <Tip label={t('stream')}>
          <span className={classes.stream} role="img" aria-label={t('stream')}>
            <IconWaveSine size={13} />
          </span>
        </Tip>
      )}
      {row.is_stream && firstTokenMs >= 0 && (
        <Tip label={t('pace.firstToken')}>
          <Figure pace={paceOfFirstToken(firstTokenMs)} isSmall>
            {t('pace.ttft', { duration: formatElapsed(firstTokenMs) })}
          </Figure>
        </Tip>
      )}
    </div>
  )
}

interface FigureProps extends React.HTMLAttributes<HTMLSpanElement> {
  readonly pace: PaceName
  readonly isSmall?: boolean
}

/** Forwards the props of the tooltip. */
const Figure = ({ pace, isSmall, ...rest }: FigureProps) => (
  <span
    {...rest}
    className={`figures ${isSmall ? classes.ttft : classes.elapsed}`}
    data-pace={pace === 'good' ? undefined : pace}
  />
)
