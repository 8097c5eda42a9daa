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
  #idleTurns = 0

  static start(options: CheckpointOptions): Checkpoints {
    return new Checkpoints(options)
  }

  private constructor({ path, changes, everyMs = 1000 }: CheckpointOptions) {
    this.#path = path
    this.#changes = changes
    this.#seen = changes()
    this.#endPolls = systemTimers.every(everyMs, () => this.#poll())
  }

  /** A thread for checkpoints is running. */
  hasThread(): boolean {
    return this.#thread !== null
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
      this.#idleTurns = 0
      this.#thread ??= this.#startThread()
      this.#thread.postMessage('checkpoint')
    } else if (this.#thread && (this.#idleTurns += 1) >= maxIdleTurns) {
      this.#thread.postMessage('end')
      this.#thread = null
    }
  }

  /** A failed thread is replaced when there is more to write; meanwhile the connection checkpoints itself. */
  #startThread(): Worker {
    const thread = new Worker(`(${checkpointThread.toString()})()`, { eval: true, workerData: { path: this.#path } })
    const forget = () => {
      if (this.#thread === thread) this.#thread = null
    }
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
  parentPort?.on('message', (message: 'checkpoint' | 'end') => {
    if (message === 'end') {
      checkpoint.finalize()
      file.close()
      parentPort.close()
      return
    }
    for (let tries = 0; tries < maxTries; tries += 1) {
      const done = checkpoint.get()
      if (!done || done.busy === 1 || done.log === done.checkpointed) return
    }
  })
}
