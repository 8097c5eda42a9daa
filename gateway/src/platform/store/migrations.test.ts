import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { sql, type TableMetadata } from 'kysely'

import { eachDatabase, emptyDatabase, type TestDatabase } from '../../../test/databases'
import { faultyDatabase, LostConnection, type Fault } from '../../../test/faulty-database'
import { migrate, migratorOf, schemaState } from './migrate'

setDefaultTimeout(120_000)

const tablesOf = ({ database }: TestDatabase) => database.query.introspection.getTables()

/** Returns what an earlier release would miss, or could not write any more. */
function brokenFor(before: readonly TableMetadata[], after: readonly TableMetadata[]): string[] {
  return before.flatMap((table) => {
    const now = after.find(({ name }) => name === table.name)
    if (!now) return [table.name]
    const known = new Map(table.columns.map((column) => [column.name, column]))
    const currentColumns = new Map(now.columns.map((column) => [column.name, column]))
    const gone = table.columns.filter(({ name, dataType }) => currentColumns.get(name)?.dataType !== dataType)
    const required = now.columns.filter(
      ({ name, isNullable, hasDefaultValue }) => !known.has(name) && !isNullable && !hasDefaultValue,
    )
    const stricter = now.columns.filter(({ name, isNullable }) => known.get(name)?.isNullable === true && !isNullable)
    return [...gone, ...required, ...stricter].map(({ name }) => `${table.name}.${name}`)
  })
}

