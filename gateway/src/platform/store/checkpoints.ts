import { Worker } from 'node:worker_threads'
import { systemTimers } from '../time/timers'

export interface CheckpointOptions {
  readonly path: string
  /** Returns how many rows this connection has changed since it was opened. */
  readonly changes: () => number
  /** Default: every second. */
  readonly everyMs?: number
}

/** Rows changed since the last checkpoint; fewer are not worth the wait for the disk. */
const worthIt = 5000
/** Rows that may wait for a checkpoint while many are changed: the log stays below some 40 MB. */
const maxBehind = 5000
/** A disk that takes longer holds up no work for good. */
const maxWaitMs = 10_000
/** A thread that had nothing to do for this many turns ends, and frees its memory. */
const maxIdleTurns = 60

/**
 * Moves what was written from SQLite's log into its file, on a thread of its own, as long as there is much to write. Each checkpoint waits
 * for the disk some ten to a hundred milliseconds, which would block all calls if it ran on their thread.
 */
export class Checkpoints {
  readonly #path: string
  readonly #changes: () => number
  readonly #endPolls: () => void
  #thread: Worker | null = null
  #seen: number
  /** The rows that were changed when the log was last in the file as a whole. */
  #inFile: number
  #waiting: (() => void)[] = []
  #idleTurns = 0

  static start(options: CheckpointOptions): Checkpoints {
    return new Checkpoints(options)
  }

  private constructor({ path, changes, everyMs = 1000 }: CheckpointOptions) {
    this.#path = path
    this.#changes = changes
    this.#seen = changes()
    this.#inFile = this.#seen
    this.#endPolls = systemTimers.every(everyMs, () => this.#poll())
  }

  /** A thread for checkpoints is running. */
  hasThread(): boolean {
    return this.#thread !== null
  }

  /**
   * Resolves at once while few rows wait for a checkpoint, otherwise after one. Without it the log of someone who changes rows all the time never
   * comes to its end, and grows until the connection itself has to write it.
   */
  async keepUp(): Promise<void> {
    const now = this.#changes()
    if (now - this.#inFile < maxBehind) return
    this.#seen = now
    this.#request()
    await new Promise<void>((resolve) => {
      const cancel = systemTimers.after(maxWaitMs, resolve)
      this.#waiting.push(() => {
        cancel()
        resolve()
      })
    })
    this.#inFile = now
  }

  /** Resolves when nothing of it is open any more. */
  async stop(): Promise<void> {
    this.#endPolls()
    const last = this.#thread
    if (!last) return
    await new Promise<void>((resolve) => {
      last.ref()
      last.on('exit', () => resolve())
      last.on('error', () => resolve())
      last.postMessage('end')
    })
  }

  #poll(): void {
    const now = this.#changes()
    if (now - this.#seen >= worthIt) {
      this.#seen = now
      this.#request()
    } else if (this.#thread && (this.#idleTurns += 1) >= maxIdleTurns) {
      this.#thread.postMessage('end')
      this.#thread = null
    }
  }

  #request(): void {
    this.#idleTurns = 0
    this.#thread ??= this.#startThread()
    this.#thread.postMessage('checkpoint')
  }

  #resolveWaiting(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** A failed thread is replaced when there is more to write; meanwhile the connection checkpoints itself. */
  #startThread(): Worker {
    const thread = new Worker(`(${checkpointThread.toString()})()`, { eval: true, workerData: { path: this.#path } })
    const forget = () => {
      if (this.#thread === thread) this.#thread = null
      this.#resolveWaiting()
    }
    thread.on('message', () => this.#resolveWaiting())
    thread.on('error', forget)
    thread.on('exit', forget)
    thread.unref()
    return thread
  }
}

/** Runs as the source text of a thread: it cannot use its surroundings. */
async function checkpointThread(): Promise<void> {
  const { parentPort, workerData } = await import('node:worker_threads')
  const { Database } = await import('bun:sqlite')
  const file = new Database((workerData as { path: string }).path)
  const checkpoint = file.query<{ busy: number; log: number; checkpointed: number }, []>(
    'pragma wal_checkpoint(passive)',
  )
  /** What is written meanwhile is left over. The log restarts when nothing is left: the next attempt has little to do and may get there. */
  const maxTries = 5
  if (!parentPort) return
  parentPort.on('message', (message: 'checkpoint' | 'end') => {
    if (message === 'end') {
      checkpoint.finalize()
      file.close()
      parentPort.close()
      return
    }
    for (let tries = 0; tries < maxTries; tries += 1) {
      const done = checkpoint.get()
      if (!done || done.busy === 1 || done.log === done.checkpointed) break
    }
    parentPort.postMessage('done')
  })
}
