import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { RetryingRecovery } from '../../src/app/process/retrying-recovery'
import { recoverNode } from '../../src/app/process/recover'
import { Process } from './process'
import { Worker, type WorkerSurroundings } from './worker'

/** A process takes a moment to start. */
const startMs = 200

/** One machine with a disk: a supervisor and its workers. Everything on it may die; the disk stays. */
export class Node {
  readonly journalFolder: string
  workers: Worker[] = []
  supervisor: Process
  /** Null: it runs. */
  downSince: number | null = null
  #started = 0
  #recovery: RetryingRecovery | null = null

  constructor(
    readonly nodeId: string,
    folder: string,
    readonly slots: number,
    readonly surroundings: WorkerSurroundings,
    readonly onFailure: (error: unknown) => void,
  ) {
    this.journalFolder = join(folder, nodeId)
    mkdirSync(this.journalFolder)
    this.supervisor = new Process(`${nodeId}.supervisor`, surroundings.time)
  }

  /** Starts as the product does: no worker serves before everything left behind is settled. */
  async start(): Promise<void> {
    this.downSince = null
    const supervisor = new Process(`${this.nodeId}.supervisor`, this.surroundings.time)
    this.supervisor = supervisor
    try {
      await this.#recover(supervisor)
      this.#recovery = this.#recoveryBy(supervisor)
      for (let slot = 0; slot < this.slots; slot += 1) this.#spawn()
    } catch (error) {
      this.onFailure(error)
      // The service manager starts it again.
      if (!supervisor.isDead) this.die()
    }
  }

  die(): void {
    this.downSince = this.surroundings.time.ms
    this.supervisor.die()
    for (const worker of this.workers) worker.die()
    this.workers = []
  }

  /** Settles what a dead worker left, and replaces it. */
  async replace(worker: Worker): Promise<void> {
    this.workers = this.workers.filter((other) => other !== worker)
    const { supervisor } = this
    if (supervisor.isDead) return
    await this.#recovery?.begin()
    if (!supervisor.isDead) this.#spawn()
  }

  #recoveryBy(supervisor: Process): RetryingRecovery {
    return new RetryingRecovery({
      recover: () =>
        this.#recover(supervisor).catch((error: unknown) => {
          this.onFailure(error)
          return false
        }),
      wait: (ms) => supervisor.timers.wait(ms),
      isStopping: () => supervisor.isDead,
    })
  }

  #recover(supervisor: Process): Promise<boolean> {
    return recoverNode(this.surroundings.store.databaseOf(supervisor), this, () => this.workers.map(({ id }) => id))
  }

  #spawn() {
    const worker = new Worker(`${this.nodeId}.${(this.#started += 1)}`, this, this.surroundings)
    this.workers.push(worker)
    worker.process.timers.after(startMs, () => {
      worker.start().catch((error: unknown) => {
        this.onFailure(error)
        if (!worker.process.isDead) this.surroundings.onKilled(worker)
      })
    })
  }
}
