import { chmodSync, chownSync, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { homedir, tmpdir, totalmem } from 'node:os'
import { basename, join } from 'node:path'

import { Glob, listen } from 'bun'

/** A database server started for one run of the tests, on a free port and in a temporary folder. */
export interface Service {
  readonly url: string
  stop(): Promise<void>
}

/** The servers of a run of the tests. */
export interface Services extends AsyncDisposable {
  /** Tells tests where they are. */
  readonly environment: Readonly<Record<string, string>>
}

/** Starts the servers that the environment does not name. What is not installed is said, and its tests are skipped by name. */
export async function startServices(isNeeded = true): Promise<Services> {
  const environment: Record<string, string> = {}
  const services: Service[] = []
  const startOne = async (variable: string, start: () => Promise<Service | null>) => {
    if (!isNeeded || process.env[variable]) return
    const service = await start()
    if (service) {
      services.push(service)
      environment[variable] = service.url
    } else console.log(`${variable} is not set and no server is installed: scripts/install-services.sh installs one`)
  }
  const stop = async () => {
    for (const service of services) await service.stop()
  }
  try {
    await startOne('TEST_POSTGRES_URL', startPostgres)
    await startOne('TEST_REDIS_URL', startRedis)
    await startOne('TEST_CLICKHOUSE_URL', startClickHouse)
  } catch (error) {
    await stop()
    throw error
  }
  return { environment, [Symbol.asyncDispose]: stop }
}

export interface PostgresOptions {
  /** Copied into the folder beside its data, for its owner alone. */
  readonly files?: readonly string[]
  /** Further options of the server, whose folder is given. */
  readonly settings?: (folder: string) => string
}

/**
 * A killed server loses nothing that it has said yes to; a machine that loses power may. Queries here are too small to be compiled. Statistics
 * that are taken in the background change plans from one run to the next.
 */
const cheap =
  '-c fsync=off -c full_page_writes=off -c wal_level=minimal -c max_wal_senders=0 -c max_wal_size=4GB -c jit=off -c autovacuum=off'

const gigabyte = 1024 ** 3
const inMemory = '/dev/shm'

/** In memory where there is plenty: emptying the tables after each test takes half as long in the kernel. */
function dataFolder(): string {
  if (!existsSync(inMemory) || totalmem() < 16 * gigabyte) return tmpdir()
  const { bavail, bsize } = statfsSync(inMemory)
  return bavail * bsize >= 8 * gigabyte ? inMemory : tmpdir()
}

export interface TemporaryFolder extends Disposable {
  readonly path: string
}

/**
 * Makes a folder for what the tests of a run leave in temporary folders, beside the data of PostgreSQL: most tests have databases of their
 * own, and those of the ledger wait for a disk at each step. Some start programs there, which not every machine allows in memory.
 */
export function makeTemporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(mayExecute(dataFolder()) ? dataFolder() : tmpdir(), 'tollgate-tests-'))
  // For servers that tests start as a user of their own.
  chmodSync(path, 0o711)
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

function mayExecute(folder: string): boolean {
  if (!existsSync('/proc/mounts')) return true
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, place]) => place === folder)
  return !mount?.[3]?.split(',').includes('noexec')
}

/** PostgreSQL, as a user of its own when we are root, since it refuses to run as root. Null when it is not installed. */
export async function startPostgres({ files = [], settings: more }: PostgresOptions = {}): Promise<Service | null> {
  const programs = await postgresPrograms()
  if (!programs) return null
  const { bin, user, as } = programs
  const folder = mkdtempSync(join(dataFolder(), 'tollgate-postgres-'))
  const data = join(folder, 'data')
  const port = freePort()
  if (user) chownSync(folder, user.uid, user.gid)
  for (const file of files) {
    const copy = join(folder, basename(file))
    copyFileSync(file, copy)
    chmodSync(copy, 0o600)
    if (user) chownSync(copy, user.uid, user.gid)
  }

  await run(as([join(bin, 'initdb'), '-D', data, '-U', 'tollgate', '-A', 'trust', '-E', 'UTF8', '--no-sync']), folder)
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c max_connections=300 ${cheap} ${more?.(folder) ?? ''}`
  const control = (action: string[]) =>
    run(as([join(bin, 'pg_ctl'), '-D', data, '-l', join(folder, 'log'), '-w', ...action]), folder)
  await control(['-o', settings, 'start'])
  return {
    url: `postgres://tollgate@127.0.0.1:${port}/postgres`,
    async stop() {
      await control(['-m', 'immediate', 'stop'])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Redis or Valkey; null when neither is installed. */
export const redisProgram = (): string | null => Bun.which('redis-server') ?? Bun.which('valkey-server')

/** Redis or Valkey without a disk. Null when neither is installed. */
export async function startRedis(): Promise<Service | null> {
  const server = redisProgram()
  if (!server) return null
  const port = freePort()
  const child = Bun.spawn(
    [server, '--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', tmpdir()],
    {
      stdout: 'ignore',
      stderr: 'ignore',
    },
  )
  await untilItListens(port)
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      child.kill()
      await child.exited
    },
  }
}

