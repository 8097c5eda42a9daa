import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openGate, type TcpGate } from '@tollgate/simulator'

import { createSeal, type Seal } from '../../gateway/src/platform/store/seal'
import { openQueries, type Queries } from '../ledger-audit'
import { movableClock } from './clock'
import { GatewayUnit } from './gateway-unit'
import { startOwnPostgres, startOwnRedis, type OwnServer } from './servers'
import { mountSmallDisk, type SmallDisk } from './small-disk'
import { setUpSite, type Site } from './site'
import { startUpstream, type Upstream } from './upstream-process'

export interface ArenaOptions {
  readonly database: 'sqlite' | 'postgres'
  readonly workers: number
  readonly gateways: number
}

/** A server of this run behind its gate. */
export interface Served {
  readonly server: OwnServer
  readonly gate: TcpGate
}

/** Everything in a run: what is tortured, and the tools for it. */
export interface Arena extends AsyncDisposable {
  readonly options: ArenaOptions
  readonly gateways: readonly [GatewayUnit, ...GatewayUnit[]]
  readonly upstream: Upstream
  readonly site: Site
  /** Null: SQLite. */
  readonly postgres: Served | null
  /** Null: not installed. */
  readonly redis: Served | null
  /** Data folder of the first gateway on a small disk. Null: no tmpfs could be mounted. */
  readonly disk: SmallDisk | null
  /** URL of the database that bypasses the gate. */
  readonly databaseUrl: string
  /** That of the gateways, which signs the addresses that vendors call back. */
  readonly seal: Seal
  queries(): Queries
}

const secretKey = 'soak-soak-soak-soak-soak-soak-soak-soak'

/**
 * Starts all servers of a run.
 * @throws Error when PostgreSQL is requested and not installed.
 */
export async function openArena(options: ArenaOptions): Promise<Arena> {
  await using stack = new AsyncDisposableStack()
  const own = <T extends { remove(): unknown }>(thing: T | null): T | null => {
    if (thing) stack.defer(() => void thing.remove())
    return thing
  }
  const postgres = options.database === 'postgres' ? await behindGate(stack, await startOwnPostgres()) : null
  if (options.database === 'postgres' && !postgres) throw new Error('PostgreSQL is not installed')
  const redis = await behindGate(stack, await startOwnRedis())
  const disk = own(mountSmallDisk())
  const upstream = await startUpstream()
  stack.defer(() => upstream.stop())

  const unit = (dataDir: string) => {
    const clock = own(movableClock())
    const gateway = new GatewayUnit({
      dataDir,
      clock,
      workers: options.workers,
      databaseUrl: postgres?.server.urlAt(postgres.gate.port) ?? '',
      env: { ...clock?.env, SECRET_KEY: secretKey, REDIS_URL: redis?.server.urlAt(redis.gate.port) ?? '' },
    })
    stack.defer(() => gateway.kill())
    return gateway
  }
  const folder = () => {
    const path = mkdtempSync(join(tmpdir(), 'tollgate-soak-'))
    stack.defer(() => rmSync(path, { recursive: true, force: true }))
    return path
  }
  const first = unit(disk?.folder ?? folder())
  const gateways: [GatewayUnit, ...GatewayUnit[]] = [first]
  for (let more = 1; more < options.gateways; more += 1) gateways.push(unit(folder()))
  for (const gateway of gateways) await gateway.start()
  const site = await setUpSite(first.url, upstream)
  const databaseUrl = postgres?.server.url ?? ''
  const owned = stack.move()
  return {
    options,
    gateways,
    upstream,
    site,
    postgres,
    redis,
    disk,
    databaseUrl,
    seal: createSeal(new TextEncoder().encode(secretKey)),
    queries: () => openQueries(first.options.dataDir, databaseUrl),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function behindGate(stack: AsyncDisposableStack, server: OwnServer | null): Promise<Served | null> {
  if (!server) return null
  stack.defer(() => server.remove())
  return { server, gate: stack.use(await openGate(server.process.port)) }
}
