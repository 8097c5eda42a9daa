import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'
import type { Caller } from '../call'

type Deps = Pick<Context, 'database' | 'clock' | 'log' | 'catalog' | 'timers'>

/** How often a worker reports its open sessions, and when sessions of a dead worker stop counting. */
const beatMs = 30_000
const goneSeconds = 100

type SessionRefusal = 'realtime.sessions' | 'socket.connections'

/** How many sessions a user or a key may have open; 0: any number. */
interface SessionBound {
  readonly column: 'user_id' | 'token_id'
  readonly id: number
  readonly limit: number
  readonly refusal: SessionRefusal
}

/** Counts the sessions of all workers and nodes, for the limits of users and keys. One per worker. */
class OpenSessions {
  readonly #ids = new Set<string>()
  #endBeats: (() => void) | null = null

  constructor(private readonly deps: Deps) {}

  /**
   * Counts a session in. Resolves with a function that counts it out.
   * @throws AppError with this code when as many as allowed are open.
   */
  async enter(
    id: string,
    { payer: { userId, tokenId } }: Pick<Caller, 'payer'>,
    refusal: SessionRefusal,
  ): Promise<() => void> {
    const { options } = this.deps.catalog.current
    const limits = { user: options.RealtimeUserSessions, token: options.RealtimeTokenSessions }
    if (limits.user === 0 && limits.token === 0) return () => {}
    const { query, kind } = this.deps.database
    await query.transaction().execute(async (transaction) => {
      // Two sessions that open at the same time must not both take the last place.
      const owner = transaction.selectFrom('users').select('id').where('id', '=', userId)
      await (kind === 'postgres' ? owner.forUpdate() : owner).executeTakeFirst()
      await this.#requireRoom(transaction, { column: 'user_id', id: userId, limit: limits.user, refusal })
      await this.#requireRoom(transaction, { column: 'token_id', id: tokenId, limit: limits.token, refusal })
      const row = { id, user_id: userId, token_id: tokenId, seen_at: this.deps.clock.seconds() }
      await transaction.insertInto('realtime_sessions').values(row).execute()
    })
    this.#ids.add(id)
    this.#endBeats ??= this.deps.timers.every(beatMs, () => this.#beat())
    return () => this.#leave(id)
  }

  async #requireRoom(transaction: Transaction, { column, id, limit, refusal }: SessionBound) {
    if (limit === 0) return
    const { open } = await transaction
      .selectFrom('realtime_sessions')
      .select((eb) => eb.fn.countAll<number | string>().as('open'))
      .where(column, '=', id)
      .where('seen_at', '>', this.deps.clock.seconds() - goneSeconds)
      .executeTakeFirstOrThrow()
    if (Number(open) >= limit) throw new AppError(refusal, { params: { limit } })
  }

  #leave(id: string): void {
    if (!this.#ids.delete(id)) return
    if (this.#ids.size === 0) {
      this.#endBeats?.()
      this.#endBeats = null
    }
    this.#inBackground(this.deps.database.query.deleteFrom('realtime_sessions').where('id', '=', id).execute())
  }

  #beat(): void {
    const { query } = this.deps.database
    const ids = [...this.#ids]
    this.#inBackground(
      query
        .updateTable('realtime_sessions')
        .set({ seen_at: this.deps.clock.seconds() })
        .where('id', 'in', ids)
        .execute(),
    )
  }

  /** Without the database a session counts until its row is too old. */
  #inBackground(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.deps.log.debug({ error }, 'an open session could not be counted'))
  }
}

const known = new WeakMap<Context, OpenSessions>()

/** Returns the count of a worker. */
export function openSessionsOf(ctx: Context): OpenSessions {
  let open = known.get(ctx)
  if (!open) known.set(ctx, (open = new OpenSessions(ctx)))
  return open
}
