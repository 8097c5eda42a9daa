import { sql } from 'kysely'

import type { Transaction } from '../store/database'
import type { Tables } from '../store/tables'
import { appendPacks } from './append-packs'
import { figures, spans } from './dimensions'
import type { Fold } from './fold'
import type { UserPack } from './user-packs'
import { packRecords, type UserRecord } from './user-records'

/** Written by one statement. */
const rowsAtOnce = 500

/** By user within the values of a column, packed. */
export const packFold = (pack: UserPack): Fold => ({
  number: pack.number,
  step: pack.span,
  async add(transaction, start) {
    const rows = packsOf(pack, start, await usersOf(transaction, pack, start))
    for (let first = 0; first < rows.length; first += rowsAtOnce) {
      await appendPacks(transaction, rows.slice(first, first + rowsAtOnce)).execute()
    }
  },
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
