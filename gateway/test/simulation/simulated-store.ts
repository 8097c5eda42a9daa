import {
  CompiledQuery,
  Kysely,
  SqliteAdapter,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely'

import { openSqlite, type Database } from '../../src/store/database'
import { migrate } from '../../src/store/migrate'
import type { Tables } from '../../src/store/tables'
import { LostConnection } from '../faulty-database'
import { changedBy, type Table } from './committed'
import type { Process } from './process'

/** By whom; null: it came late. */
type OnCommitted = (process: Process | null, changed: ReadonlySet<Table>) => Promise<void>

/**
 * What becomes of a statement: it is done; it never arrives; it is done and the answer is lost; its sender is told that
 * it failed and it is done all the same, some time later.
 */
export type Fate = 'done' | 'refused' | 'answer lost' | 'late'

/** A statement that was sent and is not done yet. */
export interface Sent {
  readonly connection: Connection
  readonly compiled: CompiledQuery
  readonly resolve: (result: QueryResult<unknown>) => void
  readonly reject: (error: unknown) => void
}

/** One connection of one process. */
interface Connection {
  readonly process: Process
  isBroken: boolean
}

/**
 * The real schema and the real statements in one SQLite in memory, between many processes. Nothing happens by itself:
 * statements wait until the simulation lets one through, and it decides what becomes of it. A transaction keeps all
 * others out, as SQLite's write lock does.
 */
export class SimulatedStore {
  #sent: Sent[] = []
  #late: CompiledQuery[] = []
  /** Whoever has a transaction open. */
  #holder: Connection | null = null
  #onCommitted: OnCommitted = () => Promise.resolve()
  /** What the open transaction changed. */
  #changed = new Set<Table>()

  private constructor(
    readonly real: DatabaseConnection,
    readonly close: () => Promise<void>,
  ) {}

  /** `prepare` fills the tables before anything begins. */
  static async open(prepare: (database: Database) => Promise<void>): Promise<SimulatedStore> {
    const database = openSqlite(':memory:')
    await migrate(database)
    await prepare(database)
    const connected = Promise.withResolvers<DatabaseConnection>()
    const closing = Promise.withResolvers<void>()
    const held = database.query.getExecutor().provideConnection(async (connection) => {
      connected.resolve(connection)
      await closing.promise
    })
    const close = async () => {
      closing.resolve()
      await held
      await database.close()
    }
    return new SimulatedStore(await connected.promise, close)
  }

  /** Told after each change of money that all can see. */
  onCommitted(look: OnCommitted): void {
    this.#onCommitted = look
  }

  /** No transaction is open. */
  get isFree(): boolean {
    return this.#holder === null
  }
  get hasLate(): boolean {
    return this.#late.length > 0
  }

  /** Statements that could be done now. */
  runnable(): Sent[] {
    return this.#sent.filter(
      ({ connection }) => connection.process.isRunning && (this.#holder === null || this.#holder === connection),
    )
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
    const query = new Kysely<Tables>({
      dialect: {
        createAdapter: () => new ManyConnections(),
        createDriver: () => driver,
        createIntrospector: () => {
          throw new Error('The ledger asks for no schema')
        },
        createQueryCompiler: () => new SqliteQueryCompiler(),
      },
    })
    return { kind: 'sqlite', query, patient: query, close: () => Promise.resolve() }
  }

  /** One statement comes to its end. */
  async perform(sent: Sent, fate: Fate): Promise<void> {
    this.#sent.splice(this.#sent.indexOf(sent), 1)
    const { connection, compiled } = sent
    if (fate === 'refused' || connection.isBroken) await this.#break(connection)
    else if (fate === 'late' && isLoneWrite(compiled, this.#holder)) {
      this.#late.push(compiled)
      connection.isBroken = true
    } else {
      try {
        const result = await this.#execute(connection, compiled)
        if (fate === 'done') return sent.resolve(result)
        await this.#break(connection)
      } catch (error) {
        return sent.reject(error)
      }
    }
    sent.reject(new LostConnection(compiled.sql))
  }

  /** A statement whose sender was told that it failed. */
  async performLate(): Promise<void> {
    const compiled = this.#late.shift()
    if (!compiled) return
    await this.real.executeQuery(compiled)
    await this.#tell(null, new Set(changedBy(compiled.sql)))
  }

  /** What a dead process had sent may be done or not; its transaction is not. */
  async died(process: Process, isDone: () => boolean): Promise<void> {
    const left = this.#sent.filter(({ connection }) => connection.process === process)
    for (const sent of left) {
      const canBeDone = this.#holder === sent.connection || this.#holder === null
      await this.perform(sent, canBeDone && isDone() ? 'answer lost' : 'refused')
    }
    await this.cutOff(process)
  }

  /** The server ends the transaction of a process that stands still. */
  async cutOff(process: Process): Promise<void> {
    if (this.#holder?.process === process) await this.#break(this.#holder)
  }

  #connect(process: Process): DatabaseConnection {
    const connection: Connection = { process, isBroken: false }
    return {
      executeQuery: <Row>(compiled: CompiledQuery) => this.#send<Row>(connection, compiled),
      streamQuery: () => {
        throw new Error('The ledger streams nothing')
      },
    }
  }

  async #send<Row>(connection: Connection, compiled: CompiledQuery): Promise<QueryResult<Row>> {
    if (compiled.sql === 'rollback') {
      if (this.#holder === connection) await this.#rollBack()
      return { rows: [] }
    }
    if (connection.isBroken || connection.process.isDead) throw new LostConnection(compiled.sql)
    const { promise, resolve, reject } = Promise.withResolvers<QueryResult<unknown>>()
    this.#sent.push({ connection, compiled, resolve, reject })
    return (await promise) as QueryResult<Row>
  }

  async #execute(connection: Connection, compiled: CompiledQuery): Promise<QueryResult<unknown>> {
    const result = await this.real.executeQuery(compiled)
    if (compiled.sql === 'begin') {
      this.#holder = connection
      this.#changed.clear()
    } else if (compiled.sql === 'commit') {
      this.#holder = null
      await this.#tell(connection.process, this.#changed)
    } else if (this.#holder === null) await this.#tell(connection.process, new Set(changedBy(compiled.sql)))
    else for (const table of changedBy(compiled.sql)) this.#changed.add(table)
    return result
  }

  async #tell(process: Process | null, changed: ReadonlySet<Table>): Promise<void> {
    if (changed.size > 0) await this.#onCommitted(process, changed)
  }

  async #break(connection: Connection): Promise<void> {
    connection.isBroken = true
    if (this.#holder === connection) await this.#rollBack()
  }

  async #rollBack(): Promise<void> {
    this.#holder = null
    await this.real.executeQuery(rollback)
  }
}

const begin = CompiledQuery.raw('begin')
const commit = CompiledQuery.raw('commit')
const rollback = CompiledQuery.raw('rollback')

const isLoneWrite = ({ sql }: CompiledQuery, holder: Connection | null) =>
  holder === null && !sql.startsWith('select') && sql !== 'begin'

/** A process has as many connections as it likes, as with PostgreSQL. */
class ManyConnections extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true
  }
}
