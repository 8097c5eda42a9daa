import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { storedPhrase } from '@tollgate/contract'
import { sql } from 'kysely'

import { systemClock } from '../../platform/time/clock'
import { eachDatabase } from '../../../test/databases'
import { aTask } from '../../../test/a-task'
import { anEntry, aUser } from '../../../test/ledger'
import { setOptionsIn } from '../../../test/options'
import { createWorld, type World } from '../../../test/world'
import { openJournal } from '../../billing/ledger/journal/journal'
import { journalPath } from '../../billing/ledger/journal/journal-files'
import { lockFolder, pathsIn } from '../../platform/store/data-folder'
import { writeNotes } from '../../platform/store/site-notes'
import { checkBatches, checkConversations } from '../../operations/check-kept'
import { checkBooks } from '../../operations/check-records'
import { checkClock } from '../../operations/check-database'
import { checkDisk } from '../../operations/check-folder'
import { runCommand } from './run-command'

/** Resolves with each finding by its subject: level and text. */
async function runDoctor(environment: Record<string, string>) {
  const lines: string[] = []
  const code = await runCommand(['doctor'], {
    environment: { PORT: '0', ...environment },
    print: (line) => lines.push(line),
  })
  const bySubject = new Map(lines.map((line) => [line.slice(6, 21).trim(), line.slice(0, 6).trim() + line.slice(20)]))
  return { code, of: (subject: string) => bySubject.get(subject) ?? 'nothing', lines }
}

const environmentOf = ({ ctx: { config } }: World) => ({
  DATA_DIR: config.dataDir,
  ...(config.databaseUrl && { DATABASE_URL: config.databaseUrl }),
})

const aMail = { kind: 'test', recipient: '', language: 'en', params: '{}', expires_at: 2e9, sent_at: null }

/** A world with a channel whose key is sealed. */
async function usedWorld(kind: 'sqlite' | 'postgres') {
  const world = await createWorld({ kind })
  const { database, seal } = world.ctx
  await database.query
    .insertInto('channels')
    .values({ type: 1, name: 'first', key_sealed: seal.seal('sk-upstream'), tag: null, created_time: 1 })
    .execute()
  return world
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-doctor-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a fresh folder', () => {
  test('the doctor finds a fresh folder well and creates nothing in it', async () => {
    const { code, lines } = await runDoctor({ DATA_DIR: folder })
    expect([code, lines.filter((line) => !line.startsWith('ok'))]).toEqual([0, []])
    expect(readdirSync(folder)).toEqual([])
  })

  test('a variable with a misspelled name is a warning', async () => {
    const { code, lines } = await runDoctor({ DATA_DIR: folder, DATABASE_URI: 'postgres://x' })
    expect(code).toBe(0)
    expect(lines[0]).toMatch(/^warn +configuration +DATABASE_URI has no effect. Did you mean DATABASE_URL\?$/)
  })

  test('a folder that does not exist yet will be created', async () => {
    const { code, of } = await runDoctor({ DATA_DIR: join(folder, 'a', 'b') })
    expect([code, of('data folder')]).toEqual([0, expect.stringContaining('will be created')])
    expect(readdirSync(folder)).toEqual([])
  })

  test('a folder below a file cannot be written', async () => {
    writeFileSync(join(folder, 'file'), '')
    const { code, of } = await runDoctor({ DATA_DIR: join(folder, 'file', 'data') })
    expect([code, of('data folder')]).toEqual([1, expect.stringMatching(/^FAIL .* not a directory.*\. Give the user/)])
  })
})

test('every invalid value of the configuration is a finding', async () => {
  const { code, lines } = await runDoctor({ PORT: 'x', WORKERS: '0' })
  expect([code, lines.length]).toEqual([1, 2])
  expect(lines[0]).toStartWith('FAIL  configuration  PORT must be a whole number from 0 to 65535.')
})

