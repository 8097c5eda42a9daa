import { ChargeDetails, priceClassNames, readFields, unitPriceText } from '@tollgate/contract'
import { loggedCharge, numberOf, usedClasses } from '@tollgate/contract/price-formula'

import { sentence, type Language } from '../../http/language'
import type { LogRow } from '../../platform/store/tables'

const number = new Intl.NumberFormat('en-US')

/**
 * Returns what a call was charged for, class by class, as in the console's panel: `Input 4,176 × $0.15/M + Output 420 × $0.60/M, group ×1`.
 * Empty where the row has no prices.
 */
export function priceText(row: ChargedRow, language: Language): string {
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
