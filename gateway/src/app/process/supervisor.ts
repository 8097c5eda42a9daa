import type { Subprocess } from 'bun'

import { dataDirOf } from '../../platform/config/data-dir'
import type { LogWriter } from '../../platform/telemetry/log/log-writer'
import { supervisorSeries, type WorkerCounts } from '../../platform/telemetry/metrics/process-series'
import { lockFolder, openDataFolder, type DataFolder } from '../../platform/store/data-folder'
import { decodeLaunchers, launchersVariable, watchLaunchers, workerEnvironment } from './launchers'
import { sendTo, WorkersExchange } from './query-workers'
import {
  readWorkerMessage,
  type Listening,
  type Prepared,
  type SupervisorMessage,
  type WorkerMessage,
} from './messages'
import { cannotStartCode, type WorkerOrders } from './orders'
import { RetryingRecovery } from './retrying-recovery'
import { programCommand } from './program'
import { showSetupCode } from './setup-notice'
import { systemTimers } from '../../platform/time/timers'

/**
 * The process an operator starts. It owns the data folder and keeps the workers running: they handle the calls and share the port. The
 * first of them checks the configuration, brings the database up to date and settles what a crash left; the others start when it has. The
 * database and configuration modules are loaded here only when a worker has died: they would delay the start, and stay in memory for
 * nothing.
 */
export async function supervise(
  environment: Environment,
  writeLog: LogWriter,
  workerCommand: readonly string[] = programCommand(),
): Promise<number> {
  const folder = openDataFolder(dataDirOf(environment))
  using _lock = lockFolder(folder)
  const workers = new Workers(environment, folder, writeLog, workerCommand)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => workers.stop(signal))
  const launchers = decodeLaunchers(environment[launchersVariable] ?? '')
  watchLaunchers(launchers, () => workers.stop('the command that started the gateway has ended'))
  workers.start()

  const listening = await Promise.race([workers.listening, workers.ended])
  if (typeof listening === 'object') {
    writeLog('info', `Tollgate listens on ${listening.url}`, listening.setting)
    showSetupCode({ code: workers.setupCode ?? '', url: listening.url }, folder, writeLog)
  }
  // Awaited here: the lock is released when this function returns.
  const code = await workers.ended
  if (workers.isStopRequested) writeLog('info', 'Tollgate has stopped', { code })
  return code
}

/** A worker that dies more often than this within a minute takes the gateway down: something is wrong that a restart does not cure. */
const restartsAMinute = 10

type Environment = Record<string, string | undefined>

interface WorkerProcess {
  readonly id: string
  readonly child: Subprocess
}

