import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import { DatabaseError, type Pool, type PoolClient } from 'pg'

import type { PoolState } from './database'
import { DatabaseUnavailableError } from './database-errors'

/**
 * Wraps the pool that queries use. A connection that failed, or whose response did not arrive in time, is closed and not reused: the
 * driver would queue the next statement behind the lost one. All that were open by then are closed, too, before they are used, because
 * what cut one of them has mostly cut all.
 * @throws DatabaseUnavailableError from `connect` and from queries.
 */
export class ReliablePool implements PostgresPool, PoolState {
  readonly options: Pool['options']
  readonly #pool: Pool
  readonly #connections = new WeakMap<PoolClient, Connection>()
  #generation = 0
  #waits = 0

  constructor(pool: Pool) {
    this.options = pool.options
    this.#pool = pool
  }

  get inUse(): number {
    return this.#pool.totalCount - this.#pool.idleCount
  }

  get waiting(): number {
    return this.#pool.waitingCount
  }

  get waits(): number {
    return this.#waits
  }

  async connect(): Promise<PostgresPoolClient> {
    if (this.#pool.idleCount === 0 && this.#pool.totalCount >= this.options.max) this.#waits += 1
    for (;;) {
      const client = await this.#pool.connect().catch((error: unknown) => {
        throw new DatabaseUnavailableError(error)
      })
      const connection = this.#connections.get(client) ?? this.#wrap(client)
      if (connection.generation === this.#generation) return connection
      connection.release(true)
    }
  }

  end(): Promise<void> {
    return this.#pool.end()
  }

  #wrap(client: PoolClient): Connection {
    const connection = new Connection(client, this.#generation, () => void (this.#generation += 1))
    this.#connections.set(client, connection)
    return connection
  }
}

class Connection implements PostgresPoolClient {
  #loss: DatabaseUnavailableError | undefined

  constructor(
    readonly client: PoolClient,
    readonly generation: number,
    readonly onLoss: () => void,
  ) {}

  query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>
  query(): never
  async query(text = '', values: readonly unknown[] = []): Promise<unknown> {
    if (this.#loss) throw this.#loss
    try {
      return await this.client.query(text, [...values])
    } catch (error) {
      if (!isLoss(error)) throw error
      this.#loss = new DatabaseUnavailableError(error)
      this.onLoss()
      throw this.#loss
    }
  }

  release(mustClose = false): void {
    this.client.release(mustClose || this.#loss !== undefined)
  }
}

/**
 * Codes of a server that stops, starts, has no connection left or takes no writes, and of cancelled statements; and all errors of the
 * driver about a connection. https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
function isLoss(error: unknown): boolean {
  if (error instanceof DatabaseError) return /^(08...|57014|57P0[1-5]|53300|25006|25P03)$/.test(error.code ?? '')
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError)
}
