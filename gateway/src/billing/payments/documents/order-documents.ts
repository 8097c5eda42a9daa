import type { documentRoutes } from '@tollgate/contract'

import { AppError } from '../../../platform/app-error'
import type { Context } from '../../../context'
import type { Transaction } from '../../../platform/store/database'
import type { OrderRow } from '../../../platform/store/tables'
import { moneyText } from '../currency'
import { quotaToTake } from '../order-facts'
import { issuedNow, issueDocument, readDocument } from './document-book'

type Deps = Pick<Context, 'catalog' | 'clock'>
type OrderDocument = documentRoutes.OrderDocument

interface OrderDocuments {
  /** The invoice first. */
  readonly documents: readonly OrderDocument[]
  /** Whether any was missing. */
  readonly isIssued: boolean
}

/**
 * Resolves with the invoice of a paid order and its corrections, and issues those that are missing. The order is locked.
 * @throws AppError `order.unpaid`.
 */
export async function orderDocuments(deps: Deps, transaction: Transaction, order: OrderRow): Promise<OrderDocuments> {
  if (order.paid_at === 0) throw new AppError('order.unpaid')
  const present = await readIssuedDocuments(transaction, order)
  if (present.length === 0) await issueInvoice(deps, transaction, order)
  await correctInvoice(deps, transaction, order)
  const documents = (await readIssuedDocuments(transaction, order)).map(({ document }) => document)
  return { documents, isIssued: documents.length > present.length }
}

/**
 * Issues a correction of the difference between what an order's documents say and what is left of its payment; nothing for an order
 * without an invoice. A refund counts once it is known how it ended, a dispute once it is lost.
 */
export async function correctInvoice(deps: Deps, transaction: Transaction, order: OrderRow): Promise<void> {
  if (order.problem === 'refund') return
  const issued = await readIssuedDocuments(transaction, order)
  const [first] = issued
  if (!first) return
  const invoiced = issued.reduce((sum, { minor }) => sum + minor, 0)
  const left = netPaymentOf(order)
  if (left === invoiced) return
  const { document: invoice } = first
  const amounts = amountsBetween(invoiced, left, order, invoice.tax_rate)
  await issueDocument(transaction, {
    userId: order.user_id,
    orderNumber: order.number,
    part: issued.length,
    minor: left - invoiced,
    prefix: deps.catalog.current.options.InvoiceNumberPrefix,
    content: {
      ...invoice,
      ...amounts,
      kind: left < invoiced ? 'credit_note' : 'invoice',
      issued_at: deps.clock.seconds(),
      corrects: invoice.label,
    },
  })
}

async function issueInvoice(deps: Deps, transaction: Transaction, order: OrderRow): Promise<void> {
  const common = await issuedNow(deps, transaction, order.user_id)
  await issueDocument(transaction, {
    userId: order.user_id,
    orderNumber: order.number,
    minor: order.minor,
    prefix: deps.catalog.current.options.InvoiceNumberPrefix,
    content: {
      ...common,
      ...amountsBetween(0, order.minor, order, common.tax_rate),
      kind: 'invoice',
      trade_no: order.number,
      paid_at: order.paid_at,
      currency: order.currency,
      corrects: '',
    },
  })
}

/** Returns what is left of an order's payment. A dispute that is still open may yet be won. */
const netPaymentOf = ({ minor, refunded_minor: refunded, disputed_minor: disputed, dispute }: OrderRow): number =>
  Math.max(minor - refunded - (dispute === 'lost' ? disputed : 0), 0)

/** Returns the amounts that lead from one sum of an order to another. Tax and quota are differences of sums, so those of all documents add up. */
function amountsBetween(from: number, to: number, order: OrderRow, taxRate: number) {
  const tax = includedTax(to, taxRate) - includedTax(from, taxRate)
  const total = to - from
  return {
    quota: quotaFor(to, order) - quotaFor(from, order),
    net: moneyText(total - tax, order.currency),
    tax: moneyText(tax, order.currency),
    total: moneyText(total, order.currency),
  }
}

/** Returns the quota of a part of an order's payment. */
const quotaFor = (minor: number, order: OrderRow): number =>
  order.quota -
  quotaToTake({ ...order, quota_credited: order.quota, refunded_minor: order.minor - minor, disputed_minor: 0 })

async function readIssuedDocuments(transaction: Transaction, { number }: OrderRow) {
  const rows = await transaction
    .selectFrom('billing_documents')
    .select(['minor', 'content'])
    .where('order_number', '=', number)
    .orderBy('part')
    .execute()
  return rows.flatMap(({ minor, content }) => {
    const document = readDocument({ content })
    return document.kind === 'statement' ? [] : [{ minor, document }]
  })
}

/** Rates have at most this many decimals. */
const rateSteps = 10_000

/** Returns the tax that an amount in the smallest unit includes at a rate in percent, rounded half up. */
export function includedTax(minor: number, ratePercent: number): number {
  const rate = BigInt(Math.round(ratePercent * rateSteps))
  const whole = BigInt(100 * rateSteps) + rate
  return Number((2n * BigInt(minor) * rate + whole) / (2n * whole))
}
