import { PriceEntry } from '@tollgate/contract'
import type { Selectable } from 'kysely'

import { lockPrices, storePrices, type PriceWriter } from '../../billing/pricing/price-store'
import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'
import type { PriceProposalsTable } from '../../platform/store/tables/operation'
import { changedEntry, type AppliedChange } from './changed-entry'
import type { Finding } from './findings'
import { PresentPrices } from './present-prices'
import { nowOf } from './sync-times'

type Deps = Pick<Context, 'catalog' | 'database' | 'changes' | 'clock'>
export type ProposalRow = Selectable<PriceProposalsTable>

/**
 * Stores the differences found in a source: new figures replace those found before, and what applies automatically is written. A rejection
 * persists as long as the figures are the same, also when they come back. `find` is called under the lock of prices, so that what is
 * compared is what is charged.
 */
export async function keepFindings(
  deps: Deps,
  source: string,
  find: (present: PresentPrices) => readonly Finding[],
): Promise<void> {
  const { database, changes, clock } = deps
  await database.query.transaction().execute(async (transaction) => {
    await lockPrices(deps, transaction)
    const present = await PresentPrices.read(transaction, deps.catalog.current.prices)
    const known = await transaction.selectFrom('price_proposals').selectAll().where('source', '=', source).execute()
    const { gone, fresh } = compareFindings(known, find(present))
    await removeRows(transaction, gone)
    await insertRows(transaction, source, fresh, nowOf(clock))
    const applied = fresh.filter(({ state }) => state === 'applied')
    await applyChanges(deps, applied, { source: 'sync', username: '' }, present, transaction)
  })
  await changes.deliver()
}

/** A changed field of a model's price. */
export interface PriceChange extends AppliedChange {
  readonly channelId: number
  readonly model: string
}

/** Writes these changes, the fields of a model together. After `lockPrices`, in the same transaction. */
export async function applyChanges(
  deps: Pick<Context, 'clock'>,
  all: readonly PriceChange[],
  writer: PriceWriter,
  present: PresentPrices,
  transaction: Transaction,
): Promise<void> {
  const writes = [...Map.groupBy(all, ({ channelId, model }) => `${channelId} ${model}`).values()].flatMap(
    (changes) => {
      const [first] = changes
      if (!first) return []
      const { channelId, model } = first
      return { channelId, model, entry: PriceEntry.parse(changedEntry(present.entryOf(channelId, model), changes)) }
    },
  )
  if (writes.length > 0) await storePrices(deps, writes, writer, transaction)
}

const keyOf = (channelId: number, model: string, field: string) => `${channelId}\n${model}\n${field}`

/** Returns the rows to remove, and the findings to store in their place. */
function compareFindings(known: readonly ProposalRow[], found: readonly Finding[]) {
  const rows = new Map(known.map((row) => [keyOf(row.channel_id, row.model, row.field), row]))
  const seen = new Set<string>()
  const gone: number[] = []
  const fresh = found.filter((finding) => {
    const key = keyOf(finding.channelId, finding.model, finding.field)
    seen.add(key)
    const row = rows.get(key)
    if (!row) return true
    const isSame = row.before === JSON.stringify(finding.before) && row.after === JSON.stringify(finding.after)
    // Applied once and found again: the price was changed back meanwhile.
    const isKnown = row.state === finding.state && row.reason === finding.reason && row.state !== 'applied'
    if (isSame && (row.state === 'rejected' || isKnown)) return false
    gone.push(row.id)
    return true
  })
  // Decided proposals are kept as history; waiting or refused ones that no longer apply are removed.
  for (const [key, { id, state }] of rows)
    if (!seen.has(key) && (state === 'waiting' || state === 'refused')) gone.push(id)
  return { gone, fresh }
}

const rowsAtOnce = 500

async function removeRows(transaction: Transaction, ids: readonly number[]): Promise<void> {
  for (let start = 0; start < ids.length; start += rowsAtOnce)
    await transaction
      .deleteFrom('price_proposals')
      .where('id', 'in', ids.slice(start, start + rowsAtOnce))
      .execute()
}

async function insertRows(
  transaction: Transaction,
  source: string,
  found: readonly Finding[],
  now: number,
): Promise<void> {
  for (let start = 0; start < found.length; start += rowsAtOnce)
    await transaction
      .insertInto('price_proposals')
      .values(
        found
          .slice(start, start + rowsAtOnce)
          .map(({ channelId, model, field, before, after, percent, state, reason }) => ({
            source,
            channel_id: channelId,
            model,
            field,
            before: JSON.stringify(before),
            after: JSON.stringify(after),
            percent,
            state,
            reason,
            found_at: now,
            decided_at: state === 'applied' ? now : null,
          })),
      )
      .execute()
}
