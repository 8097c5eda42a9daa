import type { PriceEntry, Table } from '@tollgate/contract'

import type { Context } from '../../context'
import { pricesOf, type Prices } from '../../billing/metering/price-book/prices'
import {
  isRatioOption,
  ratioOptions,
  ratioView,
  withRatio,
  type RatioOption,
} from '../../billing/metering/price-book/ratio-view'
import type { Transaction } from '../../platform/store/database'
import { removePrices, storedPrices, storePrices, type PriceWriter, type StoredPrice } from './price-store'

export { isRatioOption }

/** The specification's ratio options are a view of the entries; nothing is stored under their keys. */
export function ratioTexts(
  stored: readonly StoredPrice[],
  prices: Pick<Prices, 'listOf'>,
): ReadonlyMap<RatioOption, string> {
  const tables = new Map(ratioOptions.map((option): [RatioOption, Record<string, number>] => [option, {}]))
  for (const { model, entry } of stored) {
    if (!entry) continue
    const view = ratioView(entry, prices.listOf(model)?.prices.input)
    for (const option of ratioOptions) {
      const [ratio, table] = [view[option], tables.get(option)]
      if (ratio !== undefined && table) table[model] = ratio
    }
  }
  return new Map([...tables].map(([option, table]) => [option, JSON.stringify(table)]))
}

/** A table of ratios before and after. */
export interface RatioChange {
  readonly option: RatioOption
  readonly before: Table<number>
  readonly after: Table<number>
}

/** Writes changed ratios into the entries of their models; unchanged ones are left alone. After `lockPrices`. */
export async function storeRatios(
  ctx: Pick<Context, 'catalog' | 'clock'>,
  changes: readonly RatioChange[],
  writer: PriceWriter,
  transaction: Transaction,
): Promise<void> {
  const stored = new Map((await storedPrices(transaction, 'sale')).map(({ model, entry }) => [model, entry]))
  const prices = pricesOf(ctx.catalog.current)
  const next = new Map<string, PriceEntry | null>()
  for (const { option, before, after } of changes)
    for (const model of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (before[model] === after[model]) continue
      const entry = (next.has(model) ? next.get(model) : stored.get(model)) ?? { prices: {} }
      next.set(model, withRatio(entry, option, after[model], prices.listOf(model)?.prices.input))
    }
  const all = [...next].map(([model, entry]) => ({ channelId: 0, model, entry }))
  const writes = all.flatMap(({ entry, ...key }) => (entry ? [{ ...key, entry }] : []))
  await storePrices(ctx, writes, writer, transaction)
  await removePrices(
    all.filter(({ entry }) => entry === null),
    transaction,
  )
}
