import * as z from 'zod'

import { listOf, PageQuery, sortQuery } from '../http/paging'
import { fileRoute, route } from '../http/route'
import { idText, plainText, UserId, wholeNumberText } from '../pricing/units'
import { DocumentEntry } from './documents'

/**
 * `pending`: not paid yet; `paid`; `failed`: the provider says that it will not be paid; `expired`: not paid in time, and still credited
 * if the money arrives later; `refunded`: wholly; `disputed`: the payer's bank took the money back, or may.
 */
export const orderStatuses = ['pending', 'paid', 'failed', 'expired', 'refunded', 'disputed'] as const
export type OrderStatus = (typeof orderStatuses)[number]

/**
 * Why an order needs an operator: what the provider reported differs from the order, or the order was paid twice. None of it was credited.
 * `refund`: the provider did not say whether a refund went through; `refund_failed`: the payer's bank returned a refund, whose quota was
 * given back.
 */
export const orderProblems = ['provider', 'merchant', 'amount', 'currency', 'twice', 'refund', 'refund_failed'] as const
export type OrderProblem = (typeof orderProblems)[number]

/** The most that one order may credit. */
export const maxTopUpQuota = 1e15

const method = plainText(64).trim()
/** A whole number: dollars, or quota where the site shows no currency. Strings come from forms whose fields are not numbers. */
const amount = z.preprocess(
  (sent) => (typeof sent === 'string' && /^\d{1,16}$/.test(sent.trim()) ? Number(sent) : sent),
  z.int().min(0),
)
/** Accepted from existing clients and ignored. */
const ignoredCode = z.unknown().optional()
/** Our number of an order. */
const OrderNumber = plainText(64).trim().min(1)
const NumberBody = z.object({ trade_no: OrderNumber })

/** One way to pay. */
const PaymentMethod = z.object({
  name: z.string(),
  /** The value of `payment_method`. */
  type: z.string(),
  /** CSS colour; empty: none. */
  color: z.string(),
  /** Address of an image; empty: none. */
  icon: z.string(),
  /** The least amount, in the unit of `amount`. */
  min_topup: z.int(),
  provider: z.string(),
  /** ISO 4217, in capitals. */
  currency: z.string(),
  /** The price of one US dollar of balance in the currency, before the ratio of the group and discounts. */
  price: z.number(),
})
export type PaymentMethod = z.output<typeof PaymentMethod>

/** What top-ups of an amount and above bring the caller on top: a sum, or a share of the quota that they credit. */
const BonusTier = z.object({
  /** In the unit of `amount`. */
  from: z.int(),
  /** Null: a share. */
  quota: z.int().nullable(),
  /** Null: a sum. */
  percent: z.number().nullable(),
  /** The caller gets it once. */
  is_once: z.boolean(),
})

const TopUpInfo = z.object({
  /** Whether a payment method is configured. */
  enable_online_topup: z.boolean(),
  pay_methods: z.array(PaymentMethod),
  /** The least amount of all methods, in the unit of `amount`. */
  min_topup: z.int(),
  /** Multiplies prices for the caller. */
  group_ratio: z.number(),
  /** Amounts to choose from, in the unit of `amount`. */
  amount_options: z.array(z.int()),
  /** Amount -> factor on its price. */
  discount: z.record(z.string(), z.number()),
  /** Bonuses that the caller can still get, by amount; the largest that an amount reaches counts. */
  bonuses: z.array(BonusTier),
  /** An external shop; empty: none. */
  topup_link: z.string(),
})
export type TopUpInfo = z.output<typeof TopUpInfo>

/** An order as its owner sees it. */
const OwnOrder = z.object({
  /** Our number. */
  trade_no: z.string(),
  provider: z.string(),
  method: z.string(),
  status: z.enum(orderStatuses),
  /** In the currency, as "73.00". */
  money: z.string(),
  /** ISO 4217, in capitals. */
  currency: z.string(),
  /** What was refunded, in the currency. */
  refunded: z.string(),
  /** Quota that the order credits. */
  quota: z.int(),
  /** Quota that was clawed back. */
  quota_taken: z.int(),
  /** Quota on top: as promised, and once the order is paid as credited. */
  bonus: z.int(),
  /** The part of the bonus that was clawed back. */
  bonus_taken: z.int(),
  /** The name of the plan that it buys; empty: a top-up. */
  plan: z.string(),
  created_at: z.int(),
  /** Unix seconds; 0: not yet. */
  paid_at: z.int(),
  /** After this it is not expected to be paid. */
  expires_at: z.int(),
  /** The payer is done; the money may take days. */
  is_under_way: z.boolean(),
  /** It can still be paid: `continueOrder` returns how. */
  can_continue: z.boolean(),
})
export type OwnOrder = z.output<typeof OwnOrder>

