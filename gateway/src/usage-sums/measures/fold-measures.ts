import type { Database, Transaction } from '../../store/database'
import { dimensionNames, spans, type DimensionName } from '../dimensions'
import { keepOtherMeasureFoldsOut } from '../lock'
import { readBatch } from './batch'
import { Pack, packOf } from './packs'

/** More batches than these are added before their hour is over: whoever reads the dashboard reads all that are left. */
const mostWaiting = 1000
/** Values asked about in one statement, and rows written by one. */
const valuesAtOnce = 200

/**
 * Moves the oldest batches of measures into the packs of their days, if their hours begin before `before` (seconds) or very many
 * are waiting. Batch and pack change in one transaction, so that each call is in exactly one of them. False: nothing was left to do.
 */
export const foldMeasures = (database: Database, before: number, most: number): Promise<boolean> =>
  database.query.transaction().execute(async (transaction) => {
    await keepOtherMeasureFoldsOut(transaction, database.kind)
    const batches = await batchesToFold(transaction, before, most)
    if (batches.length === 0) return false
    const packs = new Map<string, PackRow>()
    for (const { records } of batches) {
      readBatch(records, (key) => dimensionNames.map((column) => packFor(packs, column, key).pack.at(key)))
    }
    for (const column of dimensionNames) {
      const rows = [...packs.values()].filter(({ pack }) => pack.column === column)
      for (let first = 0; first < rows.length; first += valuesAtOnce) {
        await mergePacks(transaction, column, rows.slice(first, first + valuesAtOnce))
      }
    }
    const ids = batches.map(({ id }) => id)
    await transaction.deleteFrom('measure_batches').where('id', 'in', ids).execute()
    return true
  })

async function batchesToFold(transaction: Transaction, before: number, most: number) {
  const batches = transaction.selectFrom('measure_batches').select(['id', 'records']).orderBy('id')
  const over = await batches.where('hour', '<', before).limit(most).execute()
  if (over.length > 0) return over
  const { waiting } = await transaction
    .selectFrom('measure_batches')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .executeTakeFirstOrThrow()
  return waiting > mostWaiting ? batches.limit(most).execute() : []
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
  const id = `${column}\0${day}\0${value}`
  const known = packs.get(id)
  if (known) return known
  const made = { value, pack: new Pack(column, day) }
  packs.set(id, made)
  return made
}

/** Adds what is there already, and writes the sums of both. */
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
