import { logType, readLogOther } from '@tollgate/contract'
import { useTranslation } from 'react-i18next'

import { formatDecimal } from '../../lib/format'
import { CutText } from './log-cells'
import type { LogRow } from './log-row'

/** What the row says of itself; of a charged call its ratios, in the reader's language. */
export function DetailsCell({ row }: { readonly row: LogRow }) {
  const { t } = useTranslation('logs')
  const {
    model_price: price,
    model_ratio: model,
    completion_ratio: completion,
    group_ratio: group,
  } = readLogOther(row.other)
  const decimal = (value = 1) => formatDecimal(value, 6)
  const isPerCall = price !== undefined && price >= 0
  if (row.type !== logType.consumption || (!isPerCall && model === undefined))
    return <CutText text={row.content} width={280} />
  const text = isPerCall
    ? t('priced.call', { price: decimal(price), group: decimal(group) })
    : t('priced.tokens', { model: decimal(model), completion: decimal(completion), group: decimal(group) })
  return <CutText text={text} width={280} />
}
