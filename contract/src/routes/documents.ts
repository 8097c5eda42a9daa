import * as z from 'zod'

import { listOf, PageQuery } from '../http/paging'
import { fileRoute, route } from '../http/route'
import { plainText, wholeNumberText } from '../pricing/units'
import { Month, Party, Statement } from './wallet'

/** `invoice`: of a paid order; `credit_note`: takes an invoice back, wholly or in part; `statement`: of a month. */
export const documentKinds = ['invoice', 'credit_note', 'statement'] as const
export type DocumentKind = (typeof documentKinds)[number]

const common = {
  /** The number in the site's one sequence, without gaps. */
  number: z.int(),
  /** The number as it is printed: "INV-000042". */
  label: z.string(),
  /** Unix seconds. */
  issued_at: z.int(),
  time_zone: z.string(),
  seller: Party,
  customer: Party,
  /** The customer's account. */
  username: z.string(),
  /** In percent. */
  tax_rate: z.number(),
  /** Quota of one US dollar. */
  quota_per_unit: z.number(),
  note: z.string(),
}

/** An invoice or a credit note. Amounts are in the currency, as "73.00"; those of a credit note are negative. */
export const OrderDocument = z.object({
  ...common,
  kind: z.enum(['invoice', 'credit_note']),
  trade_no: z.string(),
  paid_at: z.int(),
  /** Quota that was paid for; negative where it was taken back. */
  quota: z.int(),
  /** ISO 4217, in capitals. */
  currency: z.string(),
  net: z.string(),
  tax: z.string(),
  total: z.string(),
  /** The label of the invoice that it corrects; empty: it is the invoice. */
  corrects: z.string(),
})
export type OrderDocument = z.output<typeof OrderDocument>

/** The statement of a month, in US dollars of balance. */
export const MonthDocument = z.object({ ...common, kind: z.literal('statement'), statement: Statement })
export type MonthDocument = z.output<typeof MonthDocument>

/** An issued document: what it says never changes. A field that is added later has a default, which documents of earlier releases get. */
export const BillingDocument = z.discriminatedUnion('kind', [OrderDocument, MonthDocument])
export type BillingDocument = z.output<typeof BillingDocument>

/** A document in a list. */
export const DocumentEntry = z.object({
  number: z.int(),
  label: z.string(),
  kind: z.enum(documentKinds),
  issued_at: z.int(),
  user_id: z.int(),
  customer: z.string(),
  /** Empty: it is about a month. */
  trade_no: z.string(),
  /** Empty: it is about an order. */
  month: z.string(),
  currency: z.string(),
  net: z.string(),
  tax: z.string(),
  total: z.string(),
})
export type DocumentEntry = z.output<typeof DocumentEntry>

const OwnFilter = z.object({
  kind: z.enum(documentKinds).optional(),
  trade_no: plainText(64).trim().optional(),
})
export type DocumentFilter = z.output<typeof OwnFilter> & {
  readonly start_timestamp?: number | undefined
  readonly end_timestamp?: number | undefined
}

export const listOwnDocuments = route({
  method: 'GET',
  path: '/api/user/documents',
  access: 'self.read',
  isViewable: true,
  limit: 'search',
  summary: 'Invoices, credit notes and statements of the caller, newest first',
  query: PageQuery.extend(OwnFilter.shape),
  data: listOf(DocumentEntry),
})

export const exportOwnDocuments = fileRoute({
  method: 'GET',
  path: '/api/user/documents/export',
  access: 'self.read',
  media: 'text/csv',
  limit: 'export',
  summary: 'The caller’s documents as a table, newest first',
  query: OwnFilter,
})

export const exportDocuments = fileRoute({
  method: 'GET',
  path: '/api/user/documents/all/export',
  audit: 'order.export_documents',
  access: 'orders.read',
  media: 'text/csv',
  limit: 'export',
  summary: 'The documents of all users as a table, newest first',
  query: OwnFilter.extend({
    /** When they were issued, in unix seconds; both ends are inclusive. */
    start_timestamp: wholeNumberText.optional(),
    end_timestamp: wholeNumberText.optional(),
  }),
})

export const getDocument = route({
  method: 'GET',
  path: '/api/user/documents/{number}',
  access: 'self.read',
  isViewable: true,
  summary: 'One document: the caller’s own, or any with the right to read orders',
  params: z.object({
    number: z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  }),
  data: BillingDocument,
})

export const issueInvoice = route({
  method: 'POST',
  path: '/api/user/documents/invoice',
  audit: 'order.issue_document',
  isRepeatable: true,
  access: 'self.write',
  limit: 'search',
  summary:
    'Issue the invoice of a paid order, or return the one it has: an order of the caller’s own, or any with the right to change orders. What was refunded is in credit notes after it',
  body: z.object({ trade_no: plainText(64).trim().min(1) }),
  data: z.array(BillingDocument),
})

export const issueStatement = route({
  method: 'POST',
  path: '/api/user/documents/statement',
  audit: 'order.issue_document',
  isRepeatable: true,
  access: 'self.write',
  limit: 'search',
  summary: 'Issue the caller’s statement of a month that is over, or return the one it has',
  body: z.object({ month: Month }),
  data: BillingDocument,
})
