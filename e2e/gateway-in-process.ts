import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Clock } from '../gateway/src/platform/time/clock'
import type { Timers } from '../gateway/src/platform/time/timers'
import { readConfig } from '../gateway/src/platform/config/config'
import { prepareNode } from '../gateway/src/app/process/prepare-node'
import { queryOwnWorker, startWorker } from '../gateway/src/app/process/start-worker'
import { openDataFolder } from '../gateway/src/platform/store/data-folder'
import { commandRunner } from '../gateway/src/operations/command-runner'
import { migratedSqlite } from '../gateway/test/databases'
import { freePort, metricsVariable, type Gateway, type GatewayOptions } from './gateway'

export interface InProcessOptions extends Pick<GatewayOptions, 'dataDir' | 'port' | 'databaseUrl' | 'env'> {
  /** Default: the machine's. */
  readonly clock?: Clock
  readonly timers?: Timers
}

const program = join(import.meta.dir, '../gateway/src/main.ts')

let started = 0

/** Starts a gateway of one worker within this process, on a port of its own. */
export async function startInProcess(options: InProcessOptions = {}): Promise<Gateway> {
  const { dataDir = mkdtempSync(join(tmpdir(), 'tollgate-e2e-')), port = freePort(), databaseUrl = '' } = options
  const environment = {
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'warn',
    SHUTDOWN_TIMEOUT: '10',
    ...metricsVariable,
    ...options.env,
  }
  const config = readConfig(environment)
  const folder = openDataFolder(dataDir)
  if (databaseUrl === '' && !existsSync(folder.sqlitePath)) await migratedSqlite(folder.sqlitePath)
  const { setupCode } = await prepareNode(config, folder, () => {})
  const output: string[] = []
  const worker = await startWorker(config, folder, {
    workerId: `${folder.nodeId}.${Date.now().toString(36)}.${started++}`,
    setupCode,
    queryNodeWorkers: queryOwnWorker,
    contextParts: {
      clock: options.clock,
      timers: options.timers,
      logTo: { write: (line) => void output.push(line) },
      runCommand: commandRunner([process.execPath, program], environment),
    },
  })
  let stopped: Promise<number> | undefined
  const stop = () => (stopped ??= worker.stop().then(() => 0))
  return {
    url: worker.url,
    port,
    dataDir,
    output: () => output.join(''),
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
