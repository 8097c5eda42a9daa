import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { Database as SqliteFile } from 'bun:sqlite'
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'

import { systemClock } from '../../platform/time/clock'
import { eachDatabase, emptyPostgres, migratedPostgres } from '../../../test/databases'
import { aCharge, aToken, aUser } from '../../../test/ledger'
import { createWorld } from '../../../test/world'
import { lockFolder } from '../../platform/store/data-folder'
import { migrate } from '../../platform/store/migrate'
import { openPostgres } from '../../platform/store/postgres'
import { runCommand } from './run-command'

setDefaultTimeout(120_000)

const kills = 2

let folder: string
let server: Awaited<ReturnType<typeof emptyPostgres>>
const at = (...names: string[]) => join(folder, ...names)

async function run(environment: Record<string, string>, ...words: string[]) {
  const lines: string[] = []
  const code = await runCommand(words, { environment, print: (line) => lines.push(line) })
  return { code, text: lines.join('\n') }
}

let filled: Promise<Uint8Array> | undefined

/** Fills the data folder. */
const fill = async () => void (await Bun.write(at('tollgate.sqlite'), await (filled ??= makeFilled())))

/** Resolves with a database: a user who has paid for calls, rows of every odd kind, and ids that were given out and are gone. */
async function makeFilled(): Promise<Uint8Array> {
  await using world = await createWorld()
  const { database, ledger } = world.ctx
  const { query } = database
  const userId = await aUser(database, 1_000_000)
  const tokenId = await aToken(database, userId, 900_000)
  for (let call = 0; call < 603; call += 1) {
    const reservation = await ledger.reserve(`call-${call}`, { userId, tokenId, isTokenLimited: true }, 100)
    await ledger.charge(
      reservation,
      aCharge(7, { createdAt: systemClock.seconds(), userId, content: '\u4f60\0\u{1f600}"\\' }),
    )
  }
  await ledger.waitUntilApplied()
  const gone = await aUser(database, 5)
  await query.deleteFrom('users').where('id', '=', gone).execute()
  await query.deleteFrom('credits').where('user_id', '=', gone).execute()
  // It is stopped.
  await query.deleteFrom('workers').execute()
  const copy = at('copy.sqlite')
  await sql`vacuum into ${copy}`.execute(query)
  const bytes = await Bun.file(copy).bytes()
  rmSync(copy)
  return bytes
}

/** Every row of every table of a SQLite file, without what the move itself writes. */
function rowsOf(path: string) {
  const file = new SqliteFile(path)
  const tables = file
    .query<{ name: string }, []>(
      "select name from sqlite_master where type = 'table' and name not like 'kysely%' order by name",
    )
    .all()
  const rows = tables.map(({ name }) => {
    const all = file
      .query<object, []>(`select * from "${name}"`)
      .all()
      .map((row) => JSON.stringify(row))
    return [name, all.filter((row) => !row.includes('system.move') && !row.includes('"name":"audit_log"')).sort()]
  })
  file.close()
  return Object.fromEntries(rows) as Record<string, string[]>
}

const withoutSequences = (rows: Record<string, string[]>): Record<string, string[]> => ({
  ...rows,
  sqlite_sequence: [],
})

