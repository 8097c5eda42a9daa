import type { channelRoutes } from '@tollgate/contract'

import type { Language } from '../../../lib/text/language'
import type { ChannelForm } from './channel-form'
import type { Connection } from './paste-connection'
import { chatAddress, readAddress, vendorAt, type FoundVendor, type PastedAddress } from './pasted-address'

type Vendor = channelRoutes.ChannelType

/** Returns what a pasted connection changes of a channel's form. */
export function pastedValues(
  connection: Connection,
  values: ChannelForm,
  vendors: readonly Vendor[],
  language: Language,
): Partial<ChannelForm> {
  const { key, models, address } = connection
  const pasted = address === undefined ? undefined : readAddress(address)
  const found = foundVendor(connection, pasted, values, vendors)
  const name = connection.name ?? (found && nameOf(found.vendor, pasted, language))
  return {
    ...(found && { type: found.vendor.type }),
    ...(found && pasted && { base_url: found.baseUrl }),
    ...(found?.region !== undefined && values.other === '' && { other: found.region }),
    ...(!found && pasted && { base_url: pasted.base }),
    ...(key !== undefined && { key }),
    ...(name !== undefined && !hasOwnName(values, vendors, language) && { name }),
    ...(models && { models: [...new Set([...values.models, ...models])] }),
  }
}

/** Whether the operator named the channel: another name is that of its vendor, and follows it. */
export const hasOwnName = (
  { name, type }: Pick<ChannelForm, 'name' | 'type'>,
  vendors: readonly Vendor[],
  language: Language,
): boolean => name !== '' && name !== vendorName(type, vendors, language)

/** Returns the name of a vendor, which a channel gets that has none of its own. */
export const vendorName = (type: number | '', vendors: readonly Vendor[], language: Language): string =>
  vendors.find((vendor) => vendor.type === type)?.name[language] ?? ''

/** The id of the vendor whose address is the whole address of a call. */
const anyServer = 'custom'

/** A server without a vendor of its own is named by its host. */
function nameOf({ id, name }: Vendor, pasted: PastedAddress | undefined, language: Language): string {
  const host = pasted && URL.parse(pasted.base)?.hostname
  return id === anyServer && host ? host : name[language]
}

/** The vendor by its host, by its name in the text, by the one that is chosen, or by the form of the API. */
function foundVendor(
  { vendor: named }: Connection,
  pasted: PastedAddress | undefined,
  { type }: ChannelForm,
  vendors: readonly Vendor[],
): FoundVendor | undefined {
  const atHost = pasted && vendorAt(pasted, vendors)
  if (atHost) return atHost
  const byName = named === undefined ? undefined : vendors.find(({ id }) => id === named)
  const form = { anthropic: 'anthropic', gemini: 'gemini', openai: anyServer }[pasted?.form ?? 'openai']
  const vendor = byName ?? vendors.find((one) => one.type === type) ?? (pasted && vendors.find(({ id }) => id === form))
  if (!vendor) return undefined
  return { vendor, baseUrl: pasted ? addressFor(vendor, pasted) : '' }
}

/** Returns an address as a vendor's channels have it. */
export const addressFor = ({ id }: Vendor, pasted: PastedAddress): string =>
  id === anyServer ? chatAddress(pasted) : pasted.base
