import { LogDetails, logType, readFields } from '@tollgate/contract'

import type { Language } from '../../http/language'
import { sentence } from '../../http/language'
import { shownText } from '../../locales/sentence'
import type { LogRow } from '../../store/tables'

/**
 * Returns the text of a row in the reader's language. The price of a call is only in its details; rows of earlier releases have a
 * sentence, which is shown unchanged.
 */
export function logContent(
  { type, content, other }: Pick<LogRow, 'type' | 'content' | 'other'>,
  language: Language,
): string {
  if (content !== '' || type !== logType.consumption) return shownText(content, language)
  return priceText(other, language)
}

const Price = LogDetails.pick({ group_ratio: true, model_price: true, model_ratio: true, completion_ratio: true })

function priceText(other: string, language: Language): string {
  const price = readFields(Price, other)
  const { group_ratio: group, model_price: perCall, model_ratio: model, completion_ratio: completion } = price
  if (group === undefined || perCall === undefined) return ''
  if (perCall >= 0) return sentence('log.price_per_call', { price: perCall, group }, language)
  if (model === undefined || completion === undefined) return ''
  return sentence('log.price_per_token', { model, completion, group }, language)
}
