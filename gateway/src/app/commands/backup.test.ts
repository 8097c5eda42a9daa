import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { systemClock } from '../../platform/time/clock'
import { eachDatabase } from '../../../test/databases'
import { makeEarlierSteps } from '../../../test/earlier-steps'
import { aCharge, anEntry, aToken, aUser, booksOf } from '../../../test/ledger'
import { createWorld, type World } from '../../../test/world'
import { openJournal } from '../../billing/ledger/journal/journal'
import { journalPath } from '../../billing/ledger/journal/journal-files'
import { lockFolder, openDataFolder, pathsIn } from '../../platform/store/data-folder'
import { openSqlite } from '../../platform/store/database'
import { tooOldSentence } from '../../platform/store/earlier-builds'
import { recoverNode } from '../process/recover'
import { openDatabase } from '../../platform/store/open-database'
import { runCommand } from './run-command'

const program = join(import.meta.dir, '../../main.ts')

let folder: string
const at = (...names: string[]) => join(folder, ...names)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-backup-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function run(environment: Record<string, string>, ...words: string[]) {
  const lines: string[] = []
  const code = await runCommand(words, { environment, print: (line) => lines.push(line) })
  return { code, text: lines.join('\n') }
}

const environmentOf = ({ ctx: { config } }: World, dataDir: string = config.dataDir) => ({
  DATA_DIR: dataDir,
  ...(config.databaseUrl && { DATABASE_URL: config.databaseUrl }),
})

/** Charges one call after the other for a user with a key, until stopped. Resolves with the ids of those charged. */
function charging({ ctx }: World, userId: number, tokenId: number) {
  const charged: string[] = []
  const end = new AbortController()
  const work = (async () => {
    while (!end.signal.aborted) {
      const id = `call-${charged.length}`
      const reservation = await ctx.ledger.reserve(id, { userId, tokenId, isTokenLimited: true }, 100)
      await ctx.ledger.charge(reservation, aCharge(7, { createdAt: systemClock.seconds() }))
      charged.push(id)
      await new Promise(setImmediate)
    }
  })()
  return {
    charged,
    async stop() {
      end.abort()
      await work
    },
  }
}

describe('a backup of a gateway on SQLite', () => {
  test('a backup made while calls are charged restores to consistent balances, with every earlier charge', async () => {
    await using world = await createWorld()
    const userId = await aUser(world.ctx.database, 1_000_000_000)
    const calls = charging(world, userId, await aToken(world.ctx.database, userId, 900_000_000))
    while (calls.charged.length < 50) await new Promise(setImmediate)
    const before = [...calls.charged]
    const child = Bun.spawn([process.execPath, program, 'backup', at('saved')], {
      env: { ...environmentOf(world), PATH: process.env['PATH'] },
      stdout: 'pipe',
    })
    expect([await new Response(child.stdout).text(), await child.exited]).toEqual([expect.stringContaining('Saved'), 0])
    const atTheEnd = calls.charged.length
    await calls.stop()
    expect(atTheEnd).toBeGreaterThan(before.length)

    const restored = { DATA_DIR: at('restored') }
    expect((await run(restored, 'restore', at('saved'))).code).toBe(0)
    expect(await run(restored, 'reconcile')).toMatchObject({ code: 0 })
    const data = openDataFolder(restored.DATA_DIR)
    const database = await openDatabase({ databaseUrl: '', durability: 'process' }, data.sqlitePath)
    await recoverNode(database, data, () => [])
    const charges = await database.query.selectFrom('charges').select('request_id').execute()
    const books = await booksOf(database, userId)
    await database.close()
    expect(charges.map(({ request_id }) => request_id)).toEqual(expect.arrayContaining(before))
    expect(books).toMatchObject({ leased: 0, used: 7 * charges.length, free: 1_000_000_000 - 7 * charges.length })
    expect(await run(restored, 'reconcile')).toMatchObject({ code: 0 })
  })

  test('a backup of an idle gateway has every row unchanged, and the secrets too', async () => {
    await using world = await createWorld()
    const { database, seal, config } = world.ctx
    const userId = await aUser(database, 5000)
    const calls = charging(world, userId, await aToken(database, userId, 5000))
    while (calls.charged.length < 5) await new Promise(setImmediate)
    await calls.stop()
    // Leases that become idle during the backup would be returned between its copy and the rows that are read below.
    await world.ctx.ledger.close()
    expect((await run(environmentOf(world), 'backup', at('saved'))).code).toBe(0)
    expect((await run({ DATA_DIR: at('restored') }, 'restore', at('saved'))).code).toBe(0)
    const copy = await createWorldOn(at('restored'))
    for (const table of ['users', 'tokens', 'charges', 'rollups', 'leases', 'credits', 'logs', 'workers'] as const) {
      const rows = await database.query.selectFrom(table).selectAll().execute()
      expect(await copy.database.query.selectFrom(table).selectAll().execute()).toEqual(rows)
    }
    await copy.database.close()
    expect(await Bun.file(at('restored', 'secret-key')).text()).toBe(
      await Bun.file(pathsIn(config.dataDir).secretKeyPath).text(),
    )
    expect(seal.open(seal.seal('x'))).toBe('x')
    expect(statSync(at('saved')).mode & 0o777).toBe(0o700)
    for (const name of ['secret-key', 'tollgate.sqlite']) {
      expect(statSync(at('saved', name)).mode & 0o777).toBe(0o600)
      expect(statSync(at('restored', name)).mode & 0o777).toBe(0o600)
    }
  })
})