describe.if(eachDatabase.includes('postgres'))('move', () => {
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-move-'))
    server = await emptyPostgres()
  })
  afterEach(async () => {
    await server.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('copies a gateway to PostgreSQL and back: every row, the ids that come next, and books that add up', async () => {
    await fill()
    const before = rowsOf(at('tollgate.sqlite'))
    const environment = { DATA_DIR: folder, DATABASE_URL: server.url }
    expect(await run(environment, 'move', 'to-postgres')).toMatchObject({
      code: 0,
      text: expect.stringContaining('charges: 603'),
    })
    expect(existsSync(at('tollgate.sqlite'))).toBe(false)
    expect(await run(environment, 'reconcile')).toMatchObject({
      code: 0,
      text: expect.stringContaining('603 charges'),
    })
    const database = openPostgres(server.url, { connections: 1 })
    const last = JSON.parse(before['users']?.at(-1) ?? '{}') as { id: number }
    const next = await aUser(database, 1)
    expect(next).toBe(last.id + 2)
    await database.query.deleteFrom('users').where('id', '=', next).execute()
    await database.query.deleteFrom('credits').where('user_id', '=', next).execute()
    await database.close()
    expect(await run(environment, 'move', 'to-sqlite')).toMatchObject({ code: 0 })
    const after = rowsOf(at('tollgate.sqlite'))
    expect(withoutSequences(after)).toEqual(
      JSON.parse(JSON.stringify(withoutSequences(before)).replaceAll('\\\\u0000', '\uFFFD')) as Record<
        string,
        string[]
      >,
    )
    expect(await run({ DATA_DIR: folder }, 'reconcile')).toMatchObject({ code: 0 })
  })

  test('refuses a database that is used, a running gateway, and a file that would be replaced', async () => {
    await fill()
    const environment = { DATA_DIR: folder, DATABASE_URL: server.url }
    expect(await run({ DATA_DIR: folder }, 'move', 'to-postgres')).toEqual({
      code: 1,
      text: 'Set DATABASE_URL to the PostgreSQL.',
    })
    expect(await run(environment, 'move', 'elsewhere')).toMatchObject({ code: 2 })
    expect(await run(environment, 'move', 'to-sqlite')).toMatchObject({
      code: 1,
      text: expect.stringContaining('already'),
    })
    {
      using _lock = lockFolder({ path: folder })
      expect(await run(environment, 'move', 'to-postgres')).toMatchObject({
        code: 1,
        text: expect.stringContaining('Another gateway runs'),
      })
    }
    expect(await run(environment, 'move', 'to-postgres')).toMatchObject({ code: 0 })
    renameSync(at('tollgate.sqlite.moved'), at('tollgate.sqlite'))
    expect(await run(environment, 'move', 'to-postgres')).toMatchObject({
      code: 1,
      text: expect.stringContaining('has users already'),
    })
    const database = openPostgres(server.url, { connections: 1 })
    const heartbeat = systemClock.seconds()
    await database.query
      .insertInto('workers')
      .values({ id: 'w', node_id: 'other-node', started_at: heartbeat, heartbeat_at: heartbeat })
      .execute()
    await database.close()
    rmSync(at('tollgate.sqlite'))
    expect(await run(environment, 'move', 'to-sqlite')).toMatchObject({
      code: 1,
      text: expect.stringContaining('other-node'),
    })
    expect(existsSync(at('tollgate.sqlite'))).toBe(false)
  })

  test('refuses the database of a running gateway that is not set up', async () => {
    await fill()
    const database = openPostgres(server.url, { connections: 1 })
    await migrate(database)
    const heartbeat = systemClock.seconds()
    const worker = { id: 'w', node_id: 'empty-node', started_at: heartbeat, heartbeat_at: heartbeat }
    await database.query.insertInto('workers').values(worker).execute()
    await database.close()
    expect(await run({ DATA_DIR: folder, DATABASE_URL: server.url }, 'move', 'to-postgres')).toMatchObject({
      code: 1,
      text: expect.stringContaining('empty-node'),
    })
    expect(existsSync(at('tollgate.sqlite'))).toBe(true)
  })

  test('what cannot be copied stops a move, no gateway starts on what is there by then, and the repetition copies the file as it is now', async () => {
    await fill()
    const environment = { DATA_DIR: folder, DATABASE_URL: server.url }
    const update = (statement: string) => {
      const file = new SqliteFile(at('tollgate.sqlite'))
      file.run(statement)
      file.close()
    }
    update("update users set quota = 'not a number'")
    const refused = run(environment, 'move', 'to-postgres').then(
      () => false,
      () => true,
    )
    expect(await refused).toBe(true)
    expect(existsSync(at('tollgate.sqlite'))).toBe(true)
    const database = openPostgres(server.url, { connections: 1 })
    expect(migrate(database)).rejects.toThrow('A move into this database was interrupted')
    update("update users set quota = 1, username = 'as it is now'")
    expect(await run(environment, 'move', 'to-postgres')).toMatchObject({
      code: 0,
      text: expect.stringContaining('it begins anew'),
    })
    const { username } = await database.query.selectFrom('users').select('username').executeTakeFirstOrThrow()
    expect(username).toBe('as it is now')
    expect(await indexesOf(database)).toEqual(await indexesOfNew())
    await database.close()
  })

  test.each([
    ['to-postgres', 1],
    ['to-sqlite', 4],
  ] as const)('a move %s that is killed again and again at random arrives whole (seed %i)', async (direction, seed) => {
    await fill()
    const before = rowsOf(at('tollgate.sqlite'))
    const environment = { DATA_DIR: folder, DATABASE_URL: server.url }
    if (direction === 'to-sqlite') await run(environment, 'move', 'to-postgres')
    let random = seed
    const next = () => (random = (random * 48_271) % 2_147_483_647) / 2_147_483_647
    for (let kill = 0; kill < kills; kill += 1) {
      // In the middle of the statement that comes after some rows more.
      const rows = Math.floor(next() * 500)
      const child = Bun.spawn(
        [process.execPath, join(import.meta.dir, '../../../test/killed-move.ts'), direction, String(rows)],
        {
          env: { ...process.env, ...environment },
          stderr: 'inherit',
        },
      )
      const lines = await new Response(child.stdout).text()
      await child.exited
      expect([rows, child.signalCode, lines.includes('Done.')]).toEqual([rows, 'SIGKILL', false])
    }
    expect(await run(environment, 'move', direction)).toMatchObject({
      code: 0,
      text: expect.stringContaining('Done.'),
    })
    const isBack = direction === 'to-sqlite'
    expect(isBack ? null : await indexesAt(server.url)).toEqual(isBack ? null : await indexesOfNew())
    expect(isBack ? { code: 0 } : await run(environment, 'move', 'to-sqlite')).toMatchObject({ code: 0 })
    const after = rowsOf(at('tollgate.sqlite'))
    expect(withoutSequences(after)).toEqual(
      JSON.parse(JSON.stringify(withoutSequences(before)).replaceAll('\\\\u0000', '\uFFFD')) as Record<
        string,
        string[]
      >,
    )
    expect(await run({ DATA_DIR: folder }, 'reconcile')).toMatchObject({ code: 0 })
  })

  /** The indexes of a database in their order, without the partitions of months, which differ by the time. */
  async function indexesOf({ query }: ReturnType<typeof openPostgres>): Promise<string[]> {
    const { rows } = await sql<{ text: string }>`
      select indexdef as text from pg_indexes
      where schemaname = current_schema() and tablename !~ '^logs_.*\\d' order by indexdef`.execute(query)
    return rows.map(({ text }) => text.replaceAll(/logs_rest_\w+_idx|logs_\w+_rest/g, 'of-rest')).toSorted()
  }

  async function indexesAt(url: string): Promise<string[]> {
    const database = openPostgres(url, { connections: 1 })
    try {
      return await indexesOf(database)
    } finally {
      await database.close()
    }
  }

  async function indexesOfNew(): Promise<string[]> {
    const postgres = await migratedPostgres()
    const indexes = await indexesAt(postgres.url)
    await postgres.drop()
    return indexes
  }
})