for (const kind of eachDatabase) {
  describe(`a used folder (${kind})`, () => {
    test('the doctor finds a used folder well', async () => {
      await using world = await usedWorld(kind)
      const { code, lines, of } = await runDoctor(environmentOf(world))
      expect([code, lines.filter((line) => line.startsWith('FAIL'))]).toEqual([0, []])
      expect(of('schema')).toBe('ok up to date')
      expect(of('secret key')).toBe('ok from DATA_DIR, decrypts all 1 sealed secrets')
      expect(of('database')).toMatch(kind === 'sqlite' ? /^ok SQLite, .* [KM]B, intact$/ : /PostgreSQL \d+/)
    })

    test('the doctor names periodic work whose last run failed, and why', async () => {
      const world = await createWorld({ kind })
      await using _ = world
      const jobsOf = async () => (await runDoctor(environmentOf(world))).of('jobs')
      expect(await jobsOf()).toBe('ok none has run yet')
      const run = { every_ms: 1, started_at_ms: 1, duration_ms: 1, worker: 'w' }
      const note = (name: string, error: string) => ({
        name: `job:${name}`,
        value: { ...run, name, error, outcome: error === '' ? 'ok' : 'failed' },
      })
      await writeNotes(world.ctx.database.query, [note('sweep', ''), note('tidy', 'no room')], 1)
      expect(await jobsOf()).toStartWith('warn the last run failed of tidy: no room')
      await writeNotes(world.ctx.database.query, [note('tidy', '')], 2)
      expect(await jobsOf()).toBe('ok the last run of all 2 succeeded')
    })

    test('the doctor checks balances, and names the first user whose figures differ', async () => {
      await using world = await usedWorld(kind)
      const booksOf = async () => (await runDoctor(environmentOf(world))).of('books')
      const { database } = world.ctx
      for (let count = 0; count < 3; count += 1) await aUser(database, 100)
      expect(await booksOf()).toBe('ok the balances of all 3 users are what was credited minus what was used')
      await database.query.updateTable('users').set({ quota: 107 }).where('id', '=', 2).execute()
      expect(await booksOf()).toStartWith('FAIL user 2 has and used 107, but was credited 100. Run tollgate reconcile')
      await database.query.deleteFrom('users').where('id', '=', 3).execute()
      await database.query.updateTable('users').set({ quota: 100 }).where('id', '=', 2).execute()
      expect(await booksOf()).toStartWith('FAIL user 3 has and used 0, but was credited 100')
    })

    test('the doctor names a batch that should have ended, and one that no worker runs', async () => {
      await using world = await usedWorld(kind)
      const { database } = world.ctx
      const [examined, minuteMs] = [{ findings: [], database, tables: 'there' } as const, 60_000]
      const check = async () => (await checkBatches(examined, { now: () => 60 * minuteMs })).text
      expect(await check()).toMatchObject({ code: 'batches.none' })
      const task = aTask({
        public_id: 'batch_1',
        platform: 'batch',
        user_id: 1,
        token_id: 0,
        deadline_at: 61 * minuteMs,
      })
      await database.query.insertInto('tasks').values(task).execute()
      const batch = {
        task_id: 'batch_1',
        dialect: 'openai',
        endpoint: '',
        key_sealed: '',
        created_at: 1,
        expires_at: 1e10,
      }
      await database.query
        .insertInto('batches')
        .values({ ...batch, claimed_until: 59 * minuteMs })
        .execute()
      expect(await check()).toMatchObject({ code: 'batches.good' })
      await database.query
        .updateTable('batches')
        .set({ claimed_until: 49 * minuteMs })
        .execute()
      expect(await check()).toEqual({ code: 'batches.idle', params: { count: 1, id: 'batch_1' } })
      await database.query
        .updateTable('tasks')
        .set({ deadline_at: 49 * minuteMs })
        .execute()
      expect(await check()).toEqual({ code: 'batches.overdue', params: { count: 1, id: 'batch_1' } })
      await database.query.updateTable('tasks').set({ status: 'FAILURE' }).execute()
      expect(await check()).toMatchObject({ code: 'batches.none' })
    })

    test('the doctor notices what conversations count wrongly, and items without one', async () => {
      await using world = await usedWorld(kind)
      const { database, turns } = world.ctx
      const check = async () => (await checkConversations({ findings: [], database, tables: 'there' })).level
      const id = await aUser(database, 100)
      const conversation = await turns.createConversation({ id: 'conv_1', userId: id, tokenId: 0, metadata: {} })
      await turns.append(conversation, { origin: null, items: [{ id: 'msg_1', item: { content: '雪' } }] })
      expect(await check()).toBe('ok')
      await database.query.updateTable('conversations').set({ bytes: 1 }).execute()
      expect(await check()).toBe('FAIL')
      await database.query.deleteFrom('conversations').execute()
      expect(await check()).toBe('FAIL')
    })

    test('the doctor checks as many balances as it can in two seconds', async () => {
      await using world = await usedWorld(kind)
      const { database } = world.ctx
      const users = Array.from({ length: 501 }, () => aUser(database, 1))
      await Promise.all(users)
      let now = 0
      const examinedBooks = { findings: [], database, tables: 'there' } as const
      const slowly = await checkBooks(examinedBooks, () => (now += 2001))
      expect(slowly).toMatchObject({ level: 'ok', text: { code: 'books.some', params: { count: 500 } } })
      expect(await checkBooks(examinedBooks, () => 0)).toMatchObject({
        text: { code: 'books.good', params: { count: 501 } },
      })
    })

    test('the doctor reports mails that cannot be sent, and why', async () => {
      await using world = await usedWorld(kind)
      const mailOf = async () => (await runDoctor(environmentOf(world))).of('mail')
      expect(await mailOf()).toBe('ok is not set up')
      await setOptionsIn(world.ctx, { SMTPServer: 'mail.example.com' })
      expect(await mailOf()).toBe('ok is sent by mail.example.com')
      const created_at = systemClock.seconds()
      const failure = storedPhrase('smtp.timeout', { server: 'mail.example.com:25', answer: '' })
      const values = [
        { ...aMail, id: 'waiting', created_at, due_at: 1 },
        { ...aMail, id: 'given up', created_at, due_at: null, failure },
        { ...aMail, id: 'sent', created_at, due_at: null, sent_at: 1, failure },
      ]
      for (const row of values) await world.ctx.database.query.insertInto('mails').values(row).execute()
      expect(await mailOf()).toStartWith(
        'warn 1 are waiting and 1 were given up within a day: mail.example.com:25 did not respond',
      )
    })

    test('the doctor reports webhooks of the site that take no events', async () => {
      await using world = await usedWorld(kind)
      const eventsOf = async () => (await runDoctor(environmentOf(world))).of('events')
      expect(await eventsOf()).toBe('ok none was sent to a webhook within a day')
      const at = systemClock.seconds()
      const delivery = (id: string, userId: number, target: string, attempted: number, values: object) => ({
        id,
        user_id: userId,
        type: 'job-failed',
        url: `operator:${target}`,
        body: '{}',
        created_at: at,
        expires_at: at,
        due_at: null,
        delivered_at: null,
        attempted_at: attempted,
        status: 200,
        duration_ms: 5,
        ...values,
      })
      const insert = (row: ReturnType<typeof delivery>) =>
        world.ctx.database.query.insertInto('webhook_deliveries').values(row).execute()
      await insert(delivery('a', 0, 'slack', at - 60, { delivered_at: at }))
      await insert(delivery('b', 0, 'wecom', at - 60, { response: '{"errcode":93000}' }))
      await insert(delivery('c', 0, 'discord', at - 60, { status: 404, response: '' }))
      await insert(delivery('d', 0, 'discord', at, { delivered_at: at }))
      await insert(delivery('e', 7, 'json', at, { status: 500 }))
      expect(await eventsOf()).toStartWith('warn do not reach wecom: HTTP 200 {"errcode":93000}')
      await insert(delivery('f', 0, 'wecom', at, { delivered_at: at }))
      expect(await eventsOf()).toBe('ok reach the webhooks of the site')
    })

    test('the keys of channels cannot be decrypted with another secret key, or without it', async () => {
      await using world = await usedWorld(kind)
      const other = await runDoctor({ ...environmentOf(world), SECRET_KEY: 'an obviously fake secret of 32 chars' })
      expect([other.code, other.of('secret key')]).toEqual([1, expect.stringContaining('cannot decrypt 1 of 1')])
      const { secretKeyPath } = pathsIn(world.ctx.config.dataDir)
      chmodSync(secretKeyPath, 0o644)
      expect((await runDoctor(environmentOf(world))).of('secret key')).toContain('can be read by others. Run chmod 600')
      rmSync(secretKeyPath)
      const { code, of } = await runDoctor(environmentOf(world))
      expect([code, of('secret key')]).toEqual([1, expect.stringMatching(/^FAIL is missing, and 1 secrets/)])
    })

    test('the schema of an incompatible release is distinguished from one that the next start upgrades', async () => {
      await using world = await usedWorld(kind)
      const { query } = world.ctx.database
      const leaveStep = async (name: string) => {
        await sql`delete from kysely_migration`.execute(query)
        await sql`insert into kysely_migration (name, timestamp) values (${name}, '')`.execute(query)
      }
      await leaveStep('0060-margins')
      const older = await runDoctor(environmentOf(world))
      expect([older.code, older.of('schema')]).toEqual([0, expect.stringMatching(/^warn .*0061-schema.*back up first/)])
      expect(older.of('secret key')).toContain('decrypts all 1')
      await leaveStep('0059-unused-tables.needs-0059')
      const tooOld = await runDoctor(environmentOf(world))
      expect([tooOld.code, tooOld.of('schema')]).toEqual([1, expect.stringMatching(/^FAIL .*first release.*b7c9f184/)])
      await leaveStep('9998-drop.needs-9000')
      const later = await runDoctor(environmentOf(world))
      expect([later.code, later.of('schema')]).toEqual([1, expect.stringContaining('later release: 9998-drop')])
    })

    test('the doctor reports how many charges are waiting', async () => {
      await using world = await usedWorld(kind)
      const journal = openJournal(journalPath(pathsIn(world.ctx.config.dataDir).journalFolder, 'gone'), 'process')
      const record = { requestId: 'r', cost: 1, isLogged: true, userLease: '', tokenLease: '', entry: anEntry() }
      journal.append([record, { ...record, requestId: 's' }], Date.now() - 90_000)
      const { code, of } = await runDoctor(environmentOf(world))
      journal.close()
      expect([code, of('journal')]).toEqual([0, expect.stringMatching(/^warn 2 charges wait .* Start the gateway/)])
    })
  })

  test(`the clock is compared with the database's (${kind})`, async () => {
    await using world = await createWorld({ kind })
    const { config, database } = world.ctx
    const levelAt = async (offset: number) => (await checkClock(config, database, () => Date.now() + offset)).level
    const levels = [await levelAt(0), await levelAt(-10_000), await levelAt(60_000)]
    expect(levels).toEqual(kind === 'sqlite' ? ['ok', 'ok', 'ok'] : ['ok', 'warn', 'FAIL'])
  })
}