const createWorldOn = async (path: string) => ({
  database: await openDatabase({ databaseUrl: '', durability: 'process' }, pathsIn(path).sqlitePath),
})

for (const kind of eachDatabase) {
  test(`charges that wait in a journal are backed up and charged after the restore (${kind})`, async () => {
    await using world = await createWorld({ kind })
    const { database, config } = world.ctx
    const userId = await aUser(database, 5000)
    const journal = openJournal(journalPath(pathsIn(config.dataDir).journalFolder, 'gone'), 'process')
    const from = { userLease: 'gone', tokenLease: '' }
    const entry = anEntry({ userId, createdAt: systemClock.seconds() })
    journal.append([{ requestId: 'waiting', cost: 30, isLogged: true, ...from, entry }], Date.now())
    const saved = await run(environmentOf(world), 'backup', at('saved'))
    journal.close()
    expect(saved).toMatchObject({ code: 0 })
    expect(saved.text.includes('pg_dump')).toBe(kind === 'postgres')
    expect(existsSync(at('saved', 'tollgate.sqlite'))).toBe(kind === 'sqlite')

    const restored = environmentOf(world, at('restored'))
    expect(await run(restored, 'restore', at('saved'))).toMatchObject({ code: 0 })
    const data = openDataFolder(at('restored'))
    const target = await openDatabase({ databaseUrl: config.databaseUrl, durability: 'process' }, data.sqlitePath)
    await recoverNode(target, data, () => [])
    const books = await booksOf(target, userId)
    await target.close()
    expect(books).toMatchObject({ free: 4970, used: 30, charges: 1 })
    expect(readdirSync(data.journalFolder)).toEqual([])
    expect(await run(restored, 'reconcile')).toMatchObject({ code: 0 })
  })
}

