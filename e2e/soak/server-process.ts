import { freePort, childrenOf } from '../gateway'
import { until } from '../ledger-view'

export interface ServerOptions {
  /** Returns the command for this port. */
  readonly command: (port: number) => string[]
  /** Whether it responds to requests, not only to connections. */
  readonly responses: (port: number) => Promise<boolean>
  readonly cwd: string
}

/** A database server process that can be stopped and killed in every way and restarts on the same port. */
export class ServerProcess {
  readonly port = freePort()
  #child: Bun.Subprocess | null = null

  constructor(private readonly options: ServerOptions) {
    process.once('exit', () => this.#signalAll('SIGKILL'))
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Starts it if it is not running, and waits until it responds. */
  async start(): Promise<void> {
    const responses = () => this.options.responses(this.port).catch(() => false)
    const isUp = await until(
      async () => {
        if (!this.isRunning) this.#spawn()
        return responses()
      },
      (isUp) => isUp,
      startTimeoutMs,
    )
    if (!isUp) throw new Error(`${this.options.command(this.port)[0]} does not answer on port ${this.port}`)
  }

  /** Sends this signal and waits until it has exited. */
  async stop(signal: NodeJS.Signals): Promise<void> {
    if (!this.isRunning) return
    this.resume()
    this.#child?.kill(signal)
    await this.#child?.exited
  }

  /** Sends SIGKILL to it and its children at the same moment. */
  async kill(): Promise<void> {
    const family = this.#family()
    this.#signalAll('SIGKILL')
    await this.#child?.exited
    // A child that is still exiting would keep the successor from starting.
    await until(
      async () => family.some(isAlive),
      (isAny) => !isAny,
    )
  }

  pause(): void {
    this.#signalAll('SIGSTOP')
  }

  resume(): void {
    this.#signalAll('SIGCONT')
  }

  #spawn() {
    const [program = '', ...parameters] = this.options.command(this.port)
    this.#child = Bun.spawn([program, ...parameters], {
      cwd: this.options.cwd,
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
    })
  }

  #family(): number[] {
    if (!this.isRunning || !this.#child) return []
    return [this.#child.pid, ...childrenOf(this.#child.pid)]
  }

  #signalAll(signal: NodeJS.Signals) {
    for (const id of this.#family()) signalTo(id, signal)
  }
}

const startTimeoutMs = 20_000

/** Sends a signal to a process that may have exited already. */
export function signalTo(processId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(processId, signal)
  } catch {
    return false
  }
}

const isAlive = (processId: number): boolean => signalTo(processId, 0)
