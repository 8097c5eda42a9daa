import { CompiledQuery, sql, type DatabaseConnection } from 'kysely'

import type { Database } from '../../src/platform/store/database'
import { openPostgres } from '../../src/platform/store/postgres'
import { holdConnection, type Backend, type HeldConnection, type Outcome, type Session } from './backend'

/** As many as a few workers use at once, and few enough to leave the test server room for others. */
const maxSessions = 12

/** Longer than a simulation: only simulated time may end a statement or a transaction, which stay open for as many steps as the dice say. */
const unlimitedMs = 3_600_000
/** A statement that takes longer may be waiting for a lock: asking takes the server as long as most statements. */
const quickMs = 2

/** A migrated PostgreSQL database of its own: transactions run side by side and wait for each other's row locks. */
export async function openPostgresBackend(
  url: string,
  prepare: (database: Database) => Promise<void>,
): Promise<Backend> {
  const database = openPostgres(url, { connections: maxSessions + 1, statementTimeoutMs: unlimitedMs })
  // SQLite numbers its rows by itself.
  for (const table of ['charges', 'credits']) {
    await sql`alter table ${sql.table(table)} add column rowid bigserial unique`.execute(database.query)
  }
  await prepare(database)
  const executor = database.query.getExecutor()
  const held = await holdConnection(executor)
  const observer = held.connection
  const sessions = new Set<PostgresSession>()
  const idle: Session[] = []
  let taken = 0
  const open = async () => {
    const session = await PostgresSession.on(await holdConnection(executor), observer)
    sessions.add(session)
    return session
  }

  return {
    kind: 'postgres',
    isExclusive: false,
    observer,
    get isFull() {
      return taken === maxSessions
    },
    async acquire() {
      taken += 1
      return idle.pop() ?? (await open())
    },
    release(session) {
      taken -= 1
      if (!session.isEnded) idle.push(session)
    },
    async close() {
      for (const session of sessions) await session.held.close()
      await held.close()
      await database.close()
    },
  }
}

class PostgresSession implements Session {
  #running: Promise<void> = Promise.resolve()
  #outcome: Outcome | null = null
  readonly #isWaiting: CompiledQuery
  readonly #terminate: CompiledQuery
  isEnded = false

  private constructor(
    readonly held: HeldConnection,
    readonly observer: DatabaseConnection,
    processId: number,
  ) {
    // A lock that was released counts as granted at once, before the statement that waited for it goes on.
    this.#isWaiting = CompiledQuery.raw('select from pg_locks where pid = $1 and not granted', [processId])
    // Resolves when the process is gone, and its locks with it.
    this.#terminate = CompiledQuery.raw('select pg_terminate_backend($1, 10000)', [processId])
  }

  static async on(held: HeldConnection, observer: DatabaseConnection): Promise<PostgresSession> {
    const { rows } = await held.connection.executeQuery<{ id: number }>(
      CompiledQuery.raw(
        "select pg_backend_pid() as id, set_config('idle_in_transaction_session_timeout', '0', false) as timeout",
      ),
    )
    return new PostgresSession(held, observer, rows[0]?.id ?? 0)
  }

  async execute(compiled: CompiledQuery, mayWait: boolean): Promise<Outcome | null> {
    this.#outcome = null
    this.#running = this.held.connection.executeQuery(compiled).then(
      (result) => void (this.#outcome = { result }),
      (error: unknown) => void (this.#outcome = { error }),
    )
    if (!mayWait) await this.#running
    return this.outcome()
  }

  async outcome(): Promise<Outcome | null> {
    while (!this.#outcome) {
      await Promise.race([this.#running, Bun.sleep(quickMs)])
      if (this.#outcome) break
      const isWaiting = this.observer.executeQuery(this.#isWaiting).then(({ rows }) => rows.length > 0)
      const isBlocked = await Promise.race([this.#running, isWaiting])
      if (isBlocked === true && !this.#outcome) return null
      await isWaiting
    }
    return this.#outcome
  }

  async end(): Promise<void> {
    this.isEnded = true
    await this.observer.executeQuery(this.#terminate)
    await this.#running
    // On a busy machine the driver has not read the end yet, and the pool would hand the connection on. A statement waits for it.
    await this.held.connection.executeQuery(this.#isWaiting).catch(() => {})
    await this.held.close()
  }
}
