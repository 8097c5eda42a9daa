import { isPriced } from '@tollgate/contract/price-formula'
import type { PriceEntry } from '@tollgate/models'

import { legacyRatios } from '../../billing/pricing/list-price'
import { overlay } from '../../billing/pricing/overlay'
import { storedPrices, type StoredPrice } from '../../billing/pricing/price-store'
import type { Prices } from '../../billing/pricing/prices'
import type { Queries, Transaction } from '../../platform/store/database'

/** Current prices. Channel 0: the sale prices. */
export interface PresentPrices {
  /** Models with a sale entry of their own. */
  readonly owned: readonly string[]
  /** Null: no price. */
  entryOf(channelId: number, model: string): PriceEntry | null
  /** Whether an operator wrote it, not a sync. */
  isOwn(channelId: number, model: string): boolean
}

/** Resolves with the stored prices; sale prices lie over the shipped list's and over what is known about a model's relations. */
export async function presentPrices(
  query: Queries | Transaction,
  prices: Pick<Prices, 'listOf'>,
): Promise<PresentPrices> {
  const rows = [...(await storedPrices(query, 'sale')), ...(await storedPrices(query, 'cost'))]
  const nameOf = (channelId: number, model: string) => `${channelId} ${model}`
  const stored = new Map<string, StoredPrice>(rows.map((row) => [nameOf(row.channelId, row.model), row]))
  return {
    owned: rows.filter(({ channelId }) => channelId === 0).map(({ model }) => model),
    entryOf(channelId, model) {
      const own = stored.get(nameOf(channelId, model))?.entry ?? null
      if (channelId !== 0) return own
      const layers = [own, prices.listOf(model), legacyRatios(model)].filter((layer) => layer !== null)
      const entry = layers.reduceRight((bottom, top) => overlay(top, bottom))
      return isPriced(entry.prices) ? entry : null
    },
    isOwn: (channelId, model) => stored.get(nameOf(channelId, model))?.source === 'own',
  }
}
