import { sql } from 'kysely'

import type { Database, DatabaseKind, Transaction } from '../../../platform/store/database'
import { dimensionNames, spans, type DimensionName } from '../rollups'
import { readBatch } from './read-batch'
import { Pack, packOf } from './packs'

/** More batches than this are packed before their hour is over: the dashboard reads all that are left. */
const maxWaiting = 20_000
/** About ten thousand calls. */
const bytesAtOnce = 256 * 1024
/** Values queried in one statement, and rows written by one. */
const valuesAtOnce = 200

/**
 * Moves the oldest batches of measures into the packs of their days, if their hours begin before `before` (seconds) or very many are
 * waiting. Batch and pack change in one transaction, so that each call is in exactly one of them. Resolves with false when nothing was
 * left to do.
 */
export const rollUpMeasures = (database: Database, before: number, maxBatches: number): Promise<boolean> =>
  database.query.transaction().execute(async (transaction) => {
    await lockMeasureRollup(transaction, database.kind)
    const batches = await batchesToFold(transaction, before, maxBatches)
    if (batches.length === 0) return false
    for (const column of dimensionNames) await foldColumn(transaction, column, batches)
    const ids = batches.map(({ id }) => id)
    await transaction.deleteFrom('measure_batches').where('id', 'in', ids).execute()
    return true
  })

interface Batch {
  readonly id: number
  readonly records: Uint8Array
}

async function batchesToFold(transaction: Transaction, before: number, maxBatches: number): Promise<Batch[]> {
  const { waiting } = await transaction
    .selectFrom('measure_batches')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .executeTakeFirstOrThrow()
  // The more are waiting the more are taken, so that the job keeps up with any traffic.
  const found = transaction
    .selectFrom('measure_batches')
    .select((eb) => ['id', eb.fn<number>('length', ['records']).as('bytes')])
    .orderBy('id')
    .limit(Math.max(maxBatches, Math.ceil(waiting / 10)))
  const batches = await (waiting > maxWaiting ? found : found.where('hour', '<', before)).execute()
  if (batches.length === 0) return []
  return transaction
    .selectFrom('measure_batches')
    .select(['id', 'records'])
    .where('id', 'in', firstOf(batches))
    .execute()
}

/** Returns how many to take: at least one, and as many as can be added up in little memory and time. */
function firstOf(batches: readonly { readonly id: number; readonly bytes: number }[]): number[] {
  let bytes = 0
  return batches
    .filter((batch, index) => {
      bytes += batch.bytes
      return index === 0 || bytes <= bytesAtOnce
    })
    .map(({ id }) => id)
}

/** Adds the batches to the packs by one column. */
async function foldColumn(transaction: Transaction, column: DimensionName, batches: readonly Batch[]): Promise<void> {
  const packs = new Map<string, PackRow>()
  for (const { records } of batches) readBatch(records, (key) => [packFor(packs, column, key).pack.at(key)])
  // Frees what was written.
  const rows = [...packs.values()]
  packs.clear()
  while (rows.length > 0) await mergePacks(transaction, column, rows.splice(0, valuesAtOnce))
}

interface PackRow {
  readonly value: string
  readonly pack: Pack
}

function packFor(
  packs: Map<string, PackRow>,
  column: DimensionName,
  { hour, values }: Parameters<Parameters<typeof readBatch>[1]>[0],
): PackRow {
  const day = hour - (hour % spans.day)
  const value = values[column]
  const id = `${day}\0${value}`
  const known = packs.get(id)
  if (known) return known
  const created = { value, pack: new Pack(column, day) }
  packs.set(id, created)
  return created
}

/** Adds the stored packs, and writes the sums of both. */
async function mergePacks(transaction: Transaction, column: DimensionName, rows: readonly PackRow[]): Promise<void> {
  const number = packOf(column)
  const there = await transaction
    .selectFrom('usage_packs')
    .select(['value', 'day', 'records'])
    .where('pack', '=', number)
    .where('value', 'in', [...new Set(rows.map(({ value }) => value))])
    .where('day', 'in', [...new Set(rows.map(({ pack }) => pack.day))])
    .execute()
  const byKey = new Map(there.map(({ value, day, records }) => [`${day}\0${value}`, records]))
  const merged = rows.map(({ value, pack }) => {
    const records = byKey.get(`${pack.day}\0${value}`)
    if (records) pack.add(records)
    return { pack: number, value, day: pack.day, records: pack.bytes() }
  })
  await transaction
    .insertInto('usage_packs')
    .values(merged)
    .onConflict((conflict) =>
      conflict.columns(['pack', 'value', 'day']).doUpdateSet((eb) => ({ records: eb.ref('excluded.records') })),
    )
    .execute()
}

/** An arbitrary number that no other lock uses. */
const lockNumber = 7_065_002

/** Keeps other transactions from moving measures into packs until this one ends. */
async function lockMeasureRollup(transaction: Transaction, kind: DatabaseKind): Promise<void> {
  if (kind === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(lockNumber)})`.execute(transaction)
}
