import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { sql } from 'kysely'

import { eachDatabase, emptyDatabase, freshDatabase, type TestDatabase } from '../../../test/databases'
import { makeEarlierSteps } from '../../../test/earlier-steps'
import { eventually } from '../../../test/eventually'
import { interruptStarts } from '../../../test/interrupted-starts'
import { StartError } from '../config/start-error'
import { tooOldSentence } from './earlier-builds'
import { migrate, schemaState } from './migrate'
import { openPostgres } from './postgres'

setDefaultTimeout(120_000)

/** Everything that a schema consists of, whatever the order of its columns. */
const parts = {
  sqlite: sql<{ part: string }>`
    select 'table ' || name || ' ' || wr || ' ' || strict as part from pragma_table_list where type = 'table' and schema = 'main'
    union all
    select concat_ws(' ', 'column', t.name, c.name, lower(c.type), c."notnull", c.dflt_value, c.pk, c.hidden)
      from sqlite_master t, pragma_table_xinfo(t.name) c where t.type = 'table'
    union all
    select concat_ws(' ', 'index', t.name, i."unique", i.origin, i.partial,
        (select group_concat(concat_ws(' ', name, "desc", coll, key)) from pragma_index_xinfo(i.name)))
      from sqlite_master t, pragma_index_list(t.name) i where t.type = 'table'
    union all
    select sql from sqlite_master where type in ('index', 'trigger', 'view') and sql is not null`,
  postgres: sql<{ part: string }>`
    with relations as (select * from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r')
    select concat_ws(' ', 'table', r.relname, r.reloptions, t.reloptions) as part
      from relations r left join pg_class t on t.oid = r.reltoastrelid
    union all
    select concat_ws(' ', 'column', r.relname, attname, format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated,
        attstorage, pg_get_expr(adbin, adrelid))
      from pg_attribute a join relations r on r.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attnum > 0 and not attisdropped
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all
    select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select concat_ws(' ', pg_get_triggerdef(oid), tgenabled) from pg_trigger where not tgisinternal
    union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select concat_ws(' ', 'domain', typname, format_type(typbasetype, typtypmod), typnotnull)
      from pg_type where typnamespace = 'public'::regnamespace and typtype = 'd'
    union all select concat_ws(' ', 'sequence', sequencename, data_type, start_value, increment_by, cycle) from pg_sequences
    union all select concat_ws(' ', 'extension', extname) from pg_extension`,
}

