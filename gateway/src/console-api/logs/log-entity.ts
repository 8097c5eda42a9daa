import {
  ownLogDetails,
  logType,
  ChargeDetails,
  priceClassNames,
  readFields,
  unitPriceText,
  type logRoutes,
} from '@tollgate/contract'
import { loggedCharge, numberOf, usedClasses } from '@tollgate/contract/price-formula'

import { sentence, type Language } from '../../http/language'
import type { LogRow } from '../../platform/store/tables'
import { shownText } from '../../platform/locales/sentence'

/** Returns a row as an administrator sees it. */
export function logEntity(row: LogRow, language: Language): logRoutes.LogEntity {
  const common = commonPart(row, language)
  return { ...common, other: row.other, channel: row.channel_id, channel_name: row.channel_name }
}

/** Returns a row as its user sees it: nothing about channels or other facts for administrators. */
export function ownLogEntity(row: LogRow, language: Language): logRoutes.OwnLogEntity {
  return { ...commonPart(row, language), other: ownLogDetails(row.other) }
}

const commonPart = (row: LogRow, language: Language): Omit<logRoutes.OwnLogEntity, 'other'> => ({
  id: row.id,
  request_id: row.request_id,
  created_at: row.created_at,
  type: row.type,
  user_id: row.user_id,
  username: row.username,
  token_id: row.token_id,
  token_name: row.token_name,
  model_name: row.model_name,
  group: row.group,
  is_stream: row.is_stream === 1,
  use_time: row.use_time,
  prompt_tokens: row.prompt_tokens,
  completion_tokens: row.completion_tokens,
  quota: row.quota,
  content: logContent(row, language),
  client_ip: row.client_ip,
})

/**
 * Returns the text of a row in the reader's language. The price of a call is only in its details; rows of earlier releases have a
 * sentence, which is shown unchanged.
 */
export function logContent(
  row: Pick<LogRow, 'type' | 'content' | 'other' | 'prompt_tokens' | 'completion_tokens'>,
  language: Language,
): string {
  if (row.content !== '' || row.type !== logType.consumption) return shownText(row.content, language)
  return priceText(row, language)
}

const number = new Intl.NumberFormat('en-US')

/**
 * Returns what a call was charged for, class by class, as in the console's panel: `Input 4,176 × $0.15/M + Output 420 × $0.60/M, group ×1`.
 * Empty where the row has no prices.
 */
function priceText(row: ChargedRow, language: Language): string {
  const charge = loggedCharge(row, readFields(ChargeDetails, row.other))
  if (!charge) return ''
  const { factors } = charge
  const parts = usedClasses(charge).map(
    ({ class: name, amount, price }) =>
      `${priceClassNames[name][language]} ${number.format(amount)} × ${unitPriceText(name, numberOf(price))}`,
  )
  const tier = Number((factors.mode * factors.schedule).toPrecision(12))
  const sum = { parts: parts.join(' + '), group: factors.group, tier }
  return parts.length === 0 ? '' : sentence(tier === 1 ? 'log.priced' : 'log.priced_by_tier', sum, language)
}

type ChargedRow = Pick<LogRow, 'prompt_tokens' | 'completion_tokens' | 'other'>