describe('a damaged folder', () => {
  test('a file that is not a database is a failure', async () => {
    writeFileSync(
      join(folder, 'tollgate.sqlite'),
      'not a database at all, and long enough to be read as one'.repeat(40),
    )
    const { code, of } = await runDoctor({ DATA_DIR: folder })
    expect([code, of('database')]).toEqual([1, expect.stringMatching(/^FAIL .*file is not a database\. Restore/)])
    expect(of('secret key')).toStartWith('warn')
  })

  test('a database with a broken page is a failure', async () => {
    await using world = await usedWorld('sqlite')
    const { sqlitePath } = pathsIn(world.ctx.config.dataDir)
    await sql`pragma wal_checkpoint(truncate)`.execute(world.ctx.database.query)
    const file = openSync(sqlitePath, 'r+')
    const { size } = statSync(sqlitePath)
    for (let at = 8 * 4096; at < size; at += 4096) writeSync(file, Buffer.alloc(4096, 0xff), 0, 4096, at)
    closeSync(file)
    const { code, of } = await runDoctor(environmentOf(world))
    expect([code, of('database')]).toEqual([1, expect.stringMatching(/^FAIL .*(damaged|malformed)/)])
    expect(of('secret key')).toContain('was not compared')
  })

  test('a journal that a start set aside is reported', async () => {
    await using world = await usedWorld('sqlite')
    const path = journalPath(pathsIn(world.ctx.config.dataDir).journalFolder, 'gone')
    writeFileSync(`${path}.damaged`, 'no journal')
    const { code, of } = await runDoctor(environmentOf(world))
    expect([code, of('journal')]).toEqual([0, expect.stringMatching(/^warn charges that could not be read: gone/)])
  })

  test('a journal that cannot be read is a failure', async () => {
    await using world = await usedWorld('sqlite')
    const path = journalPath(pathsIn(world.ctx.config.dataDir).journalFolder, 'broken')
    writeFileSync(path, 'not a line of a journal\n'.repeat(40))
    const { code, of } = await runDoctor(environmentOf(world))
    expect([code, of('journal')]).toEqual([1, expect.stringContaining(`lines that cannot be read: ${path}`)])
  })

  test('a full disk is a failure', () => {
    const levels = [50, 500, 5000].map((megabytes) => checkDisk(pathsIn(folder), () => megabytes * 1024 ** 2).level)
    expect(levels).toEqual(['FAIL', 'warn', 'ok'])
  })
})

