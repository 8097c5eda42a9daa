import type { PriceEntry, Table } from '@tollgate/contract'

import type { Changes } from '../../platform/store/changes'
import type { Queries, Transaction } from '../../platform/store/database'
import type { Clock } from '../../platform/time/clock'
import { readRow } from './price-book'
import type { Prices } from './prices'
import { withRatio, type RatioOption } from './ratio-view'

/** A row to write: a sale entry where `channelId` is 0, otherwise the cost at a channel; without a model the channel's factor. */
export type PriceWrite =
  | { readonly channelId: number; readonly model: string; readonly entry: PriceEntry }
  | { readonly channelId: number; readonly model: ''; readonly entry: { readonly factor: number } }

/** The author of a write. */
export interface PriceWriter {
  /** `own`: an operator. `sync`: the job that follows public lists. */
  readonly source: 'own' | 'sync'
  /** User name; empty for the job. */
  readonly username: string
}

/** The primary key of a row. */
export interface PriceKey {
  readonly channelId: number
  readonly model: string
}

/** Who wrote a row, and when. */
export interface PriceStamp {
  readonly source: 'own' | 'sync'
  readonly updatedAt: number
  readonly updatedBy: string
}

/** A row as it is stored. */
export interface StoredPrice extends PriceKey, PriceStamp {
  /** Null for a row that cannot be read. */
  readonly entry: PriceEntry | null
  /** Set for a whole channel, otherwise null. */
  readonly factor: number | null
}

/**
 * Announces a change of prices and holds its lock, so that what is read afterwards in the transaction is the latest state until it ends.
 * Call `changes.deliver` after the commit: then the new prices are in force here, and within a second in all workers.
 */
export const lockPrices = (
  { changes }: { readonly changes: Pick<Changes, 'announce'> },
  transaction: Transaction,
): Promise<void> => changes.announce({ topic: 'prices', refId: 0 }, transaction)

/** Upserts rows. After `lockPrices`, in the same transaction. */
export async function storePrices(
  { clock }: { readonly clock: Clock },
  writes: readonly PriceWrite[],
  { source, username }: PriceWriter,
  transaction: Transaction,
): Promise<void> {
  const by = { updated_at: clock.seconds(), updated_by: username, source }
  for (const some of inSlices(writes)) {
    await transaction
      .insertInto('price_entries')
      .values(
        some.map(({ channelId, model, entry }) => ({
          channel_id: channelId,
          model,
          entry: JSON.stringify(entry),
          ...by,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['channel_id', 'model']).doUpdateSet((eb) => ({
          entry: eb.ref('excluded.entry'),
          updated_at: eb.ref('excluded.updated_at'),
          updated_by: eb.ref('excluded.updated_by'),
          source: eb.ref('excluded.source'),
        })),
      )
      .execute()
  }
}

/** Deletes rows; resolves with how many there were. After `lockPrices`, in the same transaction. */
export async function removePrices(keys: readonly PriceKey[], transaction: Transaction): Promise<number> {
  let removed = 0
  for (const [channelId, models] of Map.groupBy(keys, (key) => key.channelId))
    for (const some of inSlices(models)) {
      const { numDeletedRows } = await transaction
        .deleteFrom('price_entries')
        .where('channel_id', '=', channelId)
        .where(
          'model',
          'in',
          some.map(({ model }) => model),
        )
        .executeTakeFirstOrThrow()
      removed += Number(numDeletedRows)
    }
  return removed
}

/** Resolves with the stored sale entries, or the rows of channels. */
export async function storedPrices(query: Queries | Transaction, of: 'sale' | 'cost'): Promise<StoredPrice[]> {
  const rows = await query
    .selectFrom('price_entries')
    .selectAll()
    .where('channel_id', of === 'sale' ? '=' : '>', 0)
    .orderBy('channel_id')
    .orderBy('model')
    .execute()
  return rows.map((row) => {
    const read = readRow(row.entry)
    return {
      channelId: row.channel_id,
      model: row.model,
      entry: typeof read === 'number' ? null : read,
      factor: typeof read === 'number' ? read : null,
      source: row.source,
      updatedAt: row.updated_at,
      updatedBy: row.updated_by,
    }
  })
}

/**
 * Resolves with who wrote the sale entries, of all models or these few. The entries themselves are in the catalog: reading thousands again
 * takes long.
 */
export async function saleStamps(query: Queries, models?: readonly string[]): Promise<ReadonlyMap<string, PriceStamp>> {
  const rows = await query
    .selectFrom('price_entries')
    .select(['model', 'source', 'updated_at', 'updated_by'])
    .where('channel_id', '=', 0)
    .$if(models !== undefined, (some) => some.where('model', 'in', models ?? []))
    .execute()
  return new Map(
    rows.map(({ model, source, updated_at, updated_by }) => [
      model,
      { source, updatedAt: updated_at, updatedBy: updated_by },
    ]),
  )
}

/** A table of ratios before and after. */
export interface RatioChange {
  readonly option: RatioOption
  readonly before: Table<number>
  readonly after: Table<number>
}

/** What writing ratios needs. */
interface RatioDeps {
  readonly clock: Clock
  readonly catalog: { readonly current: { readonly prices: Pick<Prices, 'listOf'> } }
}

/** Writes changed ratios into the entries of their models; unchanged ones are left alone. After `lockPrices`. */
export async function storeRatios(
  deps: RatioDeps,
  changes: readonly RatioChange[],
  writer: PriceWriter,
  transaction: Transaction,
): Promise<void> {
  const stored = new Map((await storedPrices(transaction, 'sale')).map(({ model, entry }) => [model, entry]))
  const { prices } = deps.catalog.current
  const next = new Map<string, PriceEntry | null>()
  for (const { option, before, after } of changes)
    for (const model of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (before[model] === after[model]) continue
      const entry = (next.has(model) ? next.get(model) : stored.get(model)) ?? { prices: {} }
      next.set(model, withRatio(entry, option, after[model], prices.listOf(model)?.prices.input))
    }
  const all = [...next].map(([model, entry]) => ({ channelId: 0, model, entry }))
  const writes = all.flatMap(({ entry, ...key }) => (entry ? [{ ...key, entry }] : []))
  await storePrices(deps, writes, writer, transaction)
  await removePrices(
    all.filter(({ entry }) => entry === null),
    transaction,
  )
}

/** Values are bound to statements in batches of this size. */
const atOnce = 500

function* inSlices<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += atOnce) yield items.slice(start, start + atOnce)
}
