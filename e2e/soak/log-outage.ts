import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { logType } from '@tollgate/contract'

import { reconcile } from '../../gateway/src/app/commands/reconcile'
import { startClickHouse } from '../../scripts/test-services'
import { openLedgerAudit, openQueries, type Queries } from '../ledger-audit'
import { until } from '../ledger-view'
import { callOnce, isServed } from '../load'
import { aProcessWorld, type ProcessWorld } from '../world'
import { startOwnPostgres } from './servers'

export interface LogOutageOptions {
  readonly database: 'sqlite' | 'postgres'
  /** How long ClickHouse is away. */
  readonly minutes: number
  readonly callsPerSecond: number
  readonly print: (line: string) => void
}

/** Seconds of calls before and after the outage. */
const aroundSeconds = 20
const model = 'gpt-4o'

/**
 * Kills the stand-in for ClickHouse under load, starts it again on what it had on its disk, and compares both stores with what the upstream
 * served. Resolves with what is wrong.
 * @throws Error when PostgreSQL is requested and not installed, or ClickHouse is not.
 */
export async function runLogOutage({ database, minutes, callsPerSecond, print }: LogOutageOptions): Promise<string[]> {
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-soak-clickhouse-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const start = async (port?: number) => {
    const started = await startClickHouse(port, folder)
    if (!started) throw new Error('ClickHouse is not installed')
    return started
  }
  let clickHouse = await start()
  stack.defer(() => clickHouse.stop())
  const postgres = database === 'postgres' ? await startOwnPostgres() : null
  if (database === 'postgres' && !postgres) throw new Error('PostgreSQL is not installed')
  if (postgres) stack.defer(() => postgres.remove())
  const databaseUrl = postgres?.url ?? ''
  const clickHouseUrl = `${clickHouse.url}/tollgate`
  const world = stack.use(
    await aProcessWorld({
      gateway: { databaseUrl, env: { CLICKHOUSE_URL: clickHouseUrl } },
      simulator: { defaults: { tokens: 20, ttftMs: 30, gapMs: 1 } },
      options: { ModelRatio: { [model]: 1 }, CompletionRatio: { [model]: 2 } },
    }),
  )
  const queries = stack.use(openQueries(world.gateway.dataDir, databaseUrl))
  const environment = { DATA_DIR: world.gateway.dataDir, DATABASE_URL: databaseUrl, CLICKHOUSE_URL: clickHouseUrl }

  const load = startPacedLoad(world, callsPerSecond)
  await Bun.sleep(aroundSeconds * 1000)
  await until(
    () => waitingRows(queries),
    (rows) => rows < callsPerSecond * aroundSeconds,
  )
  load.begin('during')
  await clickHouse.stop()
  print(`ClickHouse was killed: ${load.ended()} calls so far`)
  await Bun.sleep(minutes * 60_000)
  const waiting = await waitingRows(queries)
  clickHouse = await start(Number(new URL(clickHouse.url).port))
  const startedAt = performance.now()
  load.begin('after')
  print(`ClickHouse is back after ${minutes} minutes: ${waiting} rows wait in the database`)
  const problems = await reconcileProblems(environment, 'while rows are shipped')
  await Bun.sleep(aroundSeconds * 1000)
  const calls = await load.stop()
  await untilShipped(queries)
  print(`All rows were shipped ${((performance.now() - startedAt) / 1000).toFixed(0)} s later`)
  for (const line of load.lines()) print(line)
  problems.push(...calls.failed.map((what) => `a call failed: ${what}`))
  problems.push(...(await logProblems(world, queries, clickHouseUrl, databaseUrl)))
  problems.push(...(await reconcileProblems(environment, 'at the end')))
  if ((await world.gateway.stop()) !== 0) problems.push('the gateway did not end in order')
  print(`${calls.count} calls, ${world.simulator.requests.length} served by the upstream, ${problems.length} problems`)
  return problems
}

const phases = ['before', 'during', 'after'] as const
type Phase = (typeof phases)[number]
const maxFailures = 20

