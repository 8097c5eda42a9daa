import type { documentRoutes, paymentRoutes, redemptionRoutes } from '@tollgate/contract'
import type { Generated } from 'kysely'

export interface RedemptionCodesTable {
  id: Generated<number>
  name: string
  key_hash: string
  key_sealed: string
  /** As the contract's `redemptionStatus`. */
  status: number
  kind: Generated<redemptionRoutes.RedemptionKind>
  /** The plan that it begins; 0: none. */
  plan_id: Generated<number>
  quota: number
  /** Days from a redemption until what is unspent of it is taken back; 0: never. */
  quota_days: Generated<number>
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
  /** The last user who redeemed it; 0: none yet. */
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

/** Redeemed quota of which the unspent part is taken back when it ends. */
interface ExpiringQuotaTable {
  redemption_id: number
  user_id: number
  quota: number
  /** What was unspent when the spending of its user was last counted; once it ended, what was taken back. */
  unspent: number
  /** What its user had spent from the wallet when spending was last counted. */
  counted_until: number
  created_at: number
  ends_at: number
  /** Null: it has not ended. */
  ended_at: Generated<number | null>
}

/** A top-up paid online. What the provider reported about it are facts; status and credits follow from them. */
export interface OrdersTable {
  id: Generated<number>
  /** Our number, which the provider receives. */
  number: string
  user_id: number
  /** Reports of other providers about the order are ignored. */
  provider: string
  /** The account at the provider that receives the money. */
  merchant: string
  /** As the provider calls it. */
  method: string
  /** As the user requested it: dollars or quota. */
  amount: number
  /** The amount to pay, in the smallest unit of the currency. */
  minor: number
  /** ISO 4217, in capitals. */
  currency: string
  /** What the order credits, fixed when it was created. */
  quota: number
  /** What is credited on top, fixed when the order was created. */
  bonus: Generated<number>
  /** Where a user gets the bonus once: its tier, by the amount from which it applies, in dollars; otherwise 0. */
  once_tier: Generated<number>
  /** The plan that it buys; 0: none, it is a top-up. */
  plan_id: Generated<number>
  status: paymentRoutes.OrderStatus
  problem: Generated<paymentRoutes.OrderProblem | ''>
  /** The provider's number for the order. */
  provider_number: Generated<string>
  /** The provider's number for the payment, where that is another. */
  payment_number: Generated<string>
  /** Fact: refunded, all refunds together, including pending ones. */
  refunded_minor: Generated<number>
  /** What the provider itself reported, including failed refunds; 0 where it reports no refunds. */
  refund_reported_minor: Generated<number>
  /** The part of it that came back, as the payer's bank did not accept it. */
  refund_failed_minor: Generated<number>
  /** Fact: what the payer's bank took back, or may. */
  disputed_minor: Generated<number>
  dispute: Generated<'' | 'open' | 'won' | 'lost'>
  dispute_number: Generated<string>
  /** What was credited when it was paid; 0 before. */
  quota_credited: Generated<number>
  /** What was clawed back of it. */
  quota_taken: Generated<number>
  /** What was credited of the bonus when the order was paid: nothing where another order had brought it before. */
  bonus_credited: Generated<number>
  /** What was clawed back of that. */
  bonus_taken: Generated<number>
  /** Credits and clawbacks made: the number of the next. */
  credits: Generated<number>
  /** The operator who completed it by hand; 0: none. */
  completed_by: Generated<number>
  created_at: number
  expires_at: number
  /** Fact; 0: not paid. */
  paid_at: Generated<number>
  /** When the payer was done while the money was still on its way; 0: never. */
  under_way_at: Generated<number>
  /** When it failed or expired; 0: neither. */
  closed_at: Generated<number>
  /** When the provider is queried next; null: never again. */
  ask_at: number | null
  /** How often it was queried. */
  asked: Generated<number>
}

/** What was reported about an order, each report once. */
interface OrderEventsTable {
  id: Generated<number>
  order_id: number
  provider: string
  /** Unique for the provider. */
  event_id: string
  kind: string
  source: string
  outcome: string
  /** What the provider sent, without signatures, truncated. */
  payload: string
  created_at: number
}

/** Invoices, credit notes and monthly statements, frozen when they were issued. */
interface BillingDocumentsTable {
  /** Without gaps, from 1. */
  number: number
  kind: documentRoutes.DocumentKind
  user_id: number
  /** Null: it is about a month. */
  order_number: string | null
  /** 0: the invoice of an order; from 1: its corrections. */
  part: Generated<number>
  /** `YYYY-MM`; null: it is about an order. */
  month: string | null
  /** What it adds to the invoiced amount of its order; negative for a credit note. */
  minor: Generated<number>
  issued_at: number
  /** JSON: `documentRoutes.BillingDocument`. */
  content: string
}

/** What an order of an invitee brings the inviter. */
interface CommissionsTable {
  order_number: string
  inviter_id: number
  invitee_id: number
  /** For the whole order. */
  amount: number
  /** The part that refunds and disputes of the order took from it. */
  taken: Generated<number>
  /** Credits and clawbacks made: the number of the next. */
  credits: Generated<number>
  state: CommissionState
  created_at: number
  /** Null: it is no longer pending. */
  due_at: number | null
}

/** `pending`: credited on its day; `settled`: credited, and follows its order; `dropped`: credited never. */
export type CommissionState = 'pending' | 'settled' | 'dropped'

/** Where balances come from. */
export interface MoneyTables {
  billing_documents: BillingDocumentsTable
  commissions: CommissionsTable
  expiring_quota: ExpiringQuotaTable
  orders: OrdersTable
  order_events: OrderEventsTable
  redemption_codes: RedemptionCodesTable
  redemption_uses: RedemptionUsesTable
}
