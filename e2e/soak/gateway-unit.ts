import { childrenOf, freePort, startGateway, type GatewayProcess, type GatewayOptions } from '../gateway'
import type { MovableClock } from './clock'
import { signalTo } from './server-process'

export interface UnitOptions extends GatewayOptions {
  readonly dataDir: string
  readonly workers: number
  /** Null: it cannot be changed. */
  readonly clock: MovableClock | null
}

/** One gateway of the site: it is stopped and started, its port and folder stay. */
export class GatewayUnit {
  readonly port = freePort()
  readonly url = `http://127.0.0.1:${this.port}`
  #gateway: GatewayProcess | null = null
  #starting: Promise<void> | null = null
  /** Processes that were killed. */
  kills = 0
  #limits: [processId: number, limit: string][] = []

  constructor(readonly options: UnitOptions) {}

  get isRunning(): boolean {
    return this.#gateway?.isRunning() ?? false
  }

  /** Its output, for the report of a failed round. */
  output(): string {
    return this.#gateway?.output() ?? ''
  }

  /** Starts it if it is not running, and waits until it is ready. */
  start(): Promise<void> {
    this.#starting ??= this.#start().finally(() => (this.#starting = null))
    return this.#starting
  }

  async #start(): Promise<void> {
    if (this.isRunning) return
    this.#gateway = await startGateway({ ...this.options, port: this.port })
  }

  workerIds(): number[] {
    return this.isRunning ? (this.#gateway?.workerIds() ?? []) : []
  }

  async kill(): Promise<void> {
    if (!this.isRunning) return
    this.kills += this.#family().length
    await this.#gateway?.kill()
  }

  killWorker(id: number): void {
    this.kills += 1
    signalTo(id, 'SIGKILL')
  }

  /** Stops it gracefully. Resolves with the exit code. */
  async stop(): Promise<number> {
    if (!this.isRunning) return 0
    this.resume()
    return (await this.#gateway?.stop()) ?? 0
  }

  pause(processIds: readonly number[] = this.#family()): void {
    for (const id of processIds) signalTo(id, 'SIGSTOP')
  }

  resume(): void {
    for (const id of this.#family()) signalTo(id, 'SIGCONT')
  }

  /** Limits its workers to this many more files and sockets than they have open; below zero, to none until some are closed. */
  limitFiles(more: number): void {
    for (const id of this.workerIds()) {
      const before = softLimitOf(id)
      if (before === null) continue
      this.#limits.push([id, before])
      setSoftLimit(id, String(openFilesOf(id) + more))
    }
  }

  unlimitFiles(): void {
    for (const [id, limit] of this.#limits.splice(0)) setSoftLimit(id, limit)
  }

  #family(): number[] {
    const id = this.isRunning ? this.#gateway?.processId : undefined
    return id === undefined ? [] : [id, ...childrenOf(id)]
  }
}

function softLimitOf(processId: number): string | null {
  const { exitCode, stdout } = Bun.spawnSync(['prlimit', '-p', String(processId), '-n', '-o', 'SOFT', '--noheadings'])
  return exitCode === 0 ? stdout.toString().trim() : null
}

const setSoftLimit = (processId: number, limit: string) =>
  Bun.spawnSync(['prlimit', '-p', String(processId), `--nofile=${limit}:`])

const openFilesOf = (processId: number): number =>
  Bun.spawnSync(['ls', `/proc/${processId}/fd`])
    .stdout.toString()
    .split('\n').length
