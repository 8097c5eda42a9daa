import type { CompiledQuery, DatabaseConnection, Dialect, QueryResult } from 'kysely'
import { Worker } from 'node:worker_threads'

import { systemTimers } from '../time/timers'
import { DatabaseUnavailableError } from './database-errors'
import { isBusy } from './file-lock'
import { bindable, sqliteDialectOf, SqliteConnection, SqliteDriver, type Bindable } from './sqlite-driver'

export interface SqliteThreadOptions {
  readonly path: string
  readonly pragmas: readonly string[]
  /** Milliseconds without a statement after which the thread ends and frees its memory. Default: a minute. */
  readonly idleMs?: number
}

/**
 * Kysely's SQLite on a thread of its own with a connection of its own, which begins with the first statement. What reads many pages from the
 * disk, such as removing old rows, holds up no call there; writers of the two connections wait for each other as two processes do.
 * @throws DatabaseUnavailableError when another connection keeps the lock for ten seconds.
 */
export const sqliteThreadDialect = (options: SqliteThreadOptions): Dialect =>
  sqliteDialectOf(() => new ThreadDriver(options))

/** Its users take turns. */
class ThreadDriver extends SqliteDriver {
  readonly #thread: SqliteThread
  #last = Promise.resolve()

  constructor(options: SqliteThreadOptions) {
    super()
    this.#thread = new SqliteThread(options)
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    return new ThreadConnection(this.#thread, resolve)
  }

  async releaseConnection(connection: DatabaseConnection) {
    if (connection instanceof ThreadConnection) connection.release()
  }

  async destroy() {
    await this.#last
    await this.#thread.end()
  }
}

class ThreadConnection extends SqliteConnection {
  constructor(
    readonly thread: SqliteThread,
    readonly release: () => void,
  ) {
    super()
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, changes } = await this.thread.run({ sql, parameters: bindable(parameters) })
    return { rows: rows as Row[], numAffectedRows: BigInt(changes) }
  }
}

interface StatementSent {
  readonly sql: string
  readonly parameters: readonly Bindable[]
}

type Reply =
  | { readonly rows: unknown[]; readonly changes: number }
  | { readonly failure: { readonly message: string; readonly code: string } }

interface Pending {
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: unknown) => void
}

/** The thread, as long as there is one, and the one statement that it runs. */
class SqliteThread {
  readonly #options: SqliteThreadOptions
  #worker: Worker | null = null
  #pending: Pending | null = null
  #cancelEnd = () => {}

  constructor(options: SqliteThreadOptions) {
    this.#options = options
  }

  async run(statement: StatementSent) {
    this.#cancelEnd()
    this.#worker ??= this.#start()
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    this.#pending = { resolve, reject }
    this.#worker.postMessage(statement)
    const reply = await promise
    this.#cancelEnd = systemTimers.after(this.#options.idleMs ?? 60_000, () => void this.end())
    if (!('failure' in reply)) return reply
    const error = Object.assign(new Error(reply.failure.message), { code: reply.failure.code })
    throw isBusy(error) ? new DatabaseUnavailableError(error) : error
  }

  /** Resolves when nothing of it is open any more. */
  async end(): Promise<void> {
    this.#cancelEnd()
    const worker = this.#worker
    this.#worker = null
    if (!worker) return
    await new Promise<void>((resolve) => {
      worker.ref()
      worker.on('exit', () => resolve())
      worker.on('error', () => resolve())
      worker.postMessage('end')
    })
  }

  #start(): Worker {
    const worker = new Worker(`(${statementThread.toString()})()`, { eval: true, workerData: this.#options })
    const forget = (error?: unknown) => {
      if (this.#worker === worker) this.#worker = null
      this.#pending?.reject(new DatabaseUnavailableError(error))
    }
    worker.on('message', (reply: Reply) => this.#pending?.resolve(reply))
    worker.on('error', forget)
    worker.on('exit', () => forget(new Error('The thread has ended')))
    worker.unref()
    return worker
  }
}

/** Runs as the source text of a thread: it cannot use its surroundings. */
async function statementThread(): Promise<void> {
  const { parentPort, workerData } = await import('node:worker_threads')
  const { Database } = await import('bun:sqlite')
  const { path, pragmas } = workerData as { path: string; pragmas: string[] }
  const file = new Database(path, { strict: true })
  for (const pragma of pragmas) file.run(`pragma ${pragma}`)
  type Value = string | number | bigint | boolean | null | Uint8Array
  parentPort?.on('message', (message: 'end' | { sql: string; parameters: Value[] }) => {
    if (message === 'end') {
      file.close()
      parentPort?.close()
      return
    }
    try {
      const statement = file.query(message.sql)
      if (statement.columnNames.length > 0)
        parentPort?.postMessage({ rows: statement.all(...message.parameters), changes: 0 })
      else parentPort?.postMessage({ rows: [], changes: statement.run(...message.parameters).changes })
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      parentPort?.postMessage({ failure: { message: String(error), code } })
    }
  })
}
