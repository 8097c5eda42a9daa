import { describe, expect, test } from 'bun:test'

import { sql } from 'kysely'

import { eachDatabase, emptyPostgres } from '../../../test/databases'
import type { Database } from './database'
import { DatabaseUnavailableError } from './database-errors'
import { openPostgres } from './postgres'

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

async function onTwo(work: (one: Database, other: Database) => Promise<void>, statementTimeoutMs = 200): Promise<void> {
  const empty = await emptyPostgres()
  const one = openPostgres(empty.url, { connections: 3, statementTimeoutMs })
  const other = openPostgres(empty.url)
  try {
    await work(one, other)
  } finally {
    await one.close()
    await other.close()
    await empty.drop()
  }
}

describe.skipIf(!eachDatabase.includes('postgres'))('PostgreSQL that does not respond', () => {
  test('a statement that takes too long is given up, by the server, too', () =>
    onTwo(async (one, other) => {
      expect(await errorOf(sql`select pg_sleep(60)`.execute(one.query))).toBeInstanceOf(DatabaseUnavailableError)
      const running = () =>
        sql`select 1 from pg_stat_activity where datname = current_database() and query like '%pg_sleep(60)'
          and state = 'active' and pid <> pg_backend_pid()`.execute(other.query)
      while ((await running()).rows.length > 0) await Bun.sleep(10)
      expect((await sql`select 1 as one`.execute(one.query)).rows).toEqual([{ one: 1 }])
    }))

  test('statements that wait for a connection are counted', () =>
    onTwo(async (one) => {
      const sleeping = Array.from({ length: 5 }, () => sql`select pg_sleep(0.05)`.execute(one.query))
      while ((one.pool?.waiting ?? 0) < 2) await new Promise((resolve) => setImmediate(resolve))
      expect([one.pool?.inUse, one.pool?.waits]).toEqual([3, 2])
      await Promise.all(sleeping)
      expect([one.pool?.inUse, one.pool?.waiting, one.pool?.waits]).toEqual([0, 0, 2])
    }, 5000))

  test('after a lost connection no connection of that time is reused', () =>
    onTwo(async (one, other) => {
      const ids = () =>
        Promise.all(
          Array.from({ length: 3 }, async () => {
            const { rows } = await sql<{ id: number }>`select pg_backend_pid() as id, pg_sleep(0.02)`.execute(one.query)
            return rows[0]?.id ?? 0
          }),
        )
      const before = await ids()
      expect(new Set(before).size).toBe(3)
      const sleeping = errorOf(sql`select pg_sleep(60)`.execute(one.query))
      const sleeper = async () =>
        (
          await sql`select pg_terminate_backend(pid) from pg_stat_activity where query like 'select pg_sleep(60)%'
            and datname = current_database()`.execute(other.query)
        ).rows.length
      while ((await sleeper()) === 0) await Bun.sleep(5)
      expect(await sleeping).toBeInstanceOf(DatabaseUnavailableError)
      expect((await ids()).filter((id) => before.includes(id))).toEqual([])
    }, 50_000))

  test('an abandoned transaction does not lock others out', () =>
    onTwo(async (one, other) => {
      await sql`create table rows as select 1 as id`.execute(other.query)
      const locked = Promise.withResolvers<void>()
      const vanished = Promise.withResolvers<void>()
      const left = errorOf(
        one.query.transaction().execute(async (transaction) => {
          await sql`update rows set id = 2`.execute(transaction)
          locked.resolve()
          await vanished.promise
          await sql`update rows set id = 3`.execute(transaction)
        }),
      )
      await locked.promise
      await sql`update rows set id = 4`.execute(other.query)
      vanished.resolve()
      expect(await left).toBeInstanceOf(DatabaseUnavailableError)
      expect((await sql`select id from rows`.execute(other.query)).rows).toEqual([{ id: 4 }])
    }))

  test('an error of the statement itself is not a lost connection', () =>
    onTwo(async (one) => {
      const error = await errorOf(sql`select nothing`.execute(one.query))
      expect(error).not.toBeInstanceOf(DatabaseUnavailableError)
      expect(error).toMatchObject({ code: '42703' })
    }))
})
