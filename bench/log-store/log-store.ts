import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { sql } from 'kysely'

import { ClickHouseLogs } from '../../gateway/src/billing/usage-log/clickhouse/clickhouse-logs'
import { createLogTable } from '../../gateway/src/billing/usage-log/clickhouse/log-table'
import { sqlLogs } from '../../gateway/src/billing/usage-log/log-store'
import { openClickHouse } from '../../gateway/src/platform/store/clickhouse/clickhouse'
import { openSqlite, type Database } from '../../gateway/src/platform/store/database'
import { migrate } from '../../gateway/src/platform/store/migrate'
import { openPostgres } from '../../gateway/src/platform/store/postgres'
import { writeNotes } from '../../gateway/src/platform/store/site-notes'
import { run, startClickHouse } from '../../scripts/test-services'
import { questionsAt, type ComparedLog } from './questions'

/**
 * Asks the log in SQLite and the same rows in ClickHouse, and in PostgreSQL where a site was moved there, everything that pages ask, compares
 * the answers row by row, and prints how long each took. The newest rows may wait for their shipment.
 */
const { values } = parseArgs({
  options: {
    /** A folder that `bench:fill` has filled; without it one is filled and removed again. */
    data: { type: 'string', default: '' },
    /** A PostgreSQL with the same rows: what `tollgate move` has made of a copy of the folder. */
    'database-url': { type: 'string', default: '' },
    rows: { type: 'string', default: '1000000' },
    /** Rows that wait for their shipment, each a measurement of its own; tens of thousands. */
    waiting: { type: 'string', default: '0,10000,200000' },
    /** Each time is the shortest of this many. */
    repeats: { type: 'string', default: '3' },
    /** Questions whose name holds this alone. */
    only: { type: 'string', default: '' },
    json: { type: 'string', default: '' },
  },
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
/** Shipments end after a failed attempt whose call went through afterwards. */
const rowsOfShipment = 10_000

process.exitCode = await compareStores()
process.exit()

async function compareStores(): Promise<number> {
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-log-store-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const data = values.data || (await fill(join(folder, 'site')))
  const path = join(data, 'tollgate.sqlite')
  const whole = openSqlite(path)
  stack.defer(() => whole.close())
  const server = await startClickHouse(undefined, folder)
  if (!server) throw new Error('ClickHouse is not installed: scripts/install-services.sh installs it')
  stack.defer(() => server.stop())
  const clickHouse = openClickHouse(`${server.url}/bench`)
  stack.defer(() => clickHouse.close())
  const loadedAt = performance.now()
  await createLogTable(clickHouse, 'bench')
  const last = await load(clickHouse, path)
  console.log(`${last.id} rows in ClickHouse after ${((performance.now() - loadedAt) / 1000).toFixed(0)} s`)

  const questions = questionsAt(last.created_at).filter(({ name }) => name.includes(values.only))
  const lines = questions.map(({ name }) => ({ name, times: [] as number[], different: [] as string[] }))
  const names: string[] = []
  const expected: string[] = []
  const measureAll = async (name: string, log: ComparedLog) => {
    names.push(name)
    for (const [index, { read }] of questions.entries()) {
      const { text, ms } = await measure(() => read(log))
      lines[index]?.times.push(ms)
      expected[index] ??= text
      if (text !== expected[index]) lines[index]?.different.push(name)
    }
  }
  await measureAll('SQLite', { logs: sqlLogs(whole), query: whole.query })
  if (values['database-url']) {
    const server = openPostgres(values['database-url'], { statementTimeoutMs: 600_000 })
    stack.defer(() => server.close())
    await measureAll('PostgreSQL', { logs: sqlLogs(server), query: server.query })
  }
  for (const waiting of values.waiting.split(',').map(Number)) {
    const shipments = Math.ceil((last.id - waiting) / rowsOfShipment)
    const tail = await tailOf(path, join(folder, `waiting-${waiting}.sqlite`), shipments)
    await measureAll(`ClickHouse, ${waiting} waiting`, {
      logs: new ClickHouseLogs(tail, clickHouse),
      query: whole.query,
    })
    await tail.close()
  }
  console.log(`| ${last.id} rows | ${names.join(' | ')} |  |`)
  console.log(`|${' --- |'.repeat(names.length + 2)}`)
  for (const { name, times, different } of lines)
    console.log(
      `| ${name} | ${times.map((ms) => `${ms.toFixed(ms < 10 ? 1 : 0)} ms`).join(' | ')} | ${different.length === 0 ? 'equal' : `DIFFERENT: ${different.join(', ')}`} |`,
    )
  if (values.json) await Bun.write(values.json, JSON.stringify(lines, null, 2))
  return lines.some(({ different }) => different.length > 0) ? 1 : 0
}

/** Resolves with the folder. */
async function fill(folder: string): Promise<string> {
  const sizes = { logs: values.rows, users: '20000', acts: '0', tasks: '0' }
  const words = Object.entries(sizes).flatMap(([name, size]) => [`--${name}`, size])
  await run([process.execPath, join(import.meta.dir, '../fill/fill.ts'), '--data', folder, ...words], import.meta.dir)
  return folder
}

/** Copies the log of a SQLite file in shipments. Resolves with its last row. */
async function load(clickHouse: ReturnType<typeof openClickHouse>, path: string) {
  const { query } = clickHouse
  const { rows: columns } = await sql<{ name: string }>`select name from system.columns
    where database = currentDatabase() and table = 'logs' and name <> 'shipment' and default_kind = '' order by position`.execute(
    query,
  )
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  const source = `sqlite('${path}', 'logs')`
  const last = await sql<{ id: number }>`select max(id) as id from ${sql.raw(source)}`.execute(query)
  const max = last.rows[0]?.id ?? 0
  const rowsAtOnce = 500_000
  for (let from = 1; from <= max; from += rowsAtOnce)
    await clickHouse.command(`insert into logs (${names}, shipment) select ${names}, intDiv(id - 8, ${rowsOfShipment}) + 1
      from ${source} where id between ${from} and ${from + rowsAtOnce - 1}`)
  const { rows } = await sql<{
    id: number
    created_at: number
  }>`select id, created_at from logs order by id desc limit 1`.execute(query)
  if (!rows[0]) throw new Error('The log has no rows')
  return rows[0]
}

/** Resolves with a database that has the rows after this many shipments, and says that those have ended. */
async function tailOf(path: string, tailPath: string, shipments: number): Promise<Database> {
  if (existsSync(tailPath)) throw new Error(`${tailPath} is there already`)
  const tail = openSqlite(tailPath)
  await migrate(tail)
  await sql`attach ${path} as whole`.execute(tail.query)
  await sql`insert into logs select * from whole.logs where id > ${shipments * rowsOfShipment + 7}`.execute(tail.query)
  await sql`detach whole`.execute(tail.query)
  const value = { site: 'bench', last: shipments, ended: shipments, open: [] }
  await writeNotes(tail.query, [{ name: 'log-shipments', value }], Date.now())
  return tail
}

interface Measured {
  readonly text: string
  /** The shortest of several, in milliseconds; one that takes seconds is asked once. */
  readonly ms: number
}

async function measure(read: () => Promise<unknown>): Promise<Measured> {
  let ms = Infinity
  let text = ''
  for (let repeat = 0; repeat < Number(values.repeats); repeat += 1) {
    const startedAt = performance.now()
    text = await read().then(
      (response) => JSON.stringify(response) ?? '',
      (error: unknown) => `failed: ${String(error)}`,
    )
    ms = Math.min(ms, performance.now() - startedAt)
    if (ms > 3000) break
  }
  return { text, ms }
}
