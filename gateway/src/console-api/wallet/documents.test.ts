import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { documentRoutes, paymentRoutes, accountRoutes, walletRoutes } from '@tollgate/contract'

import { createTestConsole } from '../../../test/console-client'
import { faultyDatabase } from '../../../test/faulty-database'
import { kinds, onceOf } from '../../../test/kinds'
import { aPaymentSite, notificationOf, notify, outcomeOf, type PaymentSite } from '../../../test/payment-site'
import { applyEvent, lockedOrder } from '../../billing/payments/apply-event'
import { orderDocuments } from '../../billing/payments/documents/order-documents'
import { refundOrder } from '../../billing/payments/refund-order'
import { resolveProblem } from '../../billing/payments/resolve-problem'
import { selfHandlers } from '../account/account'
import { walletHandlers } from './wallet'

setDefaultTimeout(120_000)

describe.each(kinds)('billing documents (%s)', (kind) => {
  const once = onceOf(kind)

  let world: PaymentSite
  let site: ReturnType<typeof createTestConsole>
  beforeAll(async () => {
    world = await aPaymentSite(kind)
    site = createTestConsole(world.ctx, [...walletHandlers, ...selfHandlers])
  })
  afterAll(() => world[Symbol.asyncDispose]())

  async function aPayer() {
    const payer = await world.aUser()
    const as = await site.signIn(payer.id)
    const client = site.client(as)
    const payOrder = async () => {
      const { fields, number } = await payer.pay(10)
      await notify(world, notificationOf(fields))
      return number
    }
    const issue = (number: string) => client.call(documentRoutes.issueInvoice, { body: { trade_no: number } })
    /** In a session that began now. */
    const issueMonth = async (month: string) => {
      const fresh = site.client(await site.signIn(payer.id))
      return fresh.call(documentRoutes.issueStatement, { body: { month } })
    }
    return { ...payer, as, documents: client, payOrder, issue, issueMonth }
  }
  const refund = (number: string, amount?: string) =>
    refundOrder(world.ctx, {
      number,
      isPaidBack: true,
      operatorId: 1,
      requestId: `refund-${number}-${amount}`,
      ...(amount !== undefined && { amount }),
    })
  const amountsOf = (documents: readonly documentRoutes.BillingDocument[]) =>
    documents.map((document) => document.kind !== 'statement' && [document.kind, document.total, document.tax])

  once('an invoice names seller, customer, order, tax and total as they were when it was issued', async () => {
    await world.set({
      InvoiceSellerName: 'Example Ltd',
      InvoiceSellerAddress: '1 High Street\nLondon',
      InvoiceSellerTaxId: 'GB123',
      InvoiceTaxRate: '13',
      InvoiceNumberPrefix: 'EX-',
      InvoiceNote: 'Thank you.',
    })
    const payer = await aPayer()
    const billing = { billing_name: 'ACME GmbH', billing_address: 'Hauptstr. 1\nBerlin', billing_tax_id: 'DE999' }
    await payer.documents.call(accountRoutes.updateSetting, { body: billing })
    const number = await payer.payOrder()
    const issued = await payer.issue(number)
    const [invoice] = issued
    expect(issued).toEqual([
      {
        kind: 'invoice',
        number: expect.any(Number),
        label: `EX-${String(invoice?.number).padStart(6, '0')}`,
        issued_at: world.now(),
        time_zone: 'UTC',
        seller: { name: 'Example Ltd', address: '1 High Street\nLondon', tax_id: 'GB123' },
        customer: { name: 'ACME GmbH', address: 'Hauptstr. 1\nBerlin', tax_id: 'DE999' },
        username: payer.username,
        tax_rate: 13,
        quota_per_unit: 500_000,
        note: 'Thank you.',
        trade_no: number,
        paid_at: world.now(),
        quota: 5_000_000,
        currency: 'CNY',
        net: '64.60',
        tax: '8.40',
        total: '73.00',
        corrects: '',
      },
    ])
    await world.set({
      InvoiceSellerName: 'Other',
      InvoiceSellerAddress: '',
      InvoiceSellerTaxId: '',
      InvoiceTaxRate: '0',
      InvoiceNumberPrefix: 'X',
      InvoiceNote: '',
    })
    await payer.documents.call(accountRoutes.updateSetting, { body: { billing_name: 'Changed' } })
    world.passSeconds(60)
    expect(await payer.issue(number)).toEqual(issued)
    const read = { params: { number: invoice?.number ?? 0 } }
    expect(await payer.documents.call(documentRoutes.getDocument, read)).toEqual(
      issued[0] as documentRoutes.BillingDocument,
    )
  })

  once('a seller and a customer without details have the names of the site and of the account', async () => {
    const payer = await aPayer()
    await world.set({ InvoiceSellerName: '' })
    const [invoice] = await payer.issue(await payer.payOrder())
    expect([invoice?.seller.name, invoice?.customer.name]).toEqual(['Tollgate', payer.username])
  })

  once('an order that is not paid has no invoice', async () => {
    const payer = await aPayer()
    const { number } = await payer.pay(10)
    expect(await outcomeOf(payer.issue(number))).toBe('order.unpaid')
    expect(await outcomeOf(payer.issue('none'))).toBe('order.none')
  })

  test('simultaneous and failing requests leave numbers without gaps, one invoice for each order', async () => {
    const payers = await Promise.all(Array.from({ length: 4 }, aPayer))
    const orders: { number: string; issue: () => Promise<unknown> }[] = []
    for (const payer of payers)
      for (const number of [await payer.payOrder(), await payer.payOrder()])
        orders.push({ number, issue: () => payer.issue(number) })
    const failing = (number: string, step: number) => {
      let statement = 0
      const database = faultyDatabase(world.ctx.database, () => (statement++ === step ? 'refused' : 'none'))
      return database.query
        .transaction()
        .execute(async (transaction) => {
          const order = await lockedOrder(transaction, number)
          if (order) await orderDocuments(world.ctx, transaction, order)
        })
        .catch(() => null)
    }
    await Promise.all(orders.flatMap(({ number, issue }, at) => [issue(), failing(number, at), issue()]))
    const rows = await world.ctx.database.query
      .selectFrom('billing_documents')
      .select(['number', 'order_number'])
      .orderBy('number')
      .execute()
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, at) => at + 1))
    const named = rows.flatMap(({ order_number: number }) => orders.filter((order) => order.number === number))
    expect(named).toHaveLength(orders.length)
    expect(new Set(named).size).toBe(orders.length)
  })

  once(
    'each refund of an invoiced order makes a credit note, and all of its documents add up to what is left',
    async () => {
      await world.set({ InvoiceTaxRate: '19' })
      const payer = await aPayer()
      const number = await payer.payOrder()
      await payer.issue(number)
      await world.set({ InvoiceTaxRate: '50' })
      await refund(number, '18.25')
      await refund(number)
      const documents = await payer.issue(number)
      expect(amountsOf(documents)).toEqual([
        ['invoice', '73.00', '11.66'],
        ['credit_note', '-18.25', '-2.92'],
        ['credit_note', '-54.75', '-8.74'],
      ])
      const [invoice, ...notes] = documents
      expect(notes.map((note) => note.kind !== 'statement' && [note.corrects, note.quota])).toEqual([
        [invoice?.label ?? '', -1_250_000],
        [invoice?.label ?? '', -3_750_000],
      ])
      await world.set({ InvoiceTaxRate: '0' })
    },
  )

  once('an order that was refunded before its invoice was issued gets both documents at once', async () => {
    const payer = await aPayer()
    const number = await payer.payOrder()
    await refund(number)
    const before = await payer.documents.call(documentRoutes.listOwnDocuments, {})
    expect(before.items).toEqual([])
    expect(amountsOf(await payer.issue(number))).toEqual([
      ['invoice', '73.00', '0.00'],
      ['credit_note', '-73.00', '0.00'],
    ])
  })

  once('a refund whose response was lost makes no credit note until it is known how it ended', async () => {
    const payer = await aPayer()
    const number = await payer.payOrder()
    await payer.issue(number)
    const loseConnection = () => Promise.reject(new TypeError('The connection was closed'))
    const fetch = Object.assign(loseConnection, { preconnect: world.ctx.fetch.preconnect })
    const refundRequest = { number, isPaidBack: false, operatorId: 1, requestId: 'lost' }
    await refundOrder({ ...world.ctx, fetch }, refundRequest).catch(() => null)
    expect(await world.rowOf(number)).toMatchObject({ problem: 'refund', refunded_minor: 7300 })
    expect(amountsOf(await payer.issue(number))).toEqual([['invoice', '73.00', '0.00']])
    world.passSeconds(61)
    await resolveProblem(world.ctx, { number, wasPaidBack: true, operatorId: 1, requestId: 'resolved' })
    expect(amountsOf(await payer.issue(number))).toEqual([
      ['invoice', '73.00', '0.00'],
      ['credit_note', '-73.00', '0.00'],
    ])
  })

  once('a dispute is credited once it is lost', async () => {
    const payer = await aPayer()
    const number = await payer.payOrder()
    await payer.issue(number)
    const { minor, currency, merchant } = await world.rowOf(number)
    const dispute = (kind: 'dispute-opened' | 'dispute-lost') =>
      applyEvent(
        world.ctx,
        { id: `${number}-${kind}`, kind, orderNumber: number, minor, currency, merchant, disputeNumber: 'D1' },
        { provider: 'epay', source: 'callback', requestId: kind, payload: '' },
      )
    await dispute('dispute-opened')
    expect(await payer.issue(number)).toHaveLength(1)
    await dispute('dispute-lost')
    expect(amountsOf(await payer.issue(number))).toEqual([
      ['invoice', '73.00', '0.00'],
      ['credit_note', '-73.00', '0.00'],
    ])
  })

  test('the statement of a month that is over is issued once and frozen', async () => {
    const payer = await aPayer()
    const number = await payer.payOrder()
    expect(await outcomeOf(payer.issueMonth('2026-03'))).toBe('document.month')
    expect(await outcomeOf(payer.issueMonth('2026-02'))).toBe('document.month')
    world.passSeconds(31 * 86_400)
    const [one, other] = await Promise.all([payer.issueMonth('2026-03'), payer.issueMonth('2026-03')])
    expect(one).toEqual(other)
    if (one.kind !== 'statement') throw new Error('not a statement')
    expect(one.statement).toMatchObject({ month: '2026-03', credited: 5_000_000, closing: 5_000_000 })
    expect(one.statement.movements).toMatchObject([{ kind: 'top-up', trade_no: number, amount: 5_000_000 }])
    const fresh = site.client(await site.signIn(payer.id))
    await fresh.call(accountRoutes.updateSetting, { body: { billing_name: 'Changed' } })
    await world.ctx.ledger.credit({ id: `late-${kind}`, userId: payer.id, kind: 'admin', amount: 7 })
    expect(await payer.issueMonth('2026-03')).toEqual(one)
    const month = { query: { month: '2026-03' } }
    const current = await fresh.call(walletRoutes.statement, month)
    expect([current.customer.name, one.statement.customer.name]).toEqual(['Changed', payer.username])
    world.passSeconds(-31 * 86_400)
  })

  test('a document is read by its owner and by operators who may read orders', async () => {
    const payer = await aPayer()
    const number = await payer.payOrder()
    const [invoice] = await payer.issue(number)
    const read = { params: { number: invoice?.number ?? 0 } }
    const other = await aPayer()
    const admin = await world.anAdmin()
    const asAdmin = site.client(await site.signIn(admin.id))
    expect([
      await outcomeOf(payer.documents.call(documentRoutes.getDocument, read)),
      await outcomeOf(other.documents.call(documentRoutes.getDocument, read)),
      await outcomeOf(other.issue(number)),
      await outcomeOf(asAdmin.call(documentRoutes.getDocument, read)),
      await outcomeOf(asAdmin.call(documentRoutes.issueInvoice, { body: { trade_no: number } })),
    ]).toEqual(['ok', 'document.none', 'order.none', 'ok', 'ok'])
    const entity = await admin.client.call(paymentRoutes.getOrder, { params: { trade_no: number } })
    expect(entity.documents.map(({ label }) => label)).toEqual([invoice?.label ?? ''])
    expect((await other.documents.call(documentRoutes.listOwnDocuments, {})).items).toEqual([])
  })

  test('documents are exported, those of a user or all of them', async () => {
    const payer = await aPayer()
    const number = await payer.payOrder()
    const [invoice] = await payer.issue(number)
    const linesOf = async (path: string, as = payer.as) => {
      const response = await site.send('GET', path, { as, headers: { 'Accept-Language': 'en' } })
      return response.ok ? (await response.text()).trim().split('\r\n').slice(1) : response.status
    }
    const line = [
      invoice?.label,
      'Invoice',
      new Date(world.now() * 1000).toISOString().replace('.000Z', 'Z'),
      payer.username,
      payer.id,
      number,
      '',
      'CNY,73.00,0.00,73.00',
    ].join(',')
    expect(await linesOf('/api/user/documents/export')).toEqual([line])
    expect(await linesOf('/api/user/documents/all/export')).toBe(403)
    const admin = await world.anAdmin()
    const asAdmin = await site.signIn(admin.id)
    expect(await linesOf(`/api/user/documents/all/export?trade_no=${number}`, asAdmin)).toEqual([line])
    expect(await linesOf(`/api/user/documents/all/export?end_timestamp=1`, asAdmin)).toEqual([])
  })

  once('reconcile finds that the documents of all these orders add up and that no number is missing', async () => {
    const found = (await world.differences()).map(({ check }) => check)
    expect(found.filter((check) => check === 'order-documents' || check === 'document-number')).toEqual([])
  })
})