describe('refused backups', () => {
  test('a backup of something that is not a data folder, or over an existing one, creates nothing', async () => {
    expect(await run({ DATA_DIR: at('nowhere') }, 'backup', at('saved'))).toEqual({
      code: 1,
      text: `${at('nowhere')} is not a data folder. Is DATA_DIR right?`,
    })
    mkdirSync(at('taken'))
    expect((await run({ DATA_DIR: at('nowhere') }, 'backup', at('taken'))).text).toContain('exists already')
    expect((await run({ DATA_DIR: at('nowhere') }, 'backup')).code).toBe(2)
    expect(readdirSync(folder)).toEqual(['taken'])
  })

  test('a damaged database leaves no backup behind', async () => {
    openDataFolder(at('data'))
    writeFileSync(at('data', 'tollgate.sqlite'), 'not a database at all, and long enough to be read as one'.repeat(40))
    const { code, text } = await run({ DATA_DIR: at('data') }, 'backup', at('saved'))
    expect([code, text]).toEqual([1, expect.stringContaining('could not be saved: file is not a database')])
    expect(readdirSync(folder)).toEqual(['data'])
  })

  describe('a restore', () => {
    beforeEach(async () => {
      await using world = await createWorld()
      await run(environmentOf(world), 'backup', at('saved'))
    })

    test('a restore into a non-empty folder is refused', async () => {
      mkdirSync(at('full'))
      writeFileSync(at('full', 'mine'), '')
      const { code, text } = await run({ DATA_DIR: at('full') }, 'restore', at('saved'))
      expect([code, text]).toEqual([1, expect.stringContaining('is not empty')])
      expect(readdirSync(at('full'))).toEqual(['mine'])
    })

    test('a restore into a new volume or home folder, which come with files of their own, is allowed', async () => {
      mkdirSync(at('volume', 'lost+found'), { recursive: true })
      for (const name of ['.bashrc', '.profile']) writeFileSync(at('volume', name), '')
      expect((await run({ DATA_DIR: at('volume') }, 'restore', at('saved'))).code).toBe(0)
      expect(readdirSync(at('volume'))).toContain('tollgate.sqlite')
    })

    test('a restore while a gateway runs is refused', async () => {
      mkdirSync(at('held'))
      {
        using _lock = lockFolder({ path: at('held') })
        const { code, text } = await run({ DATA_DIR: at('held') }, 'restore', at('saved'))
        expect([code, text]).toEqual([1, expect.stringContaining('Another gateway runs')])
      }
      expect((await run({ DATA_DIR: at('held') }, 'restore', at('saved'))).code).toBe(0)
    })

    test('a restore of files that changed since, or that are not a backup, is refused', async () => {
      appendFileSync(at('saved', 'secret-key'), 'x')
      const damaged = await run({ DATA_DIR: at('new') }, 'restore', at('saved'))
      expect([damaged.code, damaged.text]).toEqual([1, expect.stringContaining('The backup is damaged')])
      const missing = await run({ DATA_DIR: at('new') }, 'restore', folder)
      expect([missing.code, missing.text]).toEqual([1, expect.stringContaining('is not a backup of this program')])
      expect(existsSync(at('new'))).toBe(false)
    })

    test('a restore of names that lead out of the folder is refused', async () => {
      const path = at('saved', 'manifest.json')
      await Bun.write(path, (await Bun.file(path).text()).replace('"node-id"', '"../node-id"'))
      expect((await run({ DATA_DIR: at('new') }, 'restore', at('saved'))).text).toContain('is not a backup')
    })

    test('a restore of a database that no start of this release could go on from is refused', async () => {
      const data = openDataFolder(at('early'))
      const database = openSqlite(data.sqlitePath)
      try {
        await makeEarlierSteps(database, '0059-unused-tables.needs-0059')
      } finally {
        await database.close()
      }
      await run({ DATA_DIR: at('early') }, 'backup', at('early-saved'))
      expect((await run({}, 'verify', at('early-saved'))).code).toBe(0)
      const { code, text } = await run({ DATA_DIR: at('new') }, 'restore', at('early-saved'))
      expect([code, text, existsSync(at('new'))]).toEqual([1, expect.stringContaining(tooOldSentence), false])
      expect((await run({}, 'verify', at('early-saved'))).code).toBe(0)
    })

    test('a restore to the other kind of database is refused', async () => {
      const environment = { DATA_DIR: at('new'), DATABASE_URL: 'postgres://localhost/none' }
      expect((await run(environment, 'restore', at('saved'))).text).toContain('but DATABASE_URL is set')
    })
  })
})
