import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { systemRoutes } from '@tollgate/contract'
import { sql } from 'kysely'

import type { Context } from '../../context'
import type { Call } from '../../http/handler'
import { setAsideIn } from '../../billing/ledger/journal/journal-files'
import { workerTtlMs } from '../../billing/ledger/recovery/heartbeat'
import { pathsIn, diskSpaceOf } from '../../platform/store/data-folder'
import { levelNow } from '../../platform/store/log-level'
import { jobNote, readNotes } from '../../platform/store/site-notes'
import { backupFolder } from '../../operations/backups'
import { version } from '../../platform/config/version'
import { oldestWaiting } from '../../billing/analytics/add-up'
import { spans } from '../../billing/analytics/rollups'

type State = systemRoutes.SystemState

/** Returns what runs and in what state. The state of other nodes is read from the database. */
export async function systemState(call: Pick<Call, 'ctx' | 'site' | 'caller'>): Promise<State> {
  const { ctx, site } = call
  const { config } = ctx
  const paths = pathsIn(config.dataDir)
  const workers = await shownWorkers(call)
  const { level, until } = await levelNow(ctx)
  return {
    version,
    build: basename(Bun.main.includes('$bunfs') ? process.execPath : dirname(Bun.main)),
    runtime: `Bun ${Bun.version}`,
    platform: `${process.platform} ${process.arch}`,
    host: hostname(),
    data_dir: paths.path,
    started_at: site.startedAt,
    workers: workers.sort((one, other) => one.id.localeCompare(other.id)),
    nodes: await nodesOf(ctx, paths.nodeIdPath),
    database: await databaseOf(ctx),
    set_aside: setAsideIn(paths.journalFolder),
    queues: await queues(ctx, workers),
    disk: await diskOf(ctx),
    jobs: latest([
      ...(await readNotes(ctx.database.query, jobNote, systemRoutes.JobRun)),
      ...workers.flatMap(({ jobs }) => jobs),
    ]),
    log: { level, configured: config.logLevel, until },
  }
}

/** Resolves with the states of this node's workers, with what their caches saved at vendors only where the reader may read costs. */
export async function shownWorkers({
  site,
  caller,
}: Pick<Call, 'site' | 'caller'>): Promise<systemRoutes.WorkerState[]> {
  const states = await site.workers.states()
  const workers = states.flatMap((state) => systemRoutes.WorkerState.safeParse(state).data ?? [])
  if (caller?.grants.has('costs.read')) return workers
  return workers.map((worker) => {
    const { saved_cost_quota: _, ...shown } = worker.response_cache
    return { ...worker, response_cache: shown }
  })
}

/** Workers that stopped cleanly are not in the list, those that crashed stay in it for a while. */
async function nodesOf(
  { clock, database }: Pick<Context, 'clock' | 'database'>,
  nodeIdPath: string,
): Promise<State['nodes']> {
  const own = existsSync(nodeIdPath) ? (await Bun.file(nodeIdPath).text()).trim() : ''
  const rows = await database.query
    .selectFrom('workers')
    .select(({ fn }) => [
      'node_id',
      fn.countAll<number>().as('workers'),
      fn.min('started_at').as('started_at'),
      fn.max('heartbeat_at').as('heard_of_at'),
    ])
    .where('heartbeat_at', '>', Math.floor((clock.now() - workerTtlMs) / 1000))
    .groupBy('node_id')
    .orderBy('node_id')
    .execute()
  return rows.map(({ node_id: id, ...row }) => ({ id, is_this: id === own, ...row }))
}

async function databaseOf({ config, database }: Pick<Context, 'config' | 'database'>): Promise<State['database']> {
  if (database.kind === 'postgres') {
    const { rows } = await sql<{ version: string; bytes: number }>`select
      current_setting('server_version') as version,
      pg_database_size(current_database()) as bytes`.execute(database.query)
    const { host, pathname } = new URL(config.databaseUrl)
    return { kind: 'postgres', version: rows[0]?.version ?? '', bytes: rows[0]?.bytes ?? 0, location: host + pathname }
  }
  const { rows } = await sql<{ version: string }>`select sqlite_version() as version`.execute(database.query)
  const { sqlitePath } = pathsIn(config.dataDir)
  const bytes = (await sizeOf(sqlitePath)) + (await sizeOf(`${sqlitePath}-wal`))
  return { kind: 'sqlite', version: rows[0]?.version ?? '', bytes, location: '' }
}

/** A file that is gone meanwhile takes no space. */
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )

async function diskOf(ctx: Pick<Context, 'config'>): Promise<State['disk']> {
  const { path } = pathsIn(ctx.config.dataDir)
  const { free, total } = diskSpaceOf(path)
  const [all, backups] = await Promise.all([folderBytes(path), folderBytes(backupFolder(ctx))])
  return { total_bytes: total, free_bytes: free, data_bytes: all - backups, backup_bytes: backups }
}

async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map((entry) => sizeOf(join(entry.parentPath, entry.name))))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Returns the latest run of each job: leaders report theirs at once and store them once a minute. */
function latest(runs: readonly systemRoutes.JobRun[]): systemRoutes.JobRun[] {
  const byName = new Map<string, systemRoutes.JobRun>()
  for (const run of runs) {
    const known = byName.get(run.name)
    if (!known || run.started_at_ms >= known.started_at_ms) byName.set(run.name, run)
  }
  return [...byName.values()].sort((one, other) => one.name.localeCompare(other.name))
}

type Deps = Pick<Context, 'clock' | 'database'>
type Queue = systemRoutes.SystemState['queues'][number]

/** Returns what is waiting to be done, and for how long the oldest item has. */
async function queues(ctx: Deps, workers: readonly systemRoutes.WorkerState[]): Promise<Queue[]> {
  return [
    charges(workers),
    await waiting(ctx, 'mails'),
    await waiting(ctx, 'webhooks'),
    await invitations(ctx),
    await usage(ctx),
  ]
}

/** Only of this node: the journals of other nodes are known to them alone. */
const charges = (workers: readonly systemRoutes.WorkerState[]): Queue => ({
  name: 'charges',
  waiting: workers.reduce((sum, worker) => sum + worker.journal_charges, 0),
  oldest_seconds: Math.round(Math.max(0, ...workers.map((worker) => worker.journal_oldest_seconds))),
})

const ageOf = ({ clock }: Pick<Context, 'clock'>, since: number | null): number =>
  since === null ? 0 : Math.max(0, Math.round(clock.seconds() - since))

async function waiting(ctx: Deps, name: 'mails' | 'webhooks'): Promise<Queue> {
  const { count, oldest } = await ctx.database.query
    .selectFrom(name === 'mails' ? 'mails' : 'webhook_deliveries')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('created_at').as('oldest')])
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return { name, waiting: count, oldest_seconds: ageOf(ctx, oldest) }
}

/** Most of them may wait for ever: for an invitee who never pays. */
async function invitations(ctx: Deps): Promise<Queue> {
  const { count, oldest } = await ctx.database.query
    .selectFrom('invitations')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('created_at').as('oldest')])
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return { name: 'invitations', waiting: count, oldest_seconds: ageOf(ctx, oldest) }
}

/** Returns how long ago the oldest hour ended that is not rolled up yet. */
async function usage(ctx: Deps): Promise<Queue> {
  const hour = await oldestWaiting(ctx.database.query)
  return { name: 'usage', waiting: null, oldest_seconds: ageOf(ctx, hour === undefined ? null : hour + spans.hour) }
}
