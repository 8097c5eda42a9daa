import * as z from 'zod'

import { fileRoute, route } from '../http/route'

/** Why a balance changed: calls of a day, or one of the ways in which quota is credited. `plan`: paid for a plan, or returned; `plan-use`: calls that a plan paid for; `import`: what the account had in another gateway. */
export const movementKinds = [
  'charges',
  'setup',
  'registration',
  'invitation',
  'redemption',
  'check-in',
  'top-up',
  'bonus',
  'commission',
  'admin',
  'refund',
  'expiry',
  'plan',
  'plan-use',
  'import',
] as const
export type MovementKind = (typeof movementKinds)[number]

/** One line of a statement. */
const Movement = z.object({
  /** In the site's time zone, as `YYYY-MM-DD`. */
  day: z.string(),
  /** Unix seconds; for charges the beginning of the first hour of the day that has any. */
  at: z.int(),
  kind: z.enum(movementKinds),
  /** Quota; negative is a debit. */
  amount: z.int(),
  /** Calls behind charges; 0 for everything else. */
  calls: z.int(),
  /** The order behind a top-up, its bonus or a refund; empty: none. */
  trade_no: z.string(),
  /** The name of the plan that was paid for; empty: none. */
  plan: z.string(),
})
export type Movement = z.output<typeof Movement>

/** The seller or the customer of a document. */
export const Party = z.object({
  name: z.string(),
  /** Several lines; empty: not given. */
  address: z.string(),
  tax_id: z.string(),
})
export type Party = z.output<typeof Party>

export const Statement = z.object({
  seller: Party,
  customer: Party,
  /** As `YYYY-MM`. */
  month: z.string(),
  /** The month in which the account was created. */
  first_month: z.string(),
  time_zone: z.string(),
  /** The month ended at least an hour ago, so that all of its charges are known. */
  is_over: z.boolean(),
  /** Balance when the month began. */
  opening: z.int(),
  credited: z.int(),
  charged: z.int(),
  /** Balance at the end of the month, or now. */
  closing: z.int(),
  /** Latest first. */
  movements: z.array(Movement),
})
export type Statement = z.output<typeof Statement>

/** `YYYY-MM` in the site's time zone, in a year that has four digits, as the one after it. */
export const Month = z.string().regex(/^(?:19[7-9]\d|[2-8]\d{3})-(?:0[1-9]|1[0-2])$/)

const Query = z.object({
  /** Absent: the current month. */
  month: Month.optional(),
})

export const statement = route({
  method: 'GET',
  path: '/api/user/statement',
  access: 'self.read',
  isViewable: true,
  summary: 'Everything that changed the caller’s balance in a month: credits one by one, charges by the day',
  query: Query,
  data: Statement,
})

const ExpiringQuota = z.object({
  /** What the code was worth. */
  quota: z.int(),
  /** What would be taken back now; spending uses up first what ends first. */
  unspent: z.int(),
  ends_at: z.int(),
})
export type ExpiringQuota = z.output<typeof ExpiringQuota>

export const expiringQuota = route({
  method: 'GET',
  path: '/api/user/expiring_quota',
  access: 'self.read',
  isViewable: true,
  summary: 'Redeemed quota of the caller whose unspent part expires, what ends first first',
  data: z.array(ExpiringQuota),
})

export const exportStatement = fileRoute({
  method: 'GET',
  path: '/api/user/statement/export',
  access: 'self.read',
  media: 'text/csv',
  limit: 'export',
  summary: 'The statement of a month as a table',
  query: Query,
})