/** Where `install-services.sh` puts the engine of ClickHouse, which Debian has only in a release without much of what is used here. */
const chdbFolder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'tollgate', 'chdb')

/** The engine of ClickHouse behind a stand-in for its server. Null when it is not installed. */
export async function startClickHouse(port = freePort(), folder?: string): Promise<Service | null> {
  const python = Bun.which('python3')
  if (!python || !existsSync(join(chdbFolder, 'chdb'))) return null
  const data = folder ?? mkdtempSync(join(tmpdir(), 'tollgate-clickhouse-'))
  const program = join(import.meta.dir, 'clickhouse', 'stand-in.py')
  const child = Bun.spawn([python, program, chdbFolder, join(data, 'data'), String(port)], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
  })
  const stop = async () => {
    child.kill('SIGKILL')
    await child.exited
    if (!folder) rmSync(data, { recursive: true, force: true })
  }
  try {
    await untilItListens(port)
  } catch (error) {
    await stop()
    throw error
  }
  return { url: `http://127.0.0.1:${port}`, stop }
}

export interface PostgresPrograms {
  readonly bin: string
  /** Owner of the data where we are root; else null. */
  readonly user: { readonly uid: number; readonly gid: number } | null
  /** The command, run by that user. */
  readonly as: (command: readonly string[]) => string[]
}

/** Null when PostgreSQL is not installed. It refuses to run as root, so there it gets a user of its own. */
export async function postgresPrograms(): Promise<PostgresPrograms | null> {
  const bin = await postgresFolder()
  if (!bin) return null
  const user = process.getuid?.() === 0 ? await postgresUser() : null
  const owner = user ? ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'] : []
  return { bin, user, as: (command) => [...owner, ...command] }
}

async function postgresFolder(): Promise<string | null> {
  const onPath = Bun.which('pg_ctl')
  if (onPath && Bun.which('initdb')) return join(onPath, '..')
  const folders: string[] = []
  for await (const file of new Glob('usr/lib/postgresql/*/bin/initdb').scan('/')) folders.push(join('/', file, '..'))
  return folders.sort().at(-1) ?? null
}

async function postgresUser() {
  const id = async (flag: string) => Number((await run(['id', flag, 'postgres'], '/')).trim())
  return { uid: await id('-u'), gid: await id('-g') }
}

/** Resolves with what it printed. @throws Error with it when the command fails. */
export async function run(command: string[], cwd: string): Promise<string> {
  // Files, not pipes: a server started by the command would keep a pipe open for ever.
  const output = join(tmpdir(), `tollgate-run-${crypto.randomUUID()}`)
  const child = Bun.spawn(command, { cwd, stdin: 'ignore', stdout: Bun.file(output), stderr: Bun.file(output) })
  const code = await child.exited
  const text = await Bun.file(output).text()
  rmSync(output, { force: true })
  if (code !== 0) throw new Error(`${command.join(' ')} failed with ${code}:\n${text}`)
  return text
}

function freePort(): number {
  const socket = listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = socket
  socket.stop(true)
  return port
}

async function untilItListens(port: number) {
  for (let attempt = 0; attempt < 800; attempt++) {
    const isOpen = await Bun.connect({ hostname: '127.0.0.1', port, socket: { data() {} } }).then(
      (socket) => (socket.end(), true),
      () => false,
    )
    if (isOpen) return
    await Bun.sleep(25)
  }
  throw new Error(`Nothing listens on port ${port}`)
}