/** Makes calls at a pace, however long each takes. */
function startPacedLoad({ gateway, key }: ProcessWorld, callsPerSecond: number) {
  const times: Record<Phase, number[]> = { before: [], during: [], after: [] }
  const failed: string[] = []
  const running = new Set<Promise<void>>()
  let phase: Phase = 'before'
  let count = 0
  const callNext = async (): Promise<void> => {
    const of = phase
    const seen = await callOnce(gateway, key, count % 2 === 0, { model, callers: 1 })
    times[of].push(seen.endedAt - seen.startedAt)
    if (!isServed(seen) && failed.length < maxFailures) failed.push(`${seen.status} ${seen.text.slice(0, 200)}`)
  }
  const timer = setInterval(() => {
    count += 1
    const call = callNext().finally(() => running.delete(call))
    running.add(call)
  }, 1000 / callsPerSecond)
  return {
    begin: (next: Phase) => (phase = next),
    ended: () => count - running.size,
    async stop() {
      clearInterval(timer)
      await Promise.all(running)
      return { count, failed }
    },
    lines: () =>
      phases.map((name) => {
        const sorted = times[name].toSorted((one, other) => one - other)
        const at = (share: number) => (sorted[Math.ceil(sorted.length * share) - 1] ?? 0).toFixed(0)
        return `  ${name} the outage: ${sorted.length} calls, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`
      }),
  }
}

async function waitingRows(queries: Queries): Promise<number> {
  const [row] = await queries.rows<{ rows: number }>('select cast(count(*) as double precision) as rows from logs')
  return row?.rows ?? 0
}

/** The job comes every ten seconds. */
async function untilShipped(queries: Queries): Promise<void> {
  while ((await waitingRows(queries)) > 0) await Bun.sleep(500)
}

interface LoggedCall {
  readonly request_id: string
  readonly quota: number
}

/** Compares the rows of shipments that have ended with the charges, and both with what the upstream served, row by row. */
async function logProblems(
  { gateway, simulator }: ProcessWorld,
  queries: Queries,
  clickHouseUrl: string,
  databaseUrl: string,
): Promise<string[]> {
  const [note] = await queries.rows<{ value: string }>(`select value from site_notes where name = 'log-shipments'`)
  const { last, open } = JSON.parse(note?.value ?? '{"last":0,"open":[]}') as {
    readonly last: number
    readonly open: readonly { readonly from: number; readonly to: number }[]
  }
  const isOpen = open.map(({ from, to }) => ` and not (shipment between ${from} and ${to})`).join('')
  const rows = await clickHouseRows<LoggedCall>(
    clickHouseUrl,
    `select request_id, quota from logs where type = ${logType.consumption} and shipment <= ${last}${isOpen}`,
  )
  await using audit = openLedgerAudit(gateway.dataDir, databaseUrl)
  const charges = await audit.charges()
  const problems: string[] = []
  const logged = new Map(rows.map((row) => [row.request_id, row.quota]))
  if (logged.size !== rows.length) problems.push(`${rows.length - logged.size} rows are there twice`)
  const different = charges.filter(({ request_id: id, quota }) => logged.get(id) !== quota)
  if (different.length > 0) problems.push(`${different.length} charges without the row of their cost`)
  if (charges.length !== rows.length) problems.push(`${charges.length} charges, and ${rows.length} rows`)
  if (charges.length !== simulator.requests.length)
    problems.push(`${charges.length} charges, and ${simulator.requests.length} calls that the upstream served`)
  return problems
}

async function clickHouseRows<Row>(url: string, statement: string): Promise<Row[]> {
  const { origin, pathname } = new URL(url)
  const response = await fetch(
    `${origin}/?database=${pathname.slice(1)}&output_format_json_quote_64bit_integers=0&query=${encodeURIComponent(`${statement} format JSONEachRow`)}`,
    { method: 'POST' },
  )
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
}

async function reconcileProblems(environment: Readonly<Record<string, string>>, when: string): Promise<string[]> {
  const lines: string[] = []
  const code = await reconcile.run([], { environment, print: (line) => lines.push(line) })
  return code === 0 ? [] : [`tollgate reconcile ${when}: ${lines.slice(0, 5).join('; ')}`]
}
