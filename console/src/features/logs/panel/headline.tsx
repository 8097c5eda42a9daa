import { logType } from '@tollgate/contract'

import { Money } from '../../../domain/money'
import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import { StatusCell } from '../table/log-cells'
import type { LogRow } from '../log-row'
import classes from '../logs.module.css'
import { Pace } from '../table/pace'

/** The essentials of a call: outcome, cost, duration, tokens, and the reason of a failure. */
export function Headline({ row }: { readonly row: LogRow }) {
  const { t } = useTranslation('logs')
  const { number } = useFormat()
  const isFailed = row.type === logType.error
  const figures = [
    [t('column.status'), <StatusCell key="status" row={row} />],
    [t('column.cost'), isFailed ? '–' : <Money key="cost" quota={row.quota} />],
    [t('column.duration'), <Pace key="pace" row={row} />],
    [t('column.tokens'), isFailed ? '–' : `${number(row.prompt_tokens)} / ${number(row.completion_tokens)}`],
  ] as const
  return (
    <div>
      <dl className={classes.headline}>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {isFailed && row.content && <p className={classes.reason}>{row.content}</p>}
    </div>
  )
}
