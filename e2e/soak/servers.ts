import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { RedisClient, SQL } from 'bun'

import { postgresPrograms, redisProgram, run } from '../../scripts/test-services'
import { ServerProcess } from './server-process'

/** A server used by this run alone. */
export interface OwnServer {
  readonly process: ServerProcess
  /** URL that bypasses every gate. */
  readonly url: string
  urlAt(port: number): string
  remove(): Promise<void>
}

/** Returns null when PostgreSQL is not installed. */
export async function startOwnPostgres(): Promise<OwnServer | null> {
  const programs = await postgresPrograms()
  if (!programs) return null
  const { bin, user, as } = programs
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-soak-postgres-'))
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  await run(as([join(bin, 'initdb'), '-D', data, '-U', 'tollgate', '-A', 'trust', '-E', 'UTF8', '--no-sync']), folder)
  const urlAt = (port: number) => `postgres://tollgate@127.0.0.1:${port}/postgres`
  const settings = ['listen_addresses=127.0.0.1', 'fsync=off', 'max_connections=100', 'log_min_messages=panic']
  return startServer(folder, urlAt, {
    cwd: folder,
    command: (port) =>
      as([
        join(bin, 'postgres'),
        '-D',
        data,
        '-p',
        String(port),
        '-k',
        folder,
        ...settings.flatMap((setting) => ['-c', setting]),
      ]),
    async responses(port) {
      const sql = new SQL(urlAt(port), { max: 1, connectionTimeout: 1 })
      try {
        await sql`select 1`
        return true
      } finally {
        await sql.close()
      }
    },
  })
}

/** Starts Redis or Valkey; returns null when neither is installed. */
export async function startOwnRedis(): Promise<OwnServer | null> {
  const program = redisProgram()
  if (!program) return null
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-soak-redis-'))
  const urlAt = (port: number) => `redis://127.0.0.1:${port}`
  return startServer(folder, urlAt, {
    cwd: folder,
    command: (port) => [program, '--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    async responses(port) {
      const client = new RedisClient(urlAt(port), { autoReconnect: false, connectionTimeout: 1000 })
      try {
        return (await client.send('PING', [])) === 'PONG'
      } finally {
        client.close()
      }
    },
  })
}

async function startServer(
  folder: string,
  urlAt: OwnServer['urlAt'],
  options: ConstructorParameters<typeof ServerProcess>[0],
): Promise<OwnServer> {
  const process = new ServerProcess(options)
  await process.start()
  return {
    process,
    url: urlAt(process.port),
    urlAt,
    async remove() {
      await process.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
