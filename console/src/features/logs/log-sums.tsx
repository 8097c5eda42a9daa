import { Anchor, Text } from '@mantine/core'
import type { ReactNode } from 'react'

import { Money } from '../../domain/money'
import { StatLine } from '../../components/stat/stat-line'
import { Tip } from '../../components/tip'
import { formatCompact, formatTime } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'
import type { LogFilter } from './log-query'
import classes from './logs.module.css'
import { useLogStat } from './log-data'

/** Cost of the calls within the filters, and current rates. */
export function LogSums({ filter }: { readonly filter: LogFilter }) {
  const { t } = useTranslation('logs')
  const { number } = useFormat()
  const { data, isStale, sumAll } = useLogStat(filter)
  const sums: readonly (readonly [name: string, value: ReactNode])[] = [
    [t('stat.quota'), data && <Money quota={data.quota} />],
    [t('stat.tokens'), data && <TokenTotals input={data.token_input} output={data.token_output} />],
    [t('stat.rpm'), data && number(data.rpm)],
    [t('stat.tpm'), data && formatCompact(data.tpm)],
  ]
  return (
    <div className={classes.stats} aria-busy={!data || isStale}>
      <StatLine stats={sums} />
      {data?.searched_until !== undefined && (
        <Text size="xs" c="dimmed">
          {t('stat.since', { time: formatTime(data.searched_until) })}{' '}
          <Anchor component="button" type="button" inherit onClick={sumAll}>
            {t('stat.all')}
          </Anchor>
        </Text>
      )}
    </div>
  )
}

function TokenTotals({ input, output }: { readonly input: number; readonly output: number }) {
  const { t } = useTranslation('logs')
  const { number } = useFormat()
  return (
    <Tip label={t('stat.inOut', { input: number(input), output: number(output) })}>
      <span>{`${formatCompact(input)} / ${formatCompact(output)}`}</span>
    </Tip>
  )
}
