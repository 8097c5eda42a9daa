import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readConfig, type Config } from '../src/platform/config/config'
import type { Context } from '../src/context'
import type { Random } from '../src/platform/random'
import type { Clock } from '../src/platform/time/clock'
import { createContext } from '../src/app/process/create-context'
import { openDataFolder } from '../src/platform/store/data-folder'
import type { DatabaseKind } from '../src/platform/store/database'
import type { RunCommand } from '../src/operations/command-runner'
import { migratedPostgres, migratedSqlite } from './databases'

/** A whole server without its socket: real database, real ledger, real catalog, in a folder of its own. */
export interface World extends AsyncDisposable {
  readonly ctx: Context
}

export interface WorldOptions {
  kind?: DatabaseKind
  environment?: Record<string, string>
  clock?: Clock
  random?: Random
}

const configs = new Map<string, Config>()

/** Returns what an environment says; most have the same, and reading it takes as long as half of all else. */
function configOf(environment: Record<string, string>): Config {
  const key = JSON.stringify(environment)
  const known = configs.get(key) ?? readConfig({ LOG_LEVEL: 'silent', ...environment })
  configs.set(key, known)
  return known
}

export async function createWorld({
  kind = 'sqlite',
  environment = {},
  clock,
  random,
}: WorldOptions = {}): Promise<World> {
  const path = mkdtempSync(join(tmpdir(), 'tollgate-world-'))
  const server = kind === 'postgres' ? await migratedPostgres() : null
  const own = { DATA_DIR: path, DATABASE_URL: server?.url ?? '' }
  const config = { ...configOf(environment), dataDir: path, databaseUrl: own.DATABASE_URL }
  const folder = openDataFolder(path)
  if (!server) await migratedSqlite(folder.sqlitePath)
  const { context, close } = await createContext(config, folder, `${folder.nodeId}.test.0`, {
    clock,
    random,
    runCommand: runInProcess({ ...own, LOG_LEVEL: 'silent', ...environment }),
  })
  return {
    ctx: context,
    async [Symbol.asyncDispose]() {
      await close()
      await server?.drop()
      rmSync(path, { recursive: true, force: true })
    },
  }
}

/** A process for each command would take half a second to load what this one has loaded. */
const runInProcess =
  (environment: Record<string, string>): RunCommand =>
  async (words) => {
    const { runCommand } = await import('../src/app/commands/run-command')
    const lines: string[] = []
    const code = await runCommand(words, { environment, print: (line) => void lines.push(line) })
    return { code, output: lines.join('\n') }
  }