for (const kind of eachDatabase) {
  describe(`the steps of the schema (${kind})`, () => {
    let world: TestDatabase
    beforeEach(async () => {
      world = await emptyDatabase(kind)
    })
    afterEach(() => world.drop())

    test('steps that name no oldest release only add, so that one running at the same time reads and writes as before', async () => {
      const migrator = migratorOf(world.database)
      let before = await tablesOf(world)
      for (;;) {
        const { error, results } = await migrator.migrateUp()
        expect(error).toBeUndefined()
        const [step] = results ?? []
        if (!step) break
        const after = await tablesOf(world)
        const broken = step.migrationName.includes('.needs-') ? [] : brokenFor(before, after)
        expect({ [step.migrationName]: broken }).toEqual({ [step.migrationName]: [] })
        before = after
      }
      expect(before.map(({ name }) => name)).toContain('hourly_sums')
    })

    test('steps that are interrupted at any statement are completed by the next start', async () => {
      // Each start goes further than the one before.
      const stride = kind === 'sqlite' ? 1 : 5
      let interruptions = 0
      for (let place = 0; ; place += stride) {
        let statements = 0
        const next = (): Fault => (statements++ === place ? 'refused' : 'none')
        const failure = await migrate(faultyDatabase(world.database, next)).then(
          () => null,
          (error: unknown) => (error instanceof Error ? (error.cause ?? error) : error),
        )
        if (failure === null) break
        expect(failure).toBeInstanceOf(LostConnection)
        interruptions += 1
      }
      expect(interruptions).toBeGreaterThan(10)
      expect((await schemaState(world.database)).missing).toEqual([])
      expect(await world.database.query.selectFrom('users').selectAll().execute()).toEqual([])
    })

    test('accounts at other providers are moved into rows, those of open accounts first', async () => {
      await migratorOf(world.database).migrateTo('0015-user-search')
      const user = (id: number, githubId: string | null, linuxDoId: string | null, deletedAt: number | null) =>
        sql`insert into users
          (id, username, username_key, password_hash, aff_code, created_at, github_id, linux_do_id, deleted_at) values
          (${id}, ${`user ${id}`}, ${`user ${id}`}, '', ${`code ${id}`}, 5, ${githubId}, ${linuxDoId}, ${deletedAt})`.execute(
          world.database.query,
        )
      await user(1, 'a', null, 9)
      await user(2, 'a', '', null)
      await user(3, 'b', '77', 9)
      await migrate(world.database)
      const moved = world.database.query.selectFrom('identities').selectAll().orderBy('provider').orderBy('subject')
      expect(await moved.execute()).toEqual([
        { provider: 'github', subject: 'a', user_id: 2, created_at: 5 },
        { provider: 'github', subject: 'b', user_id: 3, created_at: 5 },
        { provider: 'linuxdo', subject: '77', user_id: 3, created_at: 5 },
      ])
    })

    /** Inserts into `users` as it is between two steps. */
    const aUser = (id: number, username: string, setting = '{}') =>
      sql`insert into users (id, username, username_key, password_hash, aff_code, created_at, email, display_name, setting)
        values (${id}, ${username}, ${username.toLowerCase()}, '', ${`code ${id}`}, 5, ${`${username}@Site.example`},
        ${`Who is ${username}`}, ${setting})`.execute(world.database.query)

    test('users of an earlier release are found by their name, address and display name', async () => {
      await migratorOf(world.database).migrateTo('0014-token-rotation')
      await aUser(1, 'Ann')
      await migrate(world.database)
      const before = await sql<{ search_text: string }>`select search_text from users`.execute(world.database.query)
      expect(before.rows).toEqual([{ search_text: 'ann\u001fann@site.example\u001fwho is ann' }])
      await sql`update users set display_name = 'Eve'`.execute(world.database.query)
      const after = await sql<{ search_text: string }>`select search_text from users`.execute(world.database.query)
      expect(after.rows).toEqual([{ search_text: 'ann\u001fann@site.example\u001feve' }])
    })

    test('users who chose a threshold for their balance in an earlier release are warned by it', async () => {
      await migratorOf(world.database).migrateTo('0021-second-factors')
      const settings = ['{}', ...['100.5', '0', '"7"', '1e300'].map((value) => `{"quota_warning_threshold":${value}}`)]
      settings.push('{"quota_warning_threshold":5')
      for (const [at, setting] of settings.entries()) await aUser(at + 1, `user${at}`, setting)
      await migrate(world.database)
      const { rows } = await sql<{ id: number; warned_below: number | null }>`
        select id, warned_below from users where warned_below is not null`.execute(world.database.query)
      expect(rows).toEqual([{ id: 2, warned_below: 101 }])
    })

    test('sums of earlier releases are emptied and begun anew, but for the packs of measures', async () => {
      await migratorOf(world.database).migrateTo('0037-refunds-that-fail')
      const { query } = world.database
      const figures = sql`1, 0, 7, 1, 1, 1`
      const names = sql`count, errors, quota, prompt_tokens, completion_tokens, use_time`
      await sql`insert into usage_sums (dimension, span, start, key, ${names}) values (1, 3600, 0, 'a', ${figures})`.execute(
        query,
      )
      await sql`insert into usage_pairs (pair, span, one, start, other, ${names})
        values (12, 86400, 'a', 0, 'b', ${figures})`.execute(query)
      for (const pack of [15, 199, 200, 201])
        await sql`insert into usage_packs (pack, value, day, records) values (${pack}, 'a', 0, ${Buffer.of(1)})`.execute(
          query,
        )
      await sql`update usage_folds set until = 7200`.execute(query)
      await migratorOf(world.database).migrateTo('0038-hourly-and-daily-sums')
      const rowsOf = async (table: string) => (await sql`select * from ${sql.table(table)}`.execute(query)).rows
      expect([await rowsOf('usage_sums'), await rowsOf('usage_pairs')]).toEqual([[], []])
      expect((await sql`select pack from usage_packs order by pack`.execute(query)).rows).toEqual([
        { pack: 200 },
        { pack: 201 },
      ])
      expect((await sql`select distinct until from usage_folds`.execute(query)).rows).toEqual([{ until: 0 }])
      expect((await sql`select * from sum_progress order by dimension`.execute(query)).rows).toEqual(
        [1, 2, 3, 4, 5].map((dimension) => ({ dimension, until: 0 })),
      )
    })

    test('tables that nothing reads are dropped, and sums beside a worker of an early release are made again', async () => {
      await migratorOf(world.database).migrateTo('0058-addresses-without-credentials')
      const { query } = world.database
      await sql`update sum_progress set until = 7200`.execute(query)
      await sql`insert into stale_hours (hour) values (3600)`.execute(query)
      await sql`insert into workers (id, node_id, started_at, heartbeat_at, adds_pairs) values ('w', 'n', 1, 1, 3)`.execute(
        query,
      )
      await migrate(world.database)
      const names = (await query.introspection.getTables()).map(({ name }) => name)
      expect(names.filter((name) => /^(?:abilities|usage_sums|usage_pairs|usage_folds)$/.test(name))).toEqual([])
      expect((await sql`select distinct until from sum_progress`.execute(query)).rows).toEqual([{ until: 0 }])
      expect((await sql`select * from stale_hours`.execute(query)).rows).toEqual([])
      expect(await schemaState(world.database)).toMatchObject({ missing: [], unknown: [] })
    })
  })
}
