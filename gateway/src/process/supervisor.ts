import type { Subprocess } from 'bun'
import { sql } from 'kysely'

import type { Config } from '../config'
import { openDatabase } from '../store/database'
import { migrate } from '../store/migrate'
import { lockFolder, openDataFolder, type DataFolder } from './data-folder'
import { MetricsExchange } from './metrics-of-all'
import { ordersVariable, type WorkerMessage, type WorkerOrders } from './orders'
import { PatientRecovery } from './patient-recovery'
import { recoverNode } from './recover'
import { makeSetupCode } from './setup-notice'

/**
 * The process an operator starts. It owns the data folder, brings the database up to date, settles what a crash left,
 * and keeps the workers running: they answer the calls and share the port.
 */
export async function supervise(config: Config, print: (line: string) => void): Promise<number> {
  const folder = openDataFolder(config.dataDir)
  using _lock = lockFolder(folder)
  const setupCode = await prepare(config, folder)
  const workers = new Workers(config, folder, setupCode, print)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => workers.stop())
  workers.start()

  const address = await Promise.race([workers.listening, workers.ended])
  if (typeof address === 'string') {
    print(`Tollgate listens on ${address}`)
    if (setupCode) print(`Set-up code for the first visit: ${setupCode}`)
  }
  return workers.ended
}

/** The database up to date and settled, and the set-up code where a first visitor could be a stranger. */
async function prepare(config: Config, folder: DataFolder): Promise<string> {
  await updateSchema(config, folder)
  const database = openDatabase(config, folder.sqlitePath)
  try {
    await recoverNode(database, folder, () => [])
    return await makeSetupCode(config, database)
  } finally {
    await database.close()
  }
}

/** An index of a large table may take minutes to make, and is not given up. */
const schemaTimeoutMs = 3_600_000

async function updateSchema(config: Config, folder: DataFolder): Promise<void> {
  const database = openDatabase(config, folder.sqlitePath, { connections: 2, answerTimeoutMs: schemaTimeoutMs })
  try {
    await migrate(database)
  } finally {
    await database.close()
  }
}

/** A worker that dies more often than this within a minute takes the gateway down: something is wrong that a restart does not cure. */
const restartsAMinute = 10
/** Between two questions whether the database is back. */
const databasePauseMs = 500

interface WorkerProcess {
  readonly id: string
  readonly child: Subprocess
}

class Workers {
  readonly listening: Promise<string>
  readonly ended: Promise<number>
  readonly #running = new Map<number, WorkerProcess>()
  readonly #listens = Promise.withResolvers<string>()
  readonly #ends = Promise.withResolvers<number>()
  readonly #metrics = new MetricsExchange()
  readonly #recovery = new PatientRecovery({
    recover: () => this.#recover(),
    wait: (ms) => Bun.sleep(ms),
    isStopping: () => this.#isStopping,
  })
  #started = 0
  #restarts: number[] = []
  #isStopping = false
  #code = 0

  constructor(
    readonly config: Config,
    readonly folder: DataFolder,
    readonly setupCode: string,
    readonly print: (line: string) => void,
  ) {
    this.listening = this.#listens.promise
    this.ended = this.#ends.promise
  }

  start() {
    for (let slot = 0; slot < this.config.workers; slot++) this.#spawn(slot)
  }

  /** Ask every worker to finish its calls; a second request changes nothing. */
  stop() {
    this.#isStopping = true
    for (const { child } of this.#running.values()) child.kill('SIGTERM')
    if (this.#running.size === 0) this.#ends.resolve(this.#code)
  }

  #spawn(slot: number) {
    const id = `${this.folder.nodeId}.${Date.now().toString(36)}.${this.#started++}`
    const orders: WorkerOrders = { workerId: id, setupCode: this.setupCode }
    const child = Bun.spawn(workerCommand(), {
      env: { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: '65535', [ordersVariable]: JSON.stringify(orders) },
      stdin: 'ignore',
      stdout: 'inherit',
      stderr: 'inherit',
      serialization: 'json',
      ipc: (message, sender) => this.#heard(message as WorkerMessage, sender),
      onExit: (ended, code) => void this.#exited(slot, code, ended.signalCode),
    })
    this.#running.set(slot, { id, child })
  }

  #heard(message: WorkerMessage, sender: Subprocess) {
    if (message.kind === 'listening') this.#listens.resolve(message.url)
    else if (message.kind === 'metrics') this.#metrics.take(message.question, message.values)
    else {
      const all = [...this.#running.values()].map(({ child }) => child)
      void this.#metrics.collect(all, sender, message.question)
    }
  }

  async #exited(slot: number, code: number | null, signal: Subprocess['signalCode']) {
    this.#running.delete(slot)
    if (this.#isStopping) {
      // A worker told to stop while it was still starting dies of the signal itself: it had nothing to finish.
      if (code !== 0 && signal !== 'SIGTERM') this.#code = 1
      if (this.#running.size === 0) this.#ends.resolve(this.#code)
      return
    }
    if (this.#isHopeless()) {
      this.print('The workers keep dying; giving up.')
      this.#code = 1
      return this.stop()
    }
    await this.#recovery.begin()
    await this.#untilDatabaseAnswers()
    if (!this.#isStopping) this.#spawn(slot)
  }

  /** What the dead worker had journaled is charged and its leases return before another takes its place. */
  async #recover(): Promise<boolean> {
    const database = openDatabase(this.config, this.folder.sqlitePath)
    try {
      return await recoverNode(database, this.folder, () => [...this.#running.values()].map(({ id }) => id))
    } catch (error) {
      this.print(`A worker's leases could not be settled yet, it is tried again: ${String(error)}`)
      return false
    } finally {
      await database.close()
    }
  }

  /** Without it a worker does not start: one after the other would die, until the gateway gives up and takes down those that serve. */
  async #untilDatabaseAnswers(): Promise<void> {
    const database = openDatabase(this.config, this.folder.sqlitePath)
    const answers = () =>
      sql`select 1`.execute(database.query).then(
        () => true,
        () => false,
      )
    try {
      while (!this.#isStopping && !(await answers())) await Bun.sleep(databasePauseMs)
    } finally {
      await database.close()
    }
  }

  #isHopeless(): boolean {
    const now = performance.now()
    this.#restarts = [...this.#restarts.filter((at) => now - at < 60_000), now]
    return this.#restarts.length > restartsAMinute
  }
}

/** This program again: the executable alone when it is compiled, else the runtime and the entry file. */
function workerCommand(): string[] {
  const isCompiled = Bun.main.startsWith('/$bunfs/') || Bun.main.includes('~BUN')
  return isCompiled ? [process.execPath] : [process.execPath, Bun.main]
}
