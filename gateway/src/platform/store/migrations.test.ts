import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { sql, type TableMetadata } from 'kysely'

import { eachDatabase, emptyDatabase, type TestDatabase } from '../../../test/databases'
import { interruptStarts } from '../../../test/interrupted-starts'
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

    test('steps that are interrupted are completed by the next start', async () => {
      expect(await interruptStarts(world.database)).toBeGreaterThan(8)
      expect((await schemaState(world.database)).missing).toEqual([])
      expect(await world.database.query.selectFrom('users').selectAll().execute()).toEqual([])
    })

    test('the rule for steps names tables, columns and new requirements that an earlier release would fail on', async () => {
      await migrate(world.database)
      const before = await tablesOf(world)
      for (const statement of [
        'drop table newcomers',
        'alter table mails drop column failure',
        'alter table logs add column later text',
        'drop table site_notes',
        'create table site_notes (name text primary key, value text not null, updated_at bigint not null, later text not null)',
      ])
        await sql.raw(statement).execute(world.database.query)
      expect(brokenFor(before, await tablesOf(world)).sort()).toEqual([
        'mails.failure',
        'newcomers',
        'site_notes.later',
      ])
    })
  })
}
