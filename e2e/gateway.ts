import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { launchedByThisProcess } from '../gateway/src/app/process/launchers'
import { migratedSqlite } from '../gateway/test/databases'
import { buildGateway } from '../scripts/build-gateway'

export interface GatewayOptions {
  /** Default: a fresh temporary folder, removed on disposal. */
  readonly dataDir?: string
  /** Default: a free port. */
  readonly port?: number
  readonly workers?: number
  /** Default: empty, SQLite in the data folder. */
  readonly databaseUrl?: string
  readonly env?: Readonly<Record<string, string>>
  /** Prefix of the command, for example to pin it to a core. */
  readonly launcher?: readonly string[]
  /** Default: a build of the sources, as `bun start` runs it, which starts faster than the sources. */
  readonly program?: readonly string[]
}

/** The real gateway, wherever it runs. */
export interface Gateway {
  /** Without a trailing slash. */
  readonly url: string
  readonly port: number
  readonly dataDir: string
  /** Its output so far, for the message of a failed test. */
  output(): string
  /** Lets its calls end. Resolves with the exit code. */
  stop(): Promise<number>
  /** Stops the gateway and removes the data folder. */
  [Symbol.asyncDispose](): Promise<void>
}

/** The real gateway as processes of its own: for journeys that stop, kill or count them. Others start it in the process of the test. */
export interface GatewayProcess extends Gateway {
  /** Process id of the supervisor. */
  readonly processId: number
  /** False once it has exited for any reason. */
  isRunning(): boolean
  /** Process ids of the workers. */
  workerIds(): number[]
  /** Sends SIGKILL to the supervisor and all workers at once. Resolves when they are gone. */
  kill(): Promise<void>
}

export const metricsVariable = { METRICS_TOKEN: 'an obviously fake metrics token' }
/** For requests to the metrics of the gateways that tests start. */
export const metricsHeaders = { authorization: `Bearer ${metricsVariable.METRICS_TOKEN}` }

/** A gateway of a test ends before code that was optimized twice pays for it. */
const engine: Readonly<Record<string, string>> = process.env['NODE_ENV'] === 'test' ? { BUN_JSC_useDFGJIT: '0' } : {}

const root = join(import.meta.dir, '..')
const startTimeoutMs = 60_000

let built: Promise<string> | undefined

/**
 * Starts the gateway as processes of its own. Resolves when all its workers are ready.
 * @throws Error with the gateway's output when it exits early or does not become ready.
 */
export async function startGateway(options: GatewayOptions = {}): Promise<GatewayProcess> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'tollgate-e2e-'))
  const port = options.port ?? freePort()
  const sqlitePath = join(dataDir, 'tollgate.sqlite')
  // A program of another checkout may not know every step of this one.
  if (!options.databaseUrl && !options.program && !existsSync(sqlitePath)) {
    mkdirSync(dataDir, { recursive: true })
    await migratedSqlite(sqlitePath)
  }
  const program = options.program ?? [process.execPath, await (built ??= buildGateway())]
  const child = Bun.spawn([...(options.launcher ?? []), ...program], {
    cwd: root,
    env: environmentOf(options, dataDir, port),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    // A process group of its own, so that all its processes can be killed at the same instant.
    detached: true,
  })
  endWithUs(child)
  const output: string[] = []
  void collect(child.stdout, output)
  void collect(child.stderr, output)
  const gateway = gatewayOf(child, { dataDir, port, output })
  await untilReady(gateway, child, options.workers ?? 1)
  return gateway
}

function environmentOf(options: GatewayOptions, dataDir: string, port: number): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: options.databaseUrl ?? '',
    WORKERS: String(options.workers ?? 1),
    LOG_LEVEL: 'warn',
    SHUTDOWN_TIMEOUT: '10',
    ...metricsVariable,
    ...engine,
    ...launchedByThisProcess(),
    ...options.env,
  }
}

type Child = Bun.Subprocess<'ignore', 'pipe', 'pipe'>

/** Ends the gateway with the test run: in its own process group it would outlive an interrupted run. */
function endWithUs(child: Child): void {
  const end = () => {
    process.kill(-child.pid, 'SIGKILL')
  }
  process.once('exit', end)
  void child.exited.then(() => process.off('exit', end))
}

function gatewayOf(child: Child, facts: { dataDir: string; port: number; output: string[] }): GatewayProcess {
  const workerIds = () => childrenOf(child.pid)
  const stop = async (): Promise<number> => {
    child.kill('SIGTERM')
    return child.exited
  }
  return {
    url: `http://127.0.0.1:${facts.port}`,
    port: facts.port,
    dataDir: facts.dataDir,
    processId: child.pid,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    workerIds,
    output: () => facts.output.join(''),
    async kill() {
      process.kill(-child.pid, 'SIGKILL')
      await child.exited
    },
    stop,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await stop()
      rmSync(facts.dataDir, { recursive: true, force: true })
    },
  }
}

async function collect(stream: ReadableStream<Uint8Array>, output: string[]): Promise<void> {
  const decoder = new TextDecoder()
  for await (const bytes of stream) {
    output.push(decoder.decode(bytes, { stream: true }))
    if (output.length > 200) output.shift()
  }
}

async function untilReady(gateway: GatewayProcess, child: Child, workers: number): Promise<void> {
  const deadline = performance.now() + startTimeoutMs
  while (performance.now() < deadline && child.exitCode === null) {
    const response = await fetch(`${gateway.url}/health/ready`).catch(() => null)
    if (response?.ok && listenersOn(gateway.port) >= workers) return
    await Bun.sleep(20)
  }
  const why = child.exitCode === null ? 'is not ready in time' : `ended with ${child.exitCode}`
  if (child.exitCode === null) await gateway.kill()
  throw new Error(`The gateway ${why}:\n${gateway.output()}`)
}

/** Returns how many sockets listen on a port: each worker has its own. Infinity where the system does not say. */
function listenersOn(port: number): number {
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].filter((path) => existsSync(path))
  if (tables.length === 0) return Infinity
  // The local address, the remote address, and the state LISTEN.
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const listener = new RegExp(`^ *\\d+: [0-9A-F]+:${hex} [0-9A-F]+:0000 0A `)
  return tables.flatMap((path) => readFileSync(path, 'utf8').split('\n')).filter((line) => listener.test(line)).length
}

/** Returns the live direct children of a process: an exited one is listed until its parent has reaped it. */
export function childrenOf(processId: number): number[] {
  const listed = Bun.spawnSync(['ps', '-o', 'pid=,stat=', '--ppid', String(processId)]).stdout.toString()
  const children = listed.split('\n').map((line) => line.trim().split(/\s+/))
  return children.filter(([id, state]) => id && state && !state.startsWith('Z')).map(([id]) => Number(id))
}

/** Returns a port that is currently free, the given one if it is. */
export function freePort(preferred = 0): number {
  try {
    const socket = Bun.listen({ hostname: '127.0.0.1', port: preferred, socket: { data() {} } })
    const { port } = socket
    socket.stop(true)
    return port
  } catch (error) {
    if (preferred === 0) throw error
    return freePort()
  }
}
