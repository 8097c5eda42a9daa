import type { OptionValues } from '@tollgate/contract'

import type { ChannelRow } from '../../platform/store/tables'

type Balance = Pick<ChannelRow, 'balance' | 'balance_currency'>

/** Returns a balance at a vendor in US dollars; one whose currency is not known counts as dollars. */
export const inDollars = (
  { balance, balance_currency: currency }: Balance,
  { ListPriceYuanRate: rate }: Pick<OptionValues, 'ListPriceYuanRate'>,
): number => (currency === 'CNY' ? balance / rate : balance)

/** Returns a balance as `¥71.00`, with its value in dollars where it is in another currency. */
export function moneyText(row: Balance, options: Pick<OptionValues, 'ListPriceYuanRate'>): string {
  const dollars = `$${inDollars(row, options).toFixed(2)}`
  return row.balance_currency === 'CNY' ? `¥${row.balance.toFixed(2)} (${dollars})` : dollars
}
