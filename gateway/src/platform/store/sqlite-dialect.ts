import type { Database as SqliteFile, Statement } from 'bun:sqlite'

import type { CompiledQuery, DatabaseConnection, Dialect, QueryResult } from 'kysely'

import { lruCache } from '../lru-cache'
import { DatabaseUnavailableError } from './database-errors'
import { nextTurn, systemTimers } from '../time/timers'
import { isBusy } from './file-lock'
import { bindable, commit, rollback, sqliteDialectOf, SqliteConnection, SqliteDriver } from './sqlite-driver'

export interface SqliteDialectOptions {
  /** How long a write waits for the write lock of another process. Default: 10 seconds. */
  readonly lockTimeoutMs?: number
}

/**
 * Kysely's SQLite on `bun:sqlite`, for a file whose `busy_timeout` is 0. SQLite waits for another process's write lock by putting the
 * thread to sleep, and with it every call and every stream of the worker. Here a write that needs the lock retries, and reads of the same
 * file go on meanwhile.
 * @throws DatabaseUnavailableError when another process keeps the lock for longer than the patience.
 */
export const sqliteDialect = (file: SqliteFile, { lockTimeoutMs = 10_000 }: SqliteDialectOptions = {}): Dialect =>
  sqliteDialectOf(() => new FileDriver(new SharedFile(file, lockTimeoutMs)))

class FileDriver extends SqliteDriver {
  constructor(readonly shared: SharedFile) {
    super()
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new FileConnection(this.shared)
  }

  async releaseConnection(connection: DatabaseConnection) {
    if (connection instanceof FileConnection) await connection.release()
  }

  async destroy() {
    this.shared.file.close()
  }
}

/** One user of the file: the only one from the beginning of its transaction to the end. */
class FileConnection extends SqliteConnection {
  #isInside = false

  constructor(readonly shared: SharedFile) {
    super()
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#isInside) {
      if (sql === rollback.sql) return this.#rollBack()
      if (this.shared.isLong) await this.shared.yieldToOthers()
      return this.#runInside<Row>(sql, parameters)
    }
    const result = await this.shared.runAlone<Row>(sql, parameters, sql.startsWith('begin'))
    this.#isInside = sql.startsWith('begin')
    return result
  }

  #runInside<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    const result = this.shared.run<Row>(sql, parameters)
    // A failed commit is rolled back by its caller.
    if (sql === commit.sql) this.#leave()
    return result
  }

  /** SQLite may have rolled back by itself, for lack of space. */
  #rollBack(): QueryResult<never> {
    try {
      if (this.shared.file.inTransaction) this.shared.run(rollback.sql, [])
      return { rows: [] }
    } finally {
      this.#leave()
    }
  }

  /** Rolls back what was begun and not ended. */
  async release(): Promise<void> {
    if (this.#isInside) this.#rollBack()
  }

  #leave(): void {
    this.#isInside = false
    this.shared.leave()
  }
}

/** Enough for every statement on the path of a call; lists of ids make many texts of one query. */
const cachedStatements = 500
/** A transaction keeps the thread no longer than this, and its last statement. */
const maxStretchMs = 1
/** Statements that follow one another keep the thread no longer than this, and the last of them. */
const maxHeldMs = 8
const minPauseMs = 1
const maxPauseMs = 20

/** The file and its queue of users. */
class SharedFile {
  /** Cached by text, here because the runtime's own cache is limited to twenty. */
  readonly #statements = lruCache<string, Prepared>(cachedStatements)
  #isTaken = false
  /** For how long statements kept the thread since others last had their turn. */
  #heldMs = 0
  /** Until when the open transaction may keep the thread. */
  #untilMs = 0
  readonly #waiting: (() => void)[] = []

  constructor(
    readonly file: SqliteFile,
    readonly lockTimeoutMs: number,
  ) {}

  /** Runs a statement when no transaction is open and no other process has the lock it needs; then keeps the turn or not. */
  async runAlone<Row>(sql: string, parameters: readonly unknown[], keepsTurn: boolean): Promise<QueryResult<Row>> {
    let deadline = 0
    if (this.#heldMs > maxHeldMs) {
      this.#heldMs = 0
      await nextTurn()
    }
    for (let pauseMs = minPauseMs; ; pauseMs = Math.min(maxPauseMs, pauseMs * 2)) {
      if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve))
      this.#isTaken = true
      let isTurnHeld = false
      const startedAt = performance.now()
      try {
        const result = this.run<Row>(sql, parameters)
        isTurnHeld = keepsTurn
        const endedAt = performance.now()
        this.#heldMs += endedAt - startedAt
        this.#untilMs = endedAt + maxStretchMs
        return result
      } catch (error) {
        if (!isBusy(error)) throw error
        const now = performance.now()
        deadline ||= now + this.lockTimeoutMs
        if (now >= deadline) throw new DatabaseUnavailableError(error)
      } finally {
        if (!isTurnHeld) this.leave()
      }
      await systemTimers.wait(pauseMs)
    }
  }

  run<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    const prepared = this.#prepare(sql)
    const values = bindable(parameters)
    if (prepared.isReader) return { rows: prepared.statement.all(...values) as Row[] }
    const { changes, lastInsertRowid } = prepared.statement.run(...values)
    return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] }
  }

  /** The open transaction has kept the thread for a while. */
  get isLong(): boolean {
    return performance.now() > this.#untilMs
  }

  /** Lets what waits for the thread go first: calls wait for a few statements of a transaction, not for all of it. */
  async yieldToOthers(): Promise<void> {
    await nextTurn()
    this.#untilMs = performance.now() + maxStretchMs
  }

  /** The turn goes straight to the user that waited longest. */
  leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#isTaken = false
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.file.prepare(sql === 'begin' ? 'begin immediate' : sql)
    const prepared = { statement, isReader: statement.columnNames.length > 0 }
    this.#statements.set(sql, prepared)
    return prepared
  }
}

interface Prepared {
  readonly statement: Statement
  readonly isReader: boolean
}