class Workers {
  readonly listening: Promise<Listening>
  readonly ended: Promise<number>
  /** Unknown until the first worker has prepared the node. */
  setupCode: string | undefined
  readonly #running = new Map<number, WorkerProcess>()
  readonly #listens = Promise.withResolvers<Listening>()
  readonly #ends = Promise.withResolvers<number>()
  readonly #series = supervisorSeries(() => this.#counts())
  readonly #exchange = new WorkersExchange((topic) =>
    topic === 'metrics' ? [this.#series.map((series) => series.read())] : [],
  )
  readonly #recovery = new RetryingRecovery({
    recover: () => this.#recover(),
    wait: (ms) => systemTimers.wait(ms),
    isStopping: () => this.#isStopping,
  })
  #started = 0
  #restarts: number[] = []
  #workerTarget = 1
  #replaced = 0
  #hasListened = false
  #isStopping = false
  #isStopRequested = false
  #code = 0

  constructor(
    readonly environment: Environment,
    readonly folder: DataFolder,
    readonly writeLog: LogWriter,
    readonly workerCommand: readonly string[],
  ) {
    this.listening = this.#listens.promise
    this.ended = this.#ends.promise
  }

  start() {
    this.#spawn(0)
  }

  /** Stopped on request, and not because of a failure. */
  get isStopRequested(): boolean {
    return this.#isStopRequested
  }

  /** Asks every worker to finish its calls; a second request changes nothing. */
  stop(reason: string) {
    if (!this.#isStopping) this.writeLog('info', 'Tollgate stops: calls in flight may end', { reason })
    this.#isStopRequested = true
    this.#isStopping = true
    this.#terminateWorkers()
  }

  #terminateWorkers() {
    for (const { child } of this.#running.values()) child.kill('SIGTERM')
    if (this.#running.size === 0) this.#ends.resolve(this.#code)
  }

  #spawn(slot: number) {
    const id = `${this.folder.nodeId}.${Date.now().toString(36)}.${this.#started++}`
    const orders: WorkerOrders = { workerId: id, setupCode: this.setupCode }
    const child = Bun.spawn([...this.workerCommand], {
      env: workerEnvironment(this.environment, orders),
      stdin: 'ignore',
      stdout: 'inherit',
      stderr: 'inherit',
      serialization: 'json',
      ipc: (message, sender) => this.#heard(readWorkerMessage(message), sender),
      onExit: (ended, code) => void this.#handleExit(slot, code, ended.signalCode),
    })
    this.#running.set(slot, { id, child })
  }

  #heard(message: WorkerMessage | null, sender: Subprocess) {
    if (message === null) return
    if (message.kind === 'prepared') this.#handlePrepared(message)
    else if (message.kind === 'listening') this.#handleListening(message)
    else if (message.kind === 'answer') this.#exchange.take(message.question, message.value)
    else if (message.kind === 'health') this.#passOn(message, sender)
    else {
      const all = [...this.#running.values()].map(({ child }) => child)
      void this.#exchange.collect(all, sender, message)
    }
  }

  /** What one worker learned about a channel spares the others the same failures. */
  #passOn(message: SupervisorMessage, sender: Subprocess) {
    for (const { child } of this.#running.values()) if (child !== sender) sendTo(child, message)
  }

  #handleListening(message: Listening) {
    this.#hasListened = true
    this.#listens.resolve(message)
  }

  #handlePrepared({ setupCode, isSettled, workers }: Prepared) {
    this.setupCode = setupCode
    this.#workerTarget = workers
    if (this.#isStopping) return
    // What the first worker could not settle does not wait until another one dies.
    if (!isSettled) void this.#recovery.begin()
    for (let slot = 1; slot < workers; slot++) this.#spawn(slot)
  }

  async #handleExit(slot: number, code: number | null, signal: Subprocess['signalCode']) {
    const worker = this.#running.get(slot)?.id
    this.#running.delete(slot)
    if (this.#isStopping) {
      // A worker that is stopped while it is still starting dies of the signal itself: it had nothing to finish.
      if (code !== 0 && signal !== 'SIGTERM') this.#code = 1
      if (this.#running.size === 0) this.#ends.resolve(this.#code)
      return
    }
    // It has reported why the node could not be prepared.
    if (this.setupCode === undefined || (code === cannotStartCode && !this.#hasListened)) return this.#giveUp()
    this.writeLog('warn', 'A worker died', { worker, code, signal })
    if (this.#isHopeless()) {
      this.writeLog('error', 'The workers keep dying: giving up')
      return this.#giveUp()
    }
    await this.#recovery.begin()
    const { awaitDatabaseResponse } = await import('./settle-dead-workers')
    await awaitDatabaseResponse(this.environment, this.folder, () => this.#isStopping)
    if (this.#isStopping) return
    this.#spawn(slot)
    this.#replaced += 1
    this.writeLog('info', 'Another worker takes its place', { worker: this.#running.get(slot)?.id, replaces: worker })
  }

  #giveUp() {
    this.#code = 1
    this.#isStopping = true
    this.#terminateWorkers()
  }

  /** What the dead worker had journaled is charged and its leases are returned before another takes its place. */
  async #recover(): Promise<boolean> {
    try {
      const { settleDeadWorkers } = await import('./settle-dead-workers')
      const live = () => [...this.#running.values()].map(({ id }) => id)
      return await settleDeadWorkers(this.environment, this.folder, live)
    } catch (error) {
      this.writeLog('warn', 'What a dead worker left could not be settled yet; retrying', { error })
      return false
    }
  }

  #counts(): WorkerCounts {
    return { target: this.#workerTarget, alive: this.#running.size, restarts: this.#replaced }
  }

  #isHopeless(): boolean {
    const now = performance.now()
    this.#restarts = [...this.#restarts.filter((at) => now - at < 60_000), now]
    return this.#restarts.length > restartsAMinute
  }
}
