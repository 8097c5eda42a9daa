import {
  CompiledQuery,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely'

import type { Database } from '../../src/platform/store/database'
import type { Tables } from '../../src/platform/store/tables'
import { LostConnection } from '../faulty-database'
import type { Backend, Outcome, Session } from './backend'
import { changedBy, type Table } from './committed'
import type { Process } from './process'

/** The process that committed; null for a statement that arrived late. */
type OnCommitted = (process: Process | null, changed: ReadonlySet<Table>) => Promise<void>

/**
 * The fate of a statement: it is executed; it never arrives; it is executed and the response is lost; its sender gets an error and it
 * is executed all the same, some time later.
 */
export type Fate = 'done' | 'refused' | 'answer lost' | 'late'

/** A statement whose sender awaits the response. */
export interface Sent {
  readonly connection: Connection
  readonly compiled: CompiledQuery
  readonly resolve: (result: QueryResult<unknown>) => void
  readonly reject: (error: unknown) => void
  /** Set once it was executed: it waited for a lock, and the response is in flight. */
  readonly outcome?: Outcome
}

/** One connection of one process. */
interface Connection {
  readonly process: Process
  isBroken: boolean
  /** While a transaction is open or a statement waits for a lock. */
  session: Session | null
  /** Tables that the open transaction changed. */
  readonly changed: Set<Table>
}

/**
 * The real schema and the real statements in one database, between many processes. Nothing happens by itself: statements wait
 * until the simulation lets one through, and it decides what becomes of it. Where the database itself makes a statement wait, for
 * a lock of another transaction, the simulation goes on with others until the lock is released.
 */
export class SimulatedStore {
  #sent: Sent[] = []
  #late: CompiledQuery[] = []
  readonly #open = new Set<Connection>()
  /** Statements that wait for a lock of another transaction. */
  #blocked: Sent[] = []
  #onCommitted: OnCommitted = () => Promise.resolve()

  constructor(
    readonly backend: Backend,
    /** Called with errors that are a defect of the ledger even where it handles them. */
    readonly onDefect: (error: unknown) => void,
  ) {}

  /** Called after each commit that changed a table of money. */
  onCommitted(observe: OnCommitted): void {
    this.#onCommitted = observe
  }

  /** No transaction is open. */
  get isFree(): boolean {
    return this.#open.size === 0
  }
  get hasLate(): boolean {
    return this.#late.length > 0
  }

  /** Returns the statements and responses that may arrive now. */
  runnable(): Sent[] {
    return this.#sent.filter((sent) => sent.connection.process.isRunning && this.#canRun(sent))
  }

  /** The database as one process sees it. */
  databaseOf(process: Process): Database {
    const driver: Driver = {
      init: () => Promise.resolve(),
      acquireConnection: () => Promise.resolve(this.#connect(process)),
      beginTransaction: async (connection) => void (await connection.executeQuery(begin)),
      commitTransaction: async (connection) => void (await connection.executeQuery(commit)),
      rollbackTransaction: async (connection) => void (await connection.executeQuery(rollback)),
      releaseConnection: async (connection) => void (await connection.executeQuery(rollback)),
      destroy: () => Promise.resolve(),
    }
    const { kind } = this.backend
    const query = new Kysely<Tables>({
      dialect: {
        createAdapter: () => (kind === 'sqlite' ? new ManyConnections() : new PostgresAdapter()),
        createDriver: () => driver,
        createIntrospector: () => {
          throw new Error('The ledger asks for no schema')
        },
        createQueryCompiler: () => (kind === 'sqlite' ? new SqliteQueryCompiler() : new PostgresQueryCompiler()),
      },
    })
    return { kind, query, longRunning: query, removal: query, close: () => Promise.resolve() }
  }

  /** Lets a statement, or the response to one, arrive. */
  async perform(sent: Sent, fate: Fate): Promise<void> {
    this.#sent = this.#sent.filter((other) => other !== sent)
    const { connection, compiled } = sent
    if (fate === 'refused' || connection.isBroken) await this.#break(connection)
    else if (fate === 'late' && this.#isLoneWrite(sent)) {
      this.#late.push(compiled)
      connection.isBroken = true
    } else {
      const outcome = sent.outcome ?? (await this.#execute(sent))
      if (outcome === null) return void this.#blocked.push(sent)
      if ('error' in outcome) return sent.reject(outcome.error)
      if (fate === 'done') return sent.resolve(outcome.result)
      await this.#break(connection)
    }
    sent.reject(new LostConnection(compiled.sql))
  }

  /** Executes a statement whose sender already got an error. */
  async performLate(): Promise<void> {
    const compiled = this.#late.shift()
    if (!compiled) return
    await this.backend.observer.executeQuery(compiled)
    await this.#notify(null, new Set(changedBy(compiled.sql)))
  }

  /** Statements in flight of a dead process are executed or lost; its transactions are rolled back. */
  async dropProcess(process: Process, isDone: () => boolean): Promise<void> {
    const isOfProcess = ({ connection }: Sent) => connection.process === process
    for (const { connection } of this.#blocked.filter(isOfProcess)) await this.#break(connection)
    for (let sent = this.#sent.find(isOfProcess); sent; sent = this.#sent.find(isOfProcess)) {
      await this.perform(sent, this.#canRun(sent) && isDone() ? 'answer lost' : 'refused')
    }
    for (const { connection } of this.#blocked.filter(isOfProcess)) await this.#break(connection)
    await this.cutOff(process)
    this.#sent = this.#sent.filter((sent) => !isOfProcess(sent))
  }

  /** The server rolls back the transactions of a suspended process. */
  async cutOff(process: Process): Promise<void> {
    for (const connection of this.#open) if (connection.process === process) await this.#break(connection)
  }

  #connect(process: Process): DatabaseConnection {
    const connection: Connection = { process, isBroken: false, session: null, changed: new Set() }
    return {
      executeQuery: <Row>(compiled: CompiledQuery) => this.#send<Row>(connection, compiled),
      streamQuery: () => {
        throw new Error('The ledger streams nothing')
      },
    }
  }

  async #send<Row>(connection: Connection, compiled: CompiledQuery): Promise<QueryResult<Row>> {
    if (compiled.sql === 'rollback') {
      if (this.#open.has(connection)) await this.#rollBack(connection)
      return { rows: [] }
    }
    if (connection.isBroken || connection.process.isDead) throw new LostConnection(compiled.sql)
    const { promise, resolve, reject } = Promise.withResolvers<QueryResult<unknown>>()
    this.#sent.push({ connection, compiled, resolve, reject })
    return (await promise) as QueryResult<Row>
  }

  #canRun({ connection, outcome }: Sent): boolean {
    if (outcome || connection.isBroken || connection.session) return true
    return this.backend.isExclusive ? this.isFree : !this.backend.isFull
  }

  #isLoneWrite({ connection, compiled: { sql }, outcome }: Sent): boolean {
    return !outcome && !this.#open.has(connection) && !sql.startsWith('select') && sql !== 'begin'
  }

  /** Null when the statement waits for a lock. */
  async #execute(sent: Sent): Promise<Outcome | null> {
    const { connection, compiled } = sent
    connection.session ??= await this.backend.acquire()
    const othersOpen = this.#open.size - (this.#open.has(connection) ? 1 : 0)
    const outcome = await connection.session.execute(compiled, othersOpen > 0)
    if (outcome) await this.#complete(sent, outcome)
    return outcome
  }

  async #complete({ connection, compiled }: Sent, outcome: Outcome): Promise<void> {
    if ('error' in outcome) {
      if (isDeadlock(outcome.error)) this.onDefect(new Error(`Deadlock: ${compiled.sql}`, { cause: outcome.error }))
      if (!this.#open.has(connection)) await this.#leave(connection)
      return
    }
    if (compiled.sql === 'begin') {
      this.#open.add(connection)
      connection.changed.clear()
      return
    }
    for (const table of changedBy(compiled.sql)) connection.changed.add(table)
    if (this.#open.has(connection) && compiled.sql !== 'commit') return
    const changed = new Set(connection.changed)
    connection.changed.clear()
    await this.#notify(connection.process, changed)
    await this.#leave(connection)
  }

  /** The transaction of a connection, or its lone statement, is over: statements that waited for its locks go on. */
  async #leave(connection: Connection): Promise<void> {
    this.#open.delete(connection)
    if (connection.session) this.backend.release(connection.session)
    connection.session = null
    for (const sent of this.#blocked) {
      // A statement that continues may release further ones.
      const outcome = this.#blocked.includes(sent) ? await sent.connection.session?.outcome() : null
      if (!outcome || !this.#blocked.includes(sent)) continue
      this.#blocked = this.#blocked.filter((other) => other !== sent)
      this.#sent.push({ ...sent, outcome })
      await this.#complete(sent, outcome)
    }
  }

  async #notify(process: Process | null, changed: ReadonlySet<Table>): Promise<void> {
    if (changed.size > 0) await this.#onCommitted(process, changed)
  }

  async #break(connection: Connection): Promise<void> {
    connection.isBroken = true
    const waiting = this.#blocked.find((sent) => sent.connection === connection)
    if (waiting) {
      this.#blocked = this.#blocked.filter((sent) => sent !== waiting)
      await connection.session?.end()
      // Its sender gets the outcome when it runs again.
      this.#sent.push(waiting)
      await this.#leave(connection)
    } else if (this.#open.has(connection)) await this.#rollBack(connection)
  }

  async #rollBack(connection: Connection): Promise<void> {
    await connection.session?.execute(rollback, false)
    await this.#leave(connection)
  }
}

const begin = CompiledQuery.raw('begin')
const commit = CompiledQuery.raw('commit')
const rollback = CompiledQuery.raw('rollback')

const isDeadlock = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '40P01'

/** A process has as many connections as it likes, as with PostgreSQL. */
class ManyConnections extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true
  }
}
