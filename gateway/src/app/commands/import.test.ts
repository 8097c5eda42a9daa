import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'

import { eachDatabase, emptyPostgres } from '../../../test/databases'
import { createSampleFile } from '../../../test/sample-sites/statements'
import { veloeraSite } from '../../../test/sample-sites/veloera'
import { newApiSite } from '../../../test/sample-sites/new-api'
import { lockFolder, pathsIn } from '../../platform/store/data-folder'
import type { Queries } from '../../platform/store/database'
import { openDatabase } from '../../platform/store/open-database'
import { runCommand } from './run-command'

setDefaultTimeout(60_000)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-import-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const at = (...names: string[]) => join(folder, ...names)

async function run(environment: Record<string, string>, ...words: string[]) {
  const lines: string[] = []
  const code = await runCommand(words, { environment, print: (line) => lines.push(line) })
  return { code, text: lines.join('\n') }
}

/** Counts the log rows of months without a partition. */
async function rowsOfRest(query: Queries) {
  const { rows } = await sql<{ count: number }>`select count(*) as count from logs_rest`.execute(query)
  return rows[0]?.count
}

/** Counts rows of the gateway. */
async function countsOf(environment: Record<string, string>) {
  const database = await openDatabase(
    { databaseUrl: environment['DATABASE_URL'] ?? '', durability: 'process' },
    pathsIn(at('data')).sqlitePath,
  )
  const count = async (table: 'users' | 'credits' | 'tokens' | 'logs' | 'audit_log') => {
    const { rows } = await database.query
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
    return rows
  }
  const counts = {
    users: await count('users'),
    credits: await count('credits'),
    tokens: await count('tokens'),
    logs: await count('logs'),
    acts: await count('audit_log'),
    rest: database.kind === 'postgres' ? await rowsOfRest(database.query) : 0,
  }
  await database.close()
  return counts
}

describe.each(eachDatabase)('import into an empty gateway (%s)', (kind) => {
  test('an import is tried first, done once, and repeated without doing anything twice', async () => {
    const server = kind === 'postgres' ? await emptyPostgres() : null
    const environment = { DATA_DIR: at('data'), ...(server && { DATABASE_URL: server.url }) }
    try {
      createSampleFile(veloeraSite, at('old.db'))
      const trial = await run(environment, 'import', at('old.db'))
      expect(trial.code).toBe(0)
      for (const part of ['This was a trial: nothing was written.', 'thief #4: -12345'])
        expect(trial.text).toContain(part)
      expect(existsSync(at('data'))).toBe(false)

      const done = await run(environment, 'import', at('old.db'), '--write', '--logs-since', '2025-07-08')
      expect(done.code).toBe(0)
      for (const part of ['quota of users: source 100987685, here 100987685', 'All sums are equal.'])
        expect(done.text).toContain(part)
      expect(await run(environment, 'reconcile')).toMatchObject({ code: 0 })
      const counts = await countsOf(environment)
      expect(counts).toEqual({ users: 4, credits: 5, tokens: 2, logs: 5, acts: 1, rest: 0 })

      const again = await run(environment, 'import', at('old.db'), '--write', '--logs')
      expect(again).toMatchObject({ code: 0, text: expect.stringContaining('are not taken again') })
      expect(await countsOf(environment)).toEqual(counts)

      createSampleFile(newApiSite, at('other.db'))
      expect(await run(environment, 'import', at('other.db'), '--write')).toEqual({
        code: 1,
        text: expect.stringContaining('This gateway was imported from another site (veloera).'),
      })
      expect(await countsOf(environment)).toEqual(counts)
    } finally {
      await server?.drop()
    }
  })
})

test.each(eachDatabase)('an import that is killed again and again arrives once (%s)', async (kind) => {
  const server = kind === 'postgres' ? await emptyPostgres() : null
  const environment = { DATA_DIR: at('data'), ...(server && { DATABASE_URL: server.url }) }
  try {
    createSampleFile(veloeraSite, at('old.db'))
    const words = ['import', at('old.db'), '--write'] as const
    const dieAfter = async (statements: number, ...more: string[]) => {
      const program = join(import.meta.dir, '../../../test/killed-command.ts')
      const child = Bun.spawn([process.execPath, program, String(statements), ...words, ...more], {
        env: { ...process.env, ...environment },
        stdout: 'ignore',
        stderr: 'inherit',
      })
      await child.exited
      return child.signalCode
    }
    expect(await dieAfter(600)).toBe('SIGKILL')
    expect(await run(environment, ...words)).toMatchObject({ code: 0 })
    expect(await dieAfter(40, '--logs')).toBe('SIGKILL')
    expect(await run(environment, ...words, '--logs')).toMatchObject({ code: 0 })
    expect(await run(environment, 'reconcile')).toMatchObject({ code: 0 })
    expect(await countsOf(environment)).toEqual({ users: 4, credits: 5, tokens: 2, logs: 5, acts: 1, rest: 0 })
  } finally {
    await server?.drop()
  }
})

describe('what import refuses', () => {
  test('a gateway that has users', async () => {
    createSampleFile(veloeraSite, at('old.db'))
    const environment = { DATA_DIR: at('data') }
    await run(environment, 'import', at('old.db'), '--write')
    const database = await openDatabase({ databaseUrl: '', durability: 'process' }, pathsIn(at('data')).sqlitePath)
    await database.query.deleteFrom('site_notes').execute()
    await database.close()
    expect(await run(environment, 'import', at('old.db'), '--write')).toEqual({
      code: 1,
      text: expect.stringContaining('This gateway has users already'),
    })
  })

  test('a gateway that runs, a source of something else, and other words', async () => {
    createSampleFile(veloeraSite, at('old.db'))
    createSampleFile({ users: { columns: { id: 'id' }, rows: [] } }, at('none.db'))
    await run({ DATA_DIR: at('data') }, 'import', at('none.db'), '--write')
    expect(existsSync(at('data'))).toBe(false)
    const environment = { DATA_DIR: at('running') }
    await run(environment, 'import', at('old.db'), '--write')
    using _lock = lockFolder({ path: at('running') })
    rmSync(pathsIn(at('running')).sqlitePath)
    expect(await run(environment, 'import', at('old.db'), '--write')).toMatchObject({
      code: 1,
      text: expect.stringContaining('Another gateway runs on the data folder'),
    })
    expect((await run({}, 'import')).code).toBe(2)
    expect((await run({}, 'import', at('old.db'), '--everything')).code).toBe(2)
    expect((await run({}, 'import', at('old.db'), '--logs-since', 'yesterday')).code).toBe(2)
  })
})
