import type { PriceEntry } from '@tollgate/contract'

import type { Context } from '../../context'
import type { Queries, Transaction } from '../../platform/store/database'
import { readRow } from '../../billing/metering/price-book/price-book'

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

type Announcing = Pick<Context, 'changes' | 'clock'>

/**
 * Announces a change of prices and holds its lock, so that what is read afterwards in the transaction is the latest state until it ends.
 * Call `changes.deliver` after the commit: then the new prices are in force here, and within a second in all workers.
 */
export const lockPrices = ({ changes }: Announcing, transaction: Transaction): Promise<void> =>
  changes.announce({ topic: 'prices', refId: 0 }, transaction)

/** Upserts rows. After `lockPrices`, in the same transaction. */
export async function storePrices(
  { clock }: Pick<Context, 'clock'>,
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

/** Values are bound to statements in batches of this size. */
const atOnce = 500

function* inSlices<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += atOnce) yield items.slice(start, start + atOnce)
}
