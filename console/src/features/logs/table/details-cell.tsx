import { logType, readLogDetails } from '@tollgate/contract'

import { formatDecimal } from '../../../lib/format'
import { useTranslation } from '../../../lib/i18n'
import type { LogRow } from '../log-row'
import classes from '../logs.module.css'

/** The row's own text; for a charged call its ratios, in the reader's language. */
export function DetailsCell({ row }: { readonly row: LogRow }) {
  const { t } = useTranslation('logs')
  const {
    model_price: price,
    model_ratio: model,
    completion_ratio: completion,
    group_ratio: group,
  } = readLogDetails(row.other)
  const decimal = (value = 1) => formatDecimal(value, 6)
  const isPerCall = price !== undefined && price >= 0
  if (row.type === logType.error) return <Reason row={row} />
  if (row.type !== logType.consumption || (!isPerCall && model === undefined)) return <Line text={row.content} />
  const text = isPerCall
    ? t('priced.call', { price: decimal(price), group: decimal(group) })
    : t('priced.tokens', { model: decimal(model), completion: decimal(completion), group: decimal(group) })
  return <Line text={text} isQuiet />
}

/** The gateway's sentence, and below it the upstream's, where the reader may see it. */
function Reason({ row }: { readonly row: LogRow }) {
  const { attempts = [] } = readLogDetails(row.other).admin_info ?? {}
  const reason = attempts.at(-1)?.reason
  return (
    <>
      <Line text={row.content} />
      {reason && reason !== row.content && <Line text={reason} isQuiet />}
    </>
  )
}

/** A line truncated at the end of its cell. */
export const Line = ({ text, isQuiet }: { readonly text: string; readonly isQuiet?: boolean }) =>
  text && (
    <div className={classes.line} data-is-quiet={isQuiet || undefined} title={text}>
      {text}
    </div>
  )
