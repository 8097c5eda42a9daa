import { readUserSetting, type OptionValues, type walletRoutes } from '@tollgate/contract'

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
