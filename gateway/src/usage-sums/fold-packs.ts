import { sql } from 'kysely'

import type { Database, Transaction } from '../store/database'
import type { Tables } from '../store/tables'
import { appendPacks } from './append-packs'
import { figures, spans } from './dimensions'
import { nextHour } from './fold'
import { isSomebodyUnaware } from './folds'
import { keepChargesOut } from './lock'
import type { UserPack } from './user-packs'
import { packRecords, type UserRecord } from './user-records'

/** Written by one statement. */
const rowsAtOnce = 500

/**
 * Add the oldest hour, or third of a day, that is not yet among the packs of a column, if its hours all begin before `before` (seconds).
 * False: there is none. What is charged to that time later adds itself.
 */
export const foldPack = (database: Database, pack: UserPack, before: number): Promise<boolean> =>
  database.query.transaction().execute(async (transaction) => {
    await keepChargesOut(transaction, database.kind)
    const hour = await nextHour(transaction, pack.number)
    if (hour === undefined) return false
    const start = hour - (hour % pack.span)
    const until = start + pack.span
    if (until - spans.hour >= before) return false
    // Whoever does not add late charges may have come meanwhile.
    if (await isSomebodyUnaware(transaction, pack.number)) return false
    const rows = packsOf(pack, start, await usersOf(transaction, pack, start))
    for (let first = 0; first < rows.length; first += rowsAtOnce) {
      await appendPacks(transaction, rows.slice(first, first + rowsAtOnce)).execute()
    }
    await transaction.updateTable('usage_folds').set({ until }).where('dimension', '=', pack.number).execute()
    return true
  })

const usersOf = (transaction: Transaction, { column, span }: UserPack, start: number) =>
  transaction
    .selectFrom('rollups')
    .where('hour', '>=', start)
    .where('hour', '<', start + span)
    .select((eb) => [
      sql<string>`cast(${sql.ref(column)} as text)`.as('value'),
      'user_id',
      ...figures.map((name) => eb.fn.sum<number>(name).as(name)),
    ])
    .groupBy([column, 'user_id'])
    .orderBy(column)
    .execute()

type UserRow = Awaited<ReturnType<typeof usersOf>>[number]

function packsOf({ number: pack }: UserPack, start: number, rows: readonly UserRow[]): Tables['usage_packs'][] {
  const day = start - (start % spans.day)
  const packs = new Map<string, UserRecord[]>()
  for (const { value, user_id: userId, ...sums } of rows) {
    const record = { start, userId, amounts: figures.map((name) => sums[name]) }
    const known = packs.get(value)
    if (known) known.push(record)
    else packs.set(value, [record])
  }
  return [...packs].map(([value, records]) => ({ pack, value, day, records: packRecords(records) }))
}
