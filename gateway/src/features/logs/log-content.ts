import { logType } from '@tollgate/contract'
import { z } from 'zod'

import type { Language } from '../../http/language'
import { sentence } from '../../http/language'
import { shownText } from '../../http/shown-text'
import type { LogRow } from '../../store/tables'

/** What the price of a call is told from; `model_price` is -1 where the call was not sold by itself. */
const Price = z.object({
  model_ratio: z.number(),
  completion_ratio: z.number(),
  group_ratio: z.number(),
  model_price: z.number(),
})

/**
 * What a row says, in the reader's language. The price of a call stands in its details alone; rows of earlier releases
 * hold a sentence, which is shown as it is.
 */
export function logContent({ type, content }: Pick<LogRow, 'type' | 'content'>, details: unknown, language: Language) {
  if (content !== '' || type !== logType.consumption) return shownText(content, language)
  const price = Price.safeParse(details)
  return price.success ? priceText(price.data, language) : ''
}

function priceText(price: z.output<typeof Price>, language: Language): string {
  const { group_ratio: group, model_price: perCall } = price
  if (perCall >= 0) return sentence('log.price_per_call', { price: perCall, group }, language)
  const { model_ratio: model, completion_ratio: completion } = price
  return sentence('log.price_per_token', { model, completion, group }, language)
}
