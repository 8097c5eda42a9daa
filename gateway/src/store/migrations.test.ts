import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { sql, type TableMetadata } from 'kysely'

import { eachDatabase, emptyDatabase, type TestDatabase } from '../../test/databases'
import { faultyDatabase, LostConnection, type Fault } from '../../test/faulty-database'
import { migrate, migratorOf, schemaState } from './migrate'

setDefaultTimeout(120_000)

const tablesOf = ({ database }: TestDatabase) => database.query.introspection.getTables()

/** Returns what an earlier release would miss, or could not write any more. */
function brokenFor(before: readonly TableMetadata[], after: readonly TableMetadata[]): string[] {
  return before.flatMap((table) => {
    const now = after.find(({ name }) => name === table.name)
    if (!now) return [table.name]
    const known = new Map(table.columns.map((column) => [column.name, column]))
    const kept = new Map(now.columns.map((column) => [column.name, column]))
    const gone = table.columns.filter(({ name, dataType }) => kept.get(name)?.dataType !== dataType)
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

    test('steps only add, so that an earlier release running at the same time reads and writes as before', async () => {
      const migrator = migratorOf(world.database)
      let before = await tablesOf(world)
      for (;;) {
        const { error, results } = await migrator.migrateUp()
        expect(error).toBeUndefined()
        const [step] = results ?? []
        if (!step) break
        const after = await tablesOf(world)
        expect({ [step.migrationName]: brokenFor(before, after) }).toEqual({ [step.migrationName]: [] })
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
  })
}