/** An order as operators see it. */
export const OrderEntity = OwnOrder.extend({
  id: z.int(),
  user_id: z.int(),
  username: z.string(),
  /** The provider's own number; empty: not known yet. */
  provider_trade_no: z.string(),
  /** Empty: none. */
  problem: z.enum([...orderProblems, '']),
  /** The operator who completed it by hand; empty: none. */
  completed_by: z.string(),
  /** What can still be refunded, in the currency. */
  refundable: z.string(),
})
export type OrderEntity = z.output<typeof OrderEntity>

const OwnOrderFilter = z.object({
  /** Part of a number. */
  keyword: plainText(64).trim().optional(),
  status: z.enum(orderStatuses).optional(),
  /** When the order was created, in unix seconds; both ends are inclusive. */
  start_timestamp: wholeNumberText.optional(),
  end_timestamp: wholeNumberText.optional(),
})
export type OwnOrderFilter = z.output<typeof OwnOrderFilter>

const OrderFilter = OwnOrderFilter.extend({
  /** Part of a number of ours or the provider's, or of a username. */
  keyword: plainText(64).trim().optional(),
  provider: plainText(32).optional(),
  user_id: idText(UserId).optional(),
  /** Only those that need an operator. */
  has_problem: z.enum(['true', 'false']).optional(),
})
export type OrderFilter = z.output<typeof OrderFilter>

/** `money`: in the currency, one currency after another; `quota`: what it credits. */
export const orderSorts = ['created', 'money', 'quota', 'paid', 'status', 'provider'] as const
export type OrderSort = (typeof orderSorts)[number]

/** Something that happened to an order. */
export const OrderEvent = z.object({
  id: z.int(),
  created_at: z.int(),
  /** What was reported or done, as `paid` or `refunded`. */
  kind: z.string(),
  /** The origin: `callback`, `answer` of the provider to a query, `operator`. */
  source: z.string(),
  /** The result, such as `credited` or `wrong_amount`. */
  outcome: z.string(),
  /** What the provider sent, without signatures, truncated. */
  payload: z.string(),
  /** The amount in it, as "1.00" of a currency; null where it names none. */
  money: z.object({ money: z.string(), currency: z.string() }).nullable(),
})
export type OrderEvent = z.output<typeof OrderEvent>

/** Where to send the browser: by posting a form with these fields; without fields by navigating. */
const PaymentForm = z.record(z.string(), z.string())

export const payableAmount = route({
  method: 'POST',
  path: '/api/user/amount',
  audit: null,
  isWrite: false,
  hasStatusMessage: true,
  access: 'self.read',
  summary: 'What a top-up of this amount, or a plan, costs the caller, as "73.00"',
  body: z.object({
    /** Ignored with `plan_id`. */
    amount: amount.default(0),
    /** Default: the first configured method. */
    payment_method: method.optional(),
    /** The plan to buy; absent: a top-up. */
    plan_id: z.number().int().positive().optional(),
    top_up_code: ignoredCode,
  }),
  data: z.string(),
})

export const pay = route({
  method: 'POST',
  path: '/api/user/pay',
  isCompound: true,
  audit: 'order.create',
  hasStatusMessage: true,
  access: 'self.write',
  limit: 'search',
  summary:
    'Begin a top-up: returns a form for the browser to post to `url`; without fields, the browser navigates to `url`',
  body: z.object({
    /** Ignored with `plan_id`. */
    amount: amount.default(0),
    payment_method: method,
    /** The plan to buy; absent: a top-up. */
    plan_id: z.number().int().positive().optional(),
    top_up_code: ignoredCode,
  }),
  data: PaymentForm,
  envelopeFields: z.object({ url: z.string(), trade_no: z.string() }),
})

export const topUpInfo = route({
  method: 'GET',
  path: '/api/user/topup/info',
  access: 'self.read',
  isViewable: true,
  summary: 'How the caller can top up, and at which prices',
  data: TopUpInfo,
})