describe('resources in use', () => {
  test('a port in use is a failure, except for a running gateway', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const environment = { DATA_DIR: folder, PORT: String(port) }
    const other = await runDoctor(environment)
    expect([other.code, other.of('port')]).toEqual([1, expect.stringContaining('in use by another program')])
    {
      using _lock = lockFolder({ path: folder })
      const own = await runDoctor(environment)
      expect(own.lines.join('\n')).toContain('runs on this data folder')
      expect([own.code, own.of('port')]).toEqual([0, expect.stringContaining(`${port} is in use, and a gateway runs`)])
    }
    server.close()
    expect((await runDoctor({ DATA_DIR: folder, HOST: '192.0.2.1', PORT: String(port) })).of('port')).toContain(
      'not an address of this machine',
    )
  })

  test('unreachable servers are named without their passwords', async () => {
    const { code, of, lines } = await runDoctor({
      DATA_DIR: folder,
      DATABASE_URL: 'postgres://me:canary@127.0.0.1:1/tollgate',
      REDIS_URL: 'redis://:canary@127.0.0.1:1',
    })
    expect([code, of('database')]).toEqual([1, expect.stringContaining('PostgreSQL at 127.0.0.1:1 does not respond')])
    expect(of('redis')).toMatch(/^FAIL 127\.0\.0\.1:1 does not respond: .*ECONNREFUSED/)
    expect([of('clock'), of('secret key')]).toEqual([
      expect.stringContaining('not compared'),
      expect.stringContaining('not compared'),
    ])
    expect(lines.join('\n')).not.toContain('canary')
  })

  test.each([
    ['18.16.1', 'FAIL # is release 18.16.1, which is too old for the log'],
    ['24.7.6.8', 'FAIL # is release 24.7.6.8, which is too old for the log'],
    ['24.8.4.13', 'ok # responds'],
    ['26.1.2', 'ok # responds'],
  ])('ClickHouse %s is judged by its release', async (version, expected) => {
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Response(`${JSON.stringify({ version })}\n`),
    })
    const { of } = await runDoctor({ DATA_DIR: folder, CLICKHOUSE_URL: server.url.origin })
    await server.stop(true)
    expect(of('clickhouse')?.replace(server.url.host, '#').replaceAll(/ +/g, ' ')).toContain(expected)
  })

  test('limits of several workers without Redis are a warning', async () => {
    const { of } = await runDoctor({ DATA_DIR: folder, WORKERS: '2', PORT: '3000' })
    expect(of('redis')).toMatch(/^warn .* each of the 2 workers counts limits alone/)
  })
})

const redisUrl = process.env['TEST_REDIS_URL']
test.skipIf(!redisUrl)('a reachable Redis is well', async () => {
  const { of } = await runDoctor({ DATA_DIR: folder, REDIS_URL: redisUrl ?? '' })
  expect(of('redis')).toMatch(/^ok .* responds$/)
})
