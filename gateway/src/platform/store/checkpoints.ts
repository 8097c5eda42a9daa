import { Worker } from 'node:worker_threads'
import { systemTimers } from '../time/timers'

/** Moves what was written from SQLite's log into its file. */
export interface Checkpoints {
  /** A thread for checkpoints is running. */
  hasThread(): boolean
  /** Resolves when nothing of it is open any more. */
  stop(): Promise<void>
}

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
 * Runs checkpoints on a thread of its own, as long as there is much to write. Each waits for the disk some ten to a hundred milliseconds,
 * which would block all calls if it ran on their thread.
 */
export function startCheckpoints({ path, changes, everyMs = 1000 }: CheckpointOptions): Checkpoints {
  let thread: Worker | null = null
  let seen = changes()
  let idleTurns = 0

  /** A failed thread is replaced when there is more to write; meanwhile the connection checkpoints itself. */
  function start(): Worker {
    const started = new Worker(`(${checkpointThread.toString()})()`, { eval: true, workerData: { path } })
    const forget = () => {
      if (thread === started) thread = null
    }
    started.on('error', forget)
    started.on('exit', forget)
    started.unref()
    return started
  }

  function poll() {
    const now = changes()
    if (now - seen >= worthIt) {
      seen = now
      idleTurns = 0
      thread ??= start()
      thread.postMessage('checkpoint')
    } else if (thread && (idleTurns += 1) >= maxIdleTurns) {
      thread.postMessage('end')
      thread = null
    }
  }

  const endLooks = systemTimers.every(everyMs, poll)
  return {
    hasThread: () => thread !== null,
    async stop() {
      endLooks()
      const last = thread
      if (!last) return
      await new Promise<void>((resolve) => {
        last.ref()
        last.on('exit', () => resolve())
        last.on('error', () => resolve())
        last.postMessage('end')
      })
    },
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
