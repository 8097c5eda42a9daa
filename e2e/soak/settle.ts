import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import type { Queries } from '../ledger-audit'
import { metricsHeaders } from '../gateway'
import type { Arena } from './arena'
import type { GatewayUnit } from './gateway-unit'

/** An unsettled dead worker returns its leases when its heartbeat expires, after a minute. */
const timeoutMs = 90_000
const stepMs = 40

/** Repairs everything that may still be broken, and starts what is not running. */
export async function heal({ gateways, postgres, redis, disk }: Arena): Promise<void> {
  disk?.empty()
  for (const served of [postgres, redis]) {
    await served?.gate.open()
    served?.server.process.resume()
    await served?.server.process.start()
  }
  for (const gateway of gateways) {
    gateway.unlimitFiles()
    gateway.options.clock?.jump(0)
    gateway.resume()
    await gateway.start()
  }
}

/** Waits until everything has settled. Resolves with what has not when that takes too long. */
export async function waitUntilSettled(arena: Arena, queries: Queries): Promise<string[]> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const waiting = await findUnsettled(arena, queries)
    if (waiting.length === 0 || performance.now() > deadline) return waiting
    await Bun.sleep(stepMs)
  }
}

async function findUnsettled(arena: Arena, queries: Queries): Promise<string[]> {
  const { gateways, options } = arena
  const waiting: string[] = []
  for (const gateway of gateways) waiting.push(...(await unsettledIn(gateway)))
  const workers = (await queries.rows<{ id: string }>('select id from workers')).map(({ id }) => id)
  const workerCount = gateways.length * options.workers
  if (workers.length !== workerCount) waiting.push(`${workers.length} workers are listed instead of ${workerCount}`)
  const [leases] = await queries.rows<{ rows: number }>('select cast(count(*) as double precision) as rows from leases')
  if (leases?.rows !== 0) waiting.push(`${leases?.rows} leases are out`)
  const left = gateways.flatMap(journalsOf).filter((name) => !workers.some((id) => name.startsWith(id)))
  if (left.length > 0) waiting.push(`${left.length} journals of workers that are gone`)
  return waiting
}

async function unsettledIn(gateway: GatewayUnit): Promise<string[]> {
  if (!gateway.isRunning) return ['a gateway has ended']
  const [isReady, metrics] = await Promise.all([isResponding(gateway), metricsOf(gateway)])
  const counts = ['journal_depth', 'pending_charges', 'calls_in_flight']
    .map((name) => [name, numberIn(metrics, `tollgate_${name}`)] as const)
    .filter(([, value]) => value !== 0)
    .map(([name, value]) => `${name} is ${value}`)
  return isReady ? counts : ['a gateway is not ready', ...counts]
}

const isResponding = async ({ url }: GatewayUnit): Promise<boolean> => (await send(`${url}/health/ready`))?.ok ?? false
const metricsOf = async ({ url }: GatewayUnit): Promise<string> => (await (await send(`${url}/metrics`))?.text()) ?? ''

const send = (url: string): Promise<Response | null> =>
  fetch(url, { headers: metricsHeaders, keepalive: false, signal: AbortSignal.timeout(5000) }).catch(() => null)

function numberIn(metrics: string, name: string): number {
  const line = metrics.split('\n').find((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
  return line === undefined ? Number.NaN : Number(line.slice(line.lastIndexOf(' ') + 1))
}

function journalsOf({ options }: GatewayUnit): string[] {
  const folder = join(options.dataDir, 'journal')
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.sqlite')) : []
}
