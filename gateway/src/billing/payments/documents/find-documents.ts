import type { documentRoutes, Page } from '@tollgate/contract'
import type { ExpressionBuilder } from 'kysely'

import type { Context } from '../../../context'
import { readDocument } from './document-book'
import type { Tables } from '../../../platform/store/tables'

/** Rows per query of a file. */
const listSize = 200

type Deps = Pick<Context, 'database'>
type Filter = documentRoutes.DocumentFilter & { readonly userId?: number }

const within =
  ({ kind, trade_no: order, userId, start_timestamp: from, end_timestamp: to }: Filter) =>
  (eb: ExpressionBuilder<Tables, 'billing_documents'>) =>
    eb.and([
      ...(userId === undefined ? [] : [eb('user_id', '=', userId)]),
      ...(kind === undefined ? [] : [eb('kind', '=', kind)]),
      ...(order === undefined ? [] : [eb('order_number', '=', order)]),
      ...(from === undefined ? [] : [eb('issued_at', '>=', from)]),
      ...(to === undefined ? [] : [eb('issued_at', '<=', to)]),
    ])

/** Resolves with a page of documents, newest first. */
export async function findDocuments({ database }: Deps, filter: Filter, { page, size, offset }: Page) {
  const found = database.query.selectFrom('billing_documents').where(within(filter))
  const rows = await found.select(['user_id', 'content']).orderBy('number', 'desc').limit(size).offset(offset).execute()
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { items: rows.map(documentEntry), page, page_size: size, total }
}

/** Yields all documents within the filters, newest first, in lists. */
export async function* eachDocument({ database }: Deps, filter: Filter) {
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const rows = await database.query
      .selectFrom('billing_documents')
      .select(['number', 'user_id', 'content'])
      .where('number', '<', before)
      .where(within(filter))
      .orderBy('number', 'desc')
      .limit(listSize)
      .execute()
    yield rows.map(documentEntry)
    const last = rows.at(-1)
    if (!last || rows.length < listSize) return
    before = last.number
  }
}

/** Returns a document as a list shows it. */
function documentEntry(row: { readonly user_id: number; readonly content: string }): documentRoutes.DocumentEntry {
  const document = readDocument(row)
  const { number, label, kind, issued_at, customer } = document
  const common = { number, label, kind, issued_at, user_id: row.user_id, customer: customer.name }
  if (document.kind !== 'statement') {
    const { trade_no, currency, net, tax, total } = document
    return { ...common, trade_no, month: '', currency, net, tax, total }
  }
  // Usage is paid from the balance: the invoices of top-ups state the tax.
  const { statement, quota_per_unit: unit } = document
  const total = (statement.charged / unit).toFixed(2)
  return { ...common, trade_no: '', month: statement.month, currency: 'USD', net: '', tax: '', total }
}
