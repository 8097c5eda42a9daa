import { Badge, Group } from '@mantine/core'
import { IconWaveSine } from '@tabler/icons-react'
import { readLogOther } from '@tollgate/contract'
import { useTranslation } from 'react-i18next'

import { Tip } from '../../components/tip'
import { formatDuration } from '../../lib/format'
import { paceOfCall, paceOfFirstToken, type LogRow, type Pace as PaceName } from './log-row'
import classes from './logs.module.css'

const colors: Record<PaceName, string> = { good: 'green', warning: 'orange', bad: 'red' }

/** How long the call took and when its first token came, in the colours of their limits. */
export function Pace({ row }: { readonly row: LogRow }) {
  const { t } = useTranslation('logs')
  const { frt: firstTokenMs = -1 } = readLogOther(row.other)
  return (
    <Group gap={4} wrap="nowrap">
      <Tip label={t('pace.call')}>
        <Badge color={colors[paceOfCall(row.use_time)]}>{`${row.use_time} s`}</Badge>
      </Tip>
      {row.is_stream && firstTokenMs >= 0 && (
        <Tip label={t('pace.firstToken')}>
          <Badge color={colors[paceOfFirstToken(firstTokenMs)]}>{formatDuration(firstTokenMs)}</Badge>
        </Tip>
      )}
      {row.is_stream && (
        <Tip label={t('stream')}>
          <span className={classes.stream} role="img" aria-label={t('stream')}>
            <IconWaveSine size={15} />
          </span>
        </Tip>
      )}
    </Group>
  )
}
