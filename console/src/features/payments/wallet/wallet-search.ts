import * as z from 'zod'

import { searchText } from '../../../lib/url/page-search'

/** Search parameters of the page. */
export const WalletSearch = z.object({
  /** A redemption code from a link. */
  code: searchText,
  /** Month of the statement as `YYYY-MM`; absent: the current one. */
  month: z
    .string()
    .regex(/^\d{4}-\d{2}$/)
    .optional()
    .catch(undefined),
})
export type WalletSearch = z.output<typeof WalletSearch>

/** Search parameters of the page that payers return to. */
export const TopUpSuccessSearch = z.object({
  /** Our order number. */
  trade_no: searchText,
  /** Our order number in links of Epay services, whose `trade_no` is their own. */
  out_trade_no: searchText,
})
