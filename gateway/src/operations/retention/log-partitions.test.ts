import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { logType } from '@tollgate/contract'
import { sql } from 'kysely'

import { eachDatabase, emptyDatabase, freshDatabase, type TestDatabase } from '../../../test/databases'
import { noRests } from '../../../test/pace'
import { aLogRow } from '../../../test/rows'
import { migrate, migratorOf } from '../../platform/store/migrate'
import { dropMonths, logPartitions, partitionLog } from './log-partitions'
import { removeLogs } from './remove-logs'

setDefaultTimeout(60_000)

const at = (text: string) => Date.parse(`${text}Z`) / 1000
const now = at('2026-11-15T12:00:00')

test('SQLite has no partitions', async () => {
  const world = await freshDatabase('sqlite')
  await partitionLog(world.database, now)
  expect(await dropMonths(world.database, now, () => false)).toEqual({ count: 0, isDone: true })
  await world.drop()
})

describe.if(eachDatabase.includes('postgres'))('the log by months', () => {
  let world: TestDatabase
  const query = () => world.database.query
  const partitions = async () => (await logPartitions(query())).map(({ name }) => name)
  const insert = (...rows: Parameters<typeof aLogRow>[0][]) =>
    query()
      .insertInto('logs')
      .values(rows.map((row) => aLogRow(row)))
      .execute()
  const rowsOf = async (table: string) => {
    const { rows } = await sql<{ request_id: string }>`
      select request_id from ${sql.table(table)} order by created_at`.execute(query())
    return rows.map(({ request_id: id }) => id)
  }
  const fill = (count: number, from: string) =>
    sql`insert into logs (request_id, created_at) select 'old-' || i, ${at(from)} + i from generate_series(1, ${count}::int) i`.execute(
      query(),
    )
  afterEach(() => world.drop())

  describe('on a new site', () => {
    beforeEach(async () => {
      world = await freshDatabase('postgres')
    })

    test('a new site has partitions for this month and the next two, and rows go to theirs', async () => {
      await insert({ request_id: 'before', created_at: now - 1 }, { request_id: 'long-ago', created_at: 1 })
      await partitionLog(world.database, now)
      await partitionLog(world.database, now)
      expect(await partitions()).toEqual(['logs_2026_11', 'logs_2026_12', 'logs_2027_01'])
      await insert({ request_id: 'next', created_at: at('2026-12-01T00:00:00') })
      expect(await rowsOf('logs_2026_11')).toEqual(['before'])
      expect(await rowsOf('logs_2026_12')).toEqual(['next'])
      expect(await rowsOf('logs_rest')).toEqual(['long-ago'])
      await partitionLog(world.database, at('2026-12-03T00:00:00'))
      expect(await partitions()).toHaveLength(4)
    })

    test('the log has an index of each kind on every partition, and none twice', async () => {
      await partitionLog(world.database, now)
      const { rows } = await sql<{ table: string; count: number; invalid: number }>`
        select tablename as table, count(*) as count, count(*) filter (where not indisvalid) as invalid
        from pg_indexes join pg_index on indexrelid = indexname::regclass
        where tablename like 'logs%' group by tablename order by tablename`.execute(query())
      expect(rows).toEqual([
        { table: 'logs', count: 9, invalid: 0 },
        ...['logs_2026_11', 'logs_2026_12', 'logs_2027_01', 'logs_rest'].map((table) => ({
          table,
          count: 10,
          invalid: 0,
        })),
      ])
    })

    test('retention drops whole months with the rows of calls and failures, and deletes those of a part of a month', async () => {
      await partitionLog(world.database, now, at('2026-08-01T00:00:00'))
      const [august, september, october] = ['2026-08-09T00:00:00', '2026-09-09T00:00:00', '2026-10-09T00:00:00'].map(at)
      for (const type of Object.values(logType))
        await insert(
          { type, request_id: `august-${type}`, created_at: august },
          { type, request_id: `october-${type}`, created_at: october },
        )
      await insert({ request_id: 'september', created_at: september }, { request_id: 'late', created_at: now })
      const removal = { before: at('2026-10-20T00:00:00'), pace: noRests(), isOver: () => false }
      expect(await removeLogs(world.database, removal)).toEqual({ count: 5, isDone: true })
      expect(await partitions()).toEqual(['logs_2026_10', 'logs_2026_11', 'logs_2026_12', 'logs_2027_01'])
      const lasting = [1, 3, 4, 5]
      expect((await rowsOf('logs_rest')).toSorted()).toEqual(lasting.map((type) => `august-${type}`))
      expect((await rowsOf('logs_2026_10')).toSorted()).toEqual(lasting.map((type) => `october-${type}`))
      expect(await rowsOf('logs_2026_11')).toEqual(['late'])
    })

    test('a month that another connection reads is not waited for longer than a moment, and dropped later', async () => {
      await partitionLog(world.database, now, at('2026-10-01T00:00:00'))
      await insert({ type: logType.consumption, request_id: 'old', created_at: at('2026-10-09T00:00:00') })
      const drop = () => dropMonths(world.database, at('2026-11-01T00:00:00'), () => false)
      await query()
        .transaction()
        .execute(async (reader) => {
          await reader.selectFrom('logs').select('id').execute()
          expect(await drop()).toEqual({ count: 0, isDone: false })
        })
      expect(await drop()).toEqual({ count: 1, isDone: true })
      expect(await rowsOf('logs')).toEqual([])
    })
  })

  describe('on a site that is older', () => {
    beforeEach(async () => {
      world = await emptyDatabase('postgres')
      await migratorOf(world.database).migrateTo('0074-applied-objects')
    })

    test('an older site keeps the table of before as one partition, in which no row is written again, and goes on counting ids', async () => {
      await fill(10_001, '2026-11-01T00:00:00')
      const fileOf = async (table: string) => {
        const { rows } = await sql<{ file: number }>`select pg_relation_filenode(${table}) as file`.execute(query())
        return rows[0]?.file
      }
      const [table, index] = [await fileOf('logs'), await fileOf('logs_time')]
      await migrate(world.database)
      await insert({ request_id: 'after', created_at: now })
      await partitionLog(world.database, now)
      await partitionLog(world.database, now)
      expect(await partitions()).toEqual(['logs_until_2026_12', 'logs_2026_12', 'logs_2027_01'])
      expect([await fileOf('logs_until_2026_12'), await fileOf('logs_time_rest')]).toEqual([table, index])
      expect(await rowsOf('logs_until_2026_12')).toHaveLength(10_002)
      await insert({ request_id: 'next', created_at: at('2026-12-09T00:00:00') })
      expect(await rowsOf('logs_2026_12')).toEqual(['next'])
      const last = await query().selectFrom('logs').select('id').where('request_id', '=', 'next').executeTakeFirst()
      expect(last).toEqual({ id: 10_003 })
      // With its last row of before, the whole history is dropped.
      expect(await dropMonths(world.database, at('2026-12-01T00:00:00'), () => false)).toMatchObject({ isDone: true })
      expect(await partitions()).toEqual(['logs_2026_12', 'logs_2027_01'])
    })

    test('an older site is split at the month after the next where this one ends within a day', async () => {
      await fill(10_001, '2026-11-01T00:00:00')
      await migrate(world.database)
      await partitionLog(world.database, at('2026-11-30T13:00:00'))
      expect(await partitions()).toEqual(['logs_until_2027_01', 'logs_2027_01'])
    })

    test('many rows of old times that come later do not prevent the months to come', async () => {
      await migrate(world.database)
      await partitionLog(world.database, now)
      await fill(10_001, '2020-01-01T00:00:00')
      await partitionLog(world.database, at('2026-12-15T00:00:00'))
      expect((await partitions()).at(-1)).toBe('logs_2027_02')
      const { rows } =
        await sql`select conname from pg_constraint where contype = 'c' and conname like 'logs%'`.execute(query())
      expect(rows).toEqual([])
    })

    test('a check that an interrupted run has left is removed by the next', async () => {
      await migrate(world.database)
      await sql`alter table logs_rest add constraint logs_times check (created_at < 5) not valid`.execute(query())
      await partitionLog(world.database, now)
      await insert({ request_id: 'new', created_at: 9 })
      expect(await rowsOf('logs_rest')).toEqual(['new'])
    })
  })
})
