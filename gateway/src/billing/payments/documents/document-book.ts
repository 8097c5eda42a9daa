import { documentRoutes, readUserSetting, type OptionValues, type walletRoutes } from '@tollgate/contract'

import type { Context } from '../../../context'
import type { Queries, Transaction } from '../../../platform/store/database'

type BillingDocument = documentRoutes.BillingDocument
type Common = Omit<documentRoutes.MonthDocument, 'kind' | 'statement' | 'number' | 'label'>

/** Digits of a printed number, so that documents sort by their names. */
const labelDigits = 6

/** Resolves with what all documents of a user have in common when they are issued now. */
export async function issuedNow(
  { catalog, clock }: Pick<Context, 'catalog' | 'clock'>,
  query: Queries | Transaction,
  userId: number,
): Promise<Common> {
  const { options } = catalog.current
  const account = await query
    .selectFrom('users')
    .select(['username', 'display_name', 'setting'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return {
    issued_at: clock.seconds(),
    time_zone: options.SiteTimeZone,
    seller: sellerOf(options),
    customer: customerOf(account),
    username: account.username,
    tax_rate: options.InvoiceTaxRate,
    quota_per_unit: options.QuotaPerUnit,
    note: options.InvoiceNote.trim(),
  }
}

interface Issued {
  readonly userId: number
  readonly orderNumber?: string
  readonly part?: number
  readonly month?: string
  readonly minor?: number
  /** Begins its label. */
  readonly prefix: string
  readonly content: DistributiveOmit<BillingDocument, 'number' | 'label'>
}

type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never

/**
 * Issues a document under the next number. The number belongs to the transaction: if that fails, the next document gets it, so that the
 * sequence has no gaps. Until it ends, other documents wait.
 */
export async function issueDocument(
  transaction: Transaction,
  { userId, orderNumber, part = 0, month, minor = 0, prefix, content }: Issued,
): Promise<BillingDocument> {
  const { value: number } = await transaction
    .insertInto('counters')
    .values({ name: 'documents', value: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet((eb) => ({ value: eb('counters.value', '+', 1) })))
    .returning('value')
    .executeTakeFirstOrThrow()
  const document = { ...content, number, label: `${prefix}${String(number).padStart(labelDigits, '0')}` }
  await transaction
    .insertInto('billing_documents')
    .values({
      number,
      kind: content.kind,
      user_id: userId,
      order_number: orderNumber ?? null,
      part,
      month: month ?? null,
      minor,
      issued_at: content.issued_at,
      content: JSON.stringify(document),
    })
    .execute()
  return document
}

/** Returns a document as it was issued. */
export const readDocument = ({ content }: { readonly content: string }): BillingDocument =>
  documentRoutes.BillingDocument.parse(JSON.parse(content))

type Party = walletRoutes.Party

/** Returns the seller as the settings name it now. */
export const sellerOf = (options: OptionValues): Party => ({
  name: options.InvoiceSellerName.trim() || options.SystemName,
  address: options.InvoiceSellerAddress.trim(),
  tax_id: options.InvoiceSellerTaxId.trim(),
})

interface Account {
  readonly username: string
  readonly display_name: string
  readonly setting: string
}

/** Returns the customer as the account names it now. */
export function customerOf(account: Account): Party {
  const { billing_name: name, billing_address: address, billing_tax_id: taxId } = readUserSetting(account)
  return { name: name || account.display_name || account.username, address, tax_id: taxId }
}