export const listOwnOrders = route({
  method: 'GET',
  path: '/api/user/topup/self',
  access: 'self.read',
  isViewable: true,
  limit: 'search',
  summary: 'The caller’s own orders, newest first',
  query: PageQuery.extend(OwnOrderFilter.shape),
  data: listOf(OwnOrder),
})

export const exportOwnOrders = fileRoute({
  method: 'GET',
  path: '/api/user/topup/self/export',
  access: 'self.read',
  media: 'text/csv',
  limit: 'export',
  summary: 'All of the caller’s own orders within the filters as a table, newest first',
  query: OwnOrderFilter,
})

export const listOrders = route({
  method: 'GET',
  path: '/api/user/topup',
  access: 'orders.read',
  limit: 'search',
  summary: 'All orders: newest first, an order or user of exactly this name before others, or sorted',
  query: PageQuery.extend({ ...OrderFilter.shape, ...sortQuery(orderSorts) }),
  data: listOf(OrderEntity),
})

export const exportOrders = fileRoute({
  method: 'GET',
  path: '/api/user/topup/export',
  audit: 'order.export',
  access: 'orders.read',
  media: 'text/csv',
  limit: 'export',
  summary: 'All orders within the filters as a table, newest first',
  query: OrderFilter,
})

export const getOrder = route({
  method: 'GET',
  path: '/api/user/topup/order/{trade_no}',
  access: 'orders.read',
  summary: 'One order, what happened to it, latest first, and its documents',
  params: z.object({ trade_no: OrderNumber }),
  data: z.object({ order: OrderEntity, events: z.array(OrderEvent), documents: z.array(DocumentEntry) }),
})

export const continueOrder = route({
  method: 'POST',
  path: '/api/user/topup/continue',
  audit: null,
  isWrite: false,
  hasStatusMessage: true,
  access: 'self.write',
  limit: 'search',
  summary: 'Continue paying a pending order of the caller’s own; returns the same as the call that began it',
  body: NumberBody,
  data: PaymentForm,
  envelopeFields: z.object({ url: z.string(), trade_no: z.string() }),
})

/**
 * The outcome of querying the provider. `refused`: its data differs from the order; `unsupported`: it cannot be queried; `unreachable`: it
 * did not respond.
 */
export const checkOutcomes = ['paid', 'pending', 'failed', 'refused', 'unsupported', 'unreachable'] as const
export type CheckOutcome = (typeof checkOutcomes)[number]

export const checkOrder = route({
  method: 'POST',
  path: '/api/user/topup/check',
  // The page that waits for a payment polls: the handler decides when there is something to record.
  audit: null,
  isWrite: false,
  access: 'self.write',
  limit: 'search',
  summary: 'Query the provider about an order: the caller’s own, or any with the right to change orders',
  body: NumberBody,
  data: z.object({
    status: z.enum(orderStatuses),
    /** What the provider said; `paid` for an order that is paid already. */
    outcome: z.enum(checkOutcomes),
  }),
})

export const completeOrder = route({
  method: 'POST',
  path: '/api/user/topup/complete',
  audit: 'order.complete',
  access: 'orders.write',
  stepUp: { purpose: 'order' },
  summary: 'Credit an order that the provider did not report; a paid one is left unchanged',
  body: NumberBody,
  data: OrderEntity,
})

export const refundOrder = route({
  method: 'POST',
  path: '/api/user/topup/refund',
  isCompound: true,
  audit: 'order.refund',
  access: 'orders.write',
  stepUp: { purpose: 'order' },
  summary: 'Refund an order, wholly or in part, and claw its quota back in proportion',
  body: NumberBody.extend({
    /** In the order's currency, as "7.30"; absent: everything that is left. */
    amount: z
      .string()
      .trim()
      .regex(/^\d{1,12}(\.\d{1,3})?$/)
      .optional(),
    /** The money was paid back in another way: only claw back the quota. */
    is_paid_back: z.boolean().optional(),
  }),
  data: OrderEntity,
})

export const resolveOrder = route({
  method: 'POST',
  path: '/api/user/topup/resolve',
  audit: 'order.resolve',
  access: 'orders.write',
  stepUp: { purpose: 'order' },
  summary: 'Remove the mark from an order that was looked into',
  body: NumberBody.extend({
    /** For a refund without a response: false if it did not go through, which gives its quota back. */
    was_paid_back: z.boolean().default(true),
  }),
  data: OrderEntity,
})
