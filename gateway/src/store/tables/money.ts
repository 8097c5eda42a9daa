import type { Generated } from 'kysely'

export interface RedemptionCodesTable {
  id: Generated<number>
  name: string
  key_hash: string
  key_sealed: string
  /** As the contract's `redemptionStatus`. */
  status: number
  quota: number
  is_gift: number
  /** -1: without limit. */
  max_uses: number
  used_count: Generated<number>
  /** 0: at once. */
  valid_from: number
  /** 0: for ever. */
  valid_until: number
  created_time: number
  created_by: number
  /** Who redeemed it last; 0: nobody yet. */
  used_user_id: Generated<number>
  redeemed_time: Generated<number>
  deleted_at: Generated<number | null>
}

/** Each redemption of a code. A user redeems a code once. */
interface RedemptionUsesTable {
  redemption_id: number
  user_id: number
  used_at: number
  quota: number
}

/** Where balances come from. */
export interface MoneyTables {
  redemption_codes: RedemptionCodesTable
  redemption_uses: RedemptionUsesTable
}
