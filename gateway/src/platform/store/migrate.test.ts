import { expect, test } from 'bun:test'

import { sql } from 'kysely'

import { eachDatabase, emptyDatabase, onBothDatabases, type TestDatabase } from '../../../test/databases'
import { StartError } from '../config/start-error'
import { openPostgres } from './postgres'
import { incompatible, isOneWay, migrate, schemaState } from './migrate'

/** Leaves the list of steps as a later release would. */
const aLaterStep = ({ database }: TestDatabase, name: string) =>
  sql`insert into kysely_migration (name, timestamp) values (${name}, '2099-01-01T00:00:00.000Z')`.execute(
    database.query,
  )

onBothDatabases('migrate', (world) => {
  test('migrating a second time changes nothing', async () => {
    await migrate(world().database)
    const count = await world()
      .database.query.selectFrom('users')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    expect(count.n).toBe(0)
  })

  test('money columns keep 2^53 - 1 as a number', async () => {
    const { query } = world().database
    await query
      .insertInto('credits')
      .values({ id: 'x', user_id: 1, kind: 'admin', amount: Number.MAX_SAFE_INTEGER, created_at: 1, detail: '' })
      .execute()
    const row = await query.selectFrom('credits').select('amount').executeTakeFirstOrThrow()
    expect(row.amount).toBe(Number.MAX_SAFE_INTEGER)
    const sum = await query
      .selectFrom('credits')
      .select((eb) => eb.fn.sum<number>('amount').as('s'))
      .executeTakeFirstOrThrow()
    expect(sum.s).toBe(Number.MAX_SAFE_INTEGER)
  })

  test('what a later release added is kept, however often this one starts', async () => {
    await aLaterStep(world(), '9001-future')
    await aLaterStep(world(), '9002-drop-what-few-know.needs-0001')
    for (let start = 0; start < 2; start += 1) await migrate(world().database)
    const state = await schemaState(world().database)
    expect(state).toEqual({
      isEmpty: false,
      earlier: [],
      latest: 9002,
      missing: [],
      unknown: ['9001-future', '9002-drop-what-few-know.needs-0001'],
    })
    expect(incompatible(state.unknown)).toEqual([])
  })

  test.each([
    ['a new database', { isEmpty: true, latest: 0, missing: ['0061-schema.needs-0061'] }, false],
    ['a start that makes no step', { isEmpty: false, latest: 40, missing: [] }, false],
    ['steps that only add', { isEmpty: false, latest: 40, missing: ['0041-add', '0042-add'] }, false],
    [
      'a step that removes what is no longer used',
      { isEmpty: false, latest: 40, missing: ['0041-drop.needs-0040'] },
      false,
    ],
    [
      'a step that removes what is used',
      { isEmpty: false, latest: 40, missing: ['0041-stop', '0042-drop.needs-0041'] },
      true,
    ],
    [
      'a database of the builds before the first release',
      { isEmpty: false, latest: 60, missing: ['0061-schema.needs-0061'] },
      true,
    ],
  ])('whether the earlier release can start again is known before the steps are made: %s', (_case, state, expected) => {
    expect(isOneWay({ unknown: [], earlier: [], ...state })).toBe(expected)
  })

  test('a later step that needs no more than the latest step of this release is worked with', async () => {
    const appliedSteps = await sql<{ name: string }>`select name from kysely_migration where name < '9000'`.execute(
      world().database.query,
    )
    const latest = Math.max(...appliedSteps.rows.map(({ name }) => Number(name.slice(0, 4))))
    const needing = (step: number) => `9001-drop.needs-${String(step).padStart(4, '0')}`
    expect(incompatible([needing(latest - 1), needing(latest), '9002-add'])).toEqual([])
    expect(incompatible([needing(latest), needing(latest + 1)])).toEqual([needing(latest + 1)])
  })

  test('a schema that this release cannot work with is refused in a sentence', async () => {
    await aLaterStep(world(), '9003-drop-what-this-uses.needs-9000')
    const refusal = await migrate(world().database).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(StartError)
    expect(String(refusal)).toContain('later release of Tollgate')
    expect(String(refusal)).toContain('9003-drop-what-this-uses.needs-9000')
  })
})

test.if(eachDatabase.includes('postgres'))(
  'a PostgreSQL user who may not create tables is told so in a sentence',
  async () => {
    const world = await emptyDatabase('postgres')
    const { query } = world.database
    const user = `u_${crypto.randomUUID().replaceAll('-', '')}`
    const name = sql.ref(user)
    await sql`create role ${name} login`.execute(query)
    await sql`revoke create on schema public from public`.execute(query)
    const url = new URL(world.location)
    url.username = user
    const theirs = openPostgres(url.href)
    try {
      const refusal = await migrate(theirs).catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(StartError)
      expect(String(refusal)).toContain('may not change the schema: permission denied')
    } finally {
      await theirs.close()
      await sql`drop role ${name}`.execute(query)
      await world.drop()
    }
  },
)
