import type { Clock } from '../../../platform/time/clock'
import type { Database } from '../../../platform/store/database'

/** A worker whose heartbeat has stood still for this long is dead: others return its leases. */
export const workerTtlMs = 60_000
/** A worker stops spending well before others may think it dead. */
const fenceMs = 40_000

export interface HeartbeatOptions {
  readonly database: Database
  readonly clock: Clock
  readonly workerId: string
  readonly nodeId: string
}

/** Keeps the worker in the list of those that may hold leases. */
export class Heartbeat {
  #lastBeatAt: number

  private constructor(private readonly options: HeartbeatOptions) {
    this.#lastBeatAt = options.clock.monotonic()
  }

  /** Adds the worker to the list. */
  static async start(options: HeartbeatOptions): Promise<Heartbeat> {
    const heartbeat = new Heartbeat(options)
    await heartbeat.#register()
    return heartbeat
  }

  /** Another process may have given this worker's leases back, so nothing may be reserved from them. */
  isLost(now: number): boolean {
    return now - this.#lastBeatAt >= fenceMs
  }

  /** Tells other workers that this one lives. Returns false when they had given it up: it begins anew, without leases. */
  async beat(): Promise<boolean> {
    const { database, clock, workerId } = this.options
    const beganAt = clock.monotonic()
    // Always another value, also when the clock stands still or goes back: others watch for a change, not for a time.
    const { numUpdatedRows } = await database.query
      .updateTable('workers')
      .set((eb) => ({
        heartbeat_at: eb
          .case()
          .when('heartbeat_at', '<', clock.seconds())
          .then(clock.seconds())
          .else(eb('heartbeat_at', '+', 1))
          .end(),
      }))
      .where('id', '=', workerId)
      .executeTakeFirst()
    const isKnown = numUpdatedRows === 1n
    if (!isKnown) await this.#register()
    this.#lastBeatAt = beganAt
    return isKnown
  }

  async end(): Promise<void> {
    await this.options.database.query.deleteFrom('workers').where('id', '=', this.options.workerId).execute()
  }

  async #register(): Promise<void> {
    const { database, clock, workerId, nodeId } = this.options
    await database.query
      .insertInto('workers')
      .values({ id: workerId, node_id: nodeId, started_at: clock.seconds(), heartbeat_at: clock.seconds() })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ heartbeat_at: clock.seconds() }))
      .execute()
  }
}
