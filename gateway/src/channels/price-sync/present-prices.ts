import { isPriced } from '@tollgate/contract/price-formula'
import type { PriceEntry } from '@tollgate/models'

import { legacyRatios } from '../../billing/pricing/list-price'
import { overlay } from '../../billing/pricing/overlay'
import { storedPrices, type StoredPrice } from '../../billing/pricing/price-store'
import type { Prices } from '../../billing/pricing/prices'
import type { Queries, Transaction } from '../../platform/store/database'

/** Current prices. Channel 0: the sale prices. */
export class PresentPrices {
  /** Models with a sale entry of their own. */
  readonly owned: readonly string[]
  readonly #stored: ReadonlyMap<string, StoredPrice>

  private constructor(
    rows: readonly StoredPrice[],
    private readonly prices: Pick<Prices, 'listOf'>,
  ) {
    this.owned = rows.filter(({ channelId }) => channelId === 0).map(({ model }) => model)
    this.#stored = new Map(rows.map((row) => [nameOf(row.channelId, row.model), row]))
  }

  /** Resolves with the stored prices; sale prices lie over the shipped list's and over what is known about a model's relations. */
  static async read(query: Queries | Transaction, prices: Pick<Prices, 'listOf'>): Promise<PresentPrices> {
    return new PresentPrices([...(await storedPrices(query, 'sale')), ...(await storedPrices(query, 'cost'))], prices)
  }

  /** Null: no price. */
  entryOf(channelId: number, model: string): PriceEntry | null {
    const own = this.#stored.get(nameOf(channelId, model))?.entry ?? null
    if (channelId !== 0) return own
    const layers = [own, this.prices.listOf(model), legacyRatios(model)].filter((layer) => layer !== null)
    const entry = layers.reduceRight((bottom, top) => overlay(top, bottom))
    return isPriced(entry.prices) ? entry : null
  }

  /** Whether an operator wrote it, not a sync. */
  isOwn(channelId: number, model: string): boolean {
    return this.#stored.get(nameOf(channelId, model))?.source === 'own'
  }
}

const nameOf = (channelId: number, model: string): string => `${channelId} ${model}`
