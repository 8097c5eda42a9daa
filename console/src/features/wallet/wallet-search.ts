import * as z from 'zod'

import { searchText } from '../../lib/page-search'

/** What the address of the page holds. */
export const WalletSearch = z.object({
  /** A redemption code, of a link that was sent with it. */
  code: searchText,
  /** Of the statement, as `YYYY-MM`; absent: the present one. */
  month: z
    .string()
    .regex(/^\d{4}-\d{2}$/)
    .optional()
    .catch(undefined),
})
export type WalletSearch = z.output<typeof WalletSearch>

/** What the address of the page holds that payers come back to. */
export const TopUpSuccessSearch = z.object({
  /** Our number of the order. */
  trade_no: searchText,
  /** The same, as Epay services call it: beside it `trade_no` is theirs. */
  out_trade_no: searchText,
})