async function schemaOf({ database }: TestDatabase): Promise<string[]> {
  const { rows } = await parts[database.kind].execute(database.query)
  return rows.map(({ part }) => part.replaceAll(/"(?!group")|(?<=group)"/g, '').replaceAll(/\s+/g, ' ')).sort()
}

const rowsOf = async ({ database }: TestDatabase, table: string) =>
  (await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(database.query)).rows

const filledTables = [
  'users',
  'identities',
  'tokens',
  'channels',
  'logs',
  'audit_log',
  'options',
  'sum_progress',
  'orders',
]

async function fillTables({ database }: TestDatabase): Promise<void> {
  for (const statement of [
    `insert into users (username, username_key, password_hash, aff_code, created_at, github_id, email, quota)
      values ('Ann', 'ann', 'x', 'a', 1, '7', 'Ann@site.example', 9007199254740991)`,
    "insert into identities (provider, subject, user_id, created_at) values ('github', '7', 1, 1)",
    "insert into tokens (user_id, key_hash, key_sealed, created_time, granted_quota) values (1, 'h', 's', 1, 5)",
    "insert into channels (name, key_sealed, created_time, balance, test_failure) values ('c', 's', 1, 1.5, 'f')",
    "insert into logs (request_id, created_at, type, other) values ('r', 1, 2, '{}')",
    "insert into audit_log (created_at, user_id, role, action) values (1, 1, 1, 'a')",
    "insert into options (key, value) values ('Notice', 'n')",
    'update sum_progress set until = 7200',
    `insert into orders (number, user_id, provider, merchant, method, amount, minor, currency, quota, status, created_at, expires_at)
      values ('1', 1, 'p', 'm', 'm', 1, 1, 'USD', 1, 'paid', 1, 2)`,
  ])
    await sql.raw(statement).execute(database.query)
}

for (const kind of eachDatabase) {
  describe(`databases of builds before the first release (${kind})`, () => {
    let world: TestDatabase
    beforeEach(async () => {
      world = await emptyDatabase(kind)
    })
    afterEach(() => world.drop())

    test('a database with all of their steps goes on with its rows and has the schema of a new one', async () => {
      await makeEarlierSteps(world.database)
      await fillTables(world)
      const before = await Promise.all(filledTables.map((table) => rowsOf(world, table)))
      const { latest, missing, unknown } = await schemaState(world.database)
      expect([latest, missing[0], unknown]).toEqual([60, '0061-schema.needs-0061', []])
      await migrate(world.database)
      const after = await Promise.all(filledTables.map((table) => rowsOf(world, table)))
      for (const row of before.flat())
        for (const column of ['github_id', 'oidc_id', 'wechat_id', 'telegram_id', 'linux_do_id']) delete row[column]
      // Later steps add columns.
      expect(after).toMatchObject(before)
      const lookAt = async (at: TestDatabase) => ({ steps: await schemaState(at.database), schema: await schemaOf(at) })
      const fresh = await freshDatabase(kind)
      try {
        expect(await lookAt(world)).toEqual(await lookAt(fresh))
      } finally {
        await fresh.drop()
      }
      await migrate(world.database)
    })

    test.each(['0001-foundation', '0058-addresses-without-credentials', '0059-unused-tables.needs-0059'])(
      'a database whose steps end with %s is refused in a sentence and left as it is',
      async (last) => {
        await makeEarlierSteps(world.database, last)
        const state = async () => [await schemaOf(world), await rowsOf(world, 'kysely_migration')]
        const before = await state()
        const refusal = await migrate(world.database).catch((error: unknown) => error)
        expect(refusal).toBeInstanceOf(StartError)
        expect(String(refusal)).toContain(tooOldSentence)
        expect(await state()).toEqual(before)
      },
    )

    test('a start that is interrupted is completed by the next one', async () => {
      await makeEarlierSteps(world.database)
      await fillTables(world)
      expect(await interruptStarts(world.database)).toBeGreaterThan(8)
      expect(await schemaState(world.database)).toMatchObject({ missing: [], earlier: [] })
      expect(await rowsOf(world, 'users')).toHaveLength(1)
    })
  })
}

/** Kysely's, which keeps the nodes of one database from making steps at the same time. */
const migrationLock = sql.lit('3853314791062309107')

test.if(eachDatabase.includes('postgres'))(
  'nodes that go on from an earlier build at the same time all start',
  async () => {
    const world = await emptyDatabase('postgres')
    const { query } = world.database
    await makeEarlierSteps(world.database)
    const nodes = [1, 2, 3].map(() => openPostgres(world.location, { connections: 2 }))
    try {
      const starts = await query.connection().execute(async (connection) => {
        await sql`select pg_advisory_lock(${migrationLock})`.execute(connection)
        const started = Promise.allSettled(nodes.map((node) => migrate(node)))
        const waiting = sql<{
          count: number
        }>`select count(*) as count from pg_locks where locktype = 'advisory' and not granted`
        await eventually(async () =>
          (await waiting.execute(connection)).rows[0]?.count === nodes.length ? true : null,
        )
        await sql`select pg_advisory_unlock(${migrationLock})`.execute(connection)
        return started
      })
      expect(starts.map(({ status }) => status)).toEqual(nodes.map(() => 'fulfilled'))
      expect((await schemaState(world.database)).earlier).toEqual([])
    } finally {
      for (const node of nodes) await node.close()
      await world.drop()
    }
  },
)
