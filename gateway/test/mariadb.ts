import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { SQL } from 'bun'

/** Debian has the server where only administrators look. */
const program = (name: string) => Bun.which(name, { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` })
const [serverProgram, installProgram] = [program('mariadbd'), program('mariadb-install-db')]

/** Whether tests can start a server of MySQL's kind. The script that makes an empty database asks another program for its defaults. */
export const hasMariaDb = serverProgram !== null && installProgram !== null && program('my_print_defaults') !== null

export interface MariaDb extends AsyncDisposable {
  /** Resolves with the URL of a new database, after these statements. */
  create(statements: readonly string[]): Promise<string>
}

const maxTries = 600
const pauseMs = 50

/** Starts a server with a folder of its own. */
export async function startMariaDb(): Promise<MariaDb> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-mariadb-'))
  const places = ['--no-defaults', `--datadir=${join(folder, 'data')}`]
  const quiet = { stdout: 'ignore', stderr: 'ignore' } as const
  const install = [installProgram ?? '', ...places, '--auth-root-authentication-method=normal', '--skip-test-db']
  if ((await Bun.spawn(install, quiet).exited) !== 0) throw new Error('An empty database of MariaDB could not be made')
  const port = freePort()
  const listen = [`--socket=${join(folder, 'socket')}`, '--bind-address=127.0.0.1', `--port=${port}`, '--user=root']
  const server = Bun.spawn([serverProgram ?? '', ...places, ...listen, '--character-set-server=utf8mb4'], quiet)
  const urlOf = (database: string) => `mysql://root@127.0.0.1:${port}/${database}`
  const client = await connect(urlOf('mysql'))
  let databases = 0
  return {
    async create(statements) {
      const name = `site_${(databases += 1)}`
      await client.unsafe(`create database ${name}`)
      await using database = new SQL(urlOf(name), { max: 1 })
      for (const statement of statements) await database.unsafe(statement)
      return urlOf(name)
    },
    async [Symbol.asyncDispose]() {
      await client.close()
      server.kill()
      await server.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function freePort(): number {
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } })
  listener.stop(true)
  return listener.port
}

/** The server takes seconds to start. */
async function connect(url: string): Promise<SQL> {
  for (let tries = 1; ; tries += 1) {
    const client = new SQL(url, { max: 1 })
    try {
      await client.unsafe('select 1')
      return client
    } catch (error) {
      if (tries === maxTries) throw error
      await Bun.sleep(pauseMs)
    }
  }
}
