import { documentRoutes, pageOf, type walletRoutes } from '@tollgate/contract'

import { lockUserRow } from '../../accounts/users/lock-user-row'
import { AppError } from '../../platform/app-error'
import { csvFile, isoTime, type CsvColumn } from '../../http/response/csv-file'
import { handler, type Call, type Handler } from '../../http/handler'
import type { Language } from '../../http/language'
import { lockedOrder } from '../../billing/payments/apply-event'
import { issuedNow, issueDocument, readDocument } from '../../billing/payments/documents/document-book'
import { orderDocuments } from '../../billing/payments/documents/order-documents'
import { eachDocument, findDocuments } from '../../billing/payments/documents/find-documents'
import { statementOf } from './statement'

type BillingDocument = documentRoutes.BillingDocument

/** @throws AppError `document.none`. */
async function oneDocument(number: number, { ctx, caller }: Call<'user'>): Promise<BillingDocument> {
  const row = await ctx.database.query
    .selectFrom('billing_documents')
    .select(['user_id', 'order_number', 'content'])
    .where('number', '=', number)
    .executeTakeFirst()
  const isOperators = row !== undefined && row.order_number !== null && caller.grants.has('orders.read')
  if (!row || (row.user_id !== caller.userId && !isOperators)) throw new AppError('document.none')
  return readDocument(row)
}

/** @throws AppError `order.none`, `order.unpaid`. */
async function issueInvoice(number: string, { ctx, caller, audit }: Call<'user'>): Promise<BillingDocument[]> {
  const { order, documents, isIssued } = await ctx.database.query.transaction().execute(async (transaction) => {
    const order = await lockedOrder(transaction, number)
    if (!order || (order.user_id !== caller.userId && !caller.grants.has('orders.write')))
      throw new AppError('order.none')
    return { order, ...(await orderDocuments(ctx, transaction, order)) }
  })
  audit.target('order', order.id, order.number)
  // One that was issued before is only opened.
  if (isIssued) audit.recordChange({}, { documents: documents.map(({ label }) => label).join(', ') })
  return [...documents]
}

/** @throws AppError `document.month`. */
async function issueStatement(month: string, { ctx, caller, audit }: Call<'user'>): Promise<BillingDocument> {
  const { InvoiceNumberPrefix: prefix } = ctx.catalog.current.options
  const statement = await statementOf(ctx, caller.userId, month)
  if (!statement.is_over || month < statement.first_month) throw new AppError('document.month')
  const { document, isIssued } = await ctx.database.query.transaction().execute(async (transaction) => {
    // Simultaneous requests issue one statement.
    await lockUserRow(transaction, caller.userId)
    const issued = await transaction
      .selectFrom('billing_documents')
      .select('content')
      .where('user_id', '=', caller.userId)
      .where('month', '=', month)
      .executeTakeFirst()
    if (issued) return { document: readDocument(issued), isIssued: false }
    const common = await issuedNow(ctx, transaction, caller.userId)
    const content = { ...common, kind: 'statement' as const, statement: atItsEnd(statement) }
    return {
      document: await issueDocument(transaction, { userId: caller.userId, month, prefix, content }),
      isIssued: true,
    }
  })
  if (isIssued) audit.recordChange({}, { documents: document.label })
  return document
}

/** Returns a statement as it is frozen: in the order in which a document is read. */
const atItsEnd = (statement: walletRoutes.Statement): walletRoutes.Statement => ({
  ...statement,
  movements: statement.movements.toReversed(),
})

const kindNames: Readonly<Record<documentRoutes.DocumentKind, Readonly<Record<Language, string>>>> = {
  invoice: { zh: '账单', en: 'Invoice' },
  credit_note: { zh: '贷项通知单', en: 'Credit note' },
  statement: { zh: '对账单', en: 'Statement' },
}

const columns: readonly CsvColumn<documentRoutes.DocumentEntry>[] = [
  { name: { en: 'Number', zh: '编号' }, cell: ({ label }) => label },
  { name: { en: 'Document', zh: '单据' }, cell: ({ kind }, language) => kindNames[kind][language] },
  { name: { en: 'Issued (UTC)', zh: '开具时间 (UTC)' }, cell: (entry) => isoTime(entry.issued_at) },
  { name: { en: 'Customer', zh: '客户' }, cell: ({ customer }) => customer },
  { name: { en: 'User ID', zh: '用户 ID' }, cell: (entry) => entry.user_id },
  { name: { en: 'Order', zh: '订单号' }, cell: (entry) => entry.trade_no },
  { name: { en: 'Month', zh: '月份' }, cell: ({ month }) => month },
  { name: { en: 'Currency', zh: '币种' }, cell: ({ currency }) => currency },
  { name: { en: 'Net', zh: '不含税金额' }, cell: ({ net }) => net },
  { name: { en: 'Tax', zh: '税额' }, cell: ({ tax }) => tax },
  { name: { en: 'Total', zh: '含税金额' }, cell: ({ total }) => total },
]

export const documentHandlers: readonly Handler[] = [
  handler(documentRoutes.listOwnDocuments, ({ query }, { ctx, caller }) =>
    findDocuments(ctx, { ...query, userId: caller.userId }, pageOf(query)),
  ),
  handler(documentRoutes.exportOwnDocuments, ({ query }, call) =>
    csvFile('documents', columns, eachDocument(call.ctx, { ...query, userId: call.caller.userId }), call),
  ),
  handler(documentRoutes.exportDocuments, ({ query }, call) =>
    csvFile('documents', columns, eachDocument(call.ctx, query), call),
  ),
  handler(documentRoutes.getDocument, ({ params }, call) => oneDocument(params.number, call)),
  handler(documentRoutes.issueInvoice, ({ body }, call) => issueInvoice(body.trade_no, call)),
  handler(documentRoutes.issueStatement, ({ body }, call) => issueStatement(body.month, call)),
]
