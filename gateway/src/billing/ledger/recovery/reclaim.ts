import type { Clock } from '../../../platform/time/clock'
import type { Database } from '../../../platform/store/database'
import { releaseLocksOf } from '../../../platform/store/lock'
import { workerTtlMs } from './heartbeat'
import type { LeaseKind } from '../lease/lease-charges'
import { endLease } from '../lease/lease-store'

/** The list of workers as one observer sees it, by its own clock: other machines' clocks may be wrong. */
export class WorkerWatch {
  #seen = new Map<string, { heartbeatAt: number; since: number }>()

  constructor(
    readonly database: Database,
    readonly clock: Clock,
  ) {}

  /** Give back the leases of workers whose heartbeat has not changed for the time a worker has to live. */
  async reclaimDead(): Promise<void> {
    const workers = await this.database.query.selectFrom('workers').select(['id', 'heartbeat_at']).execute()
    const now = this.clock.monotonic()
    this.#seen = new Map(
      workers.map(({ id, heartbeat_at: heartbeatAt }) => {
        const known = this.#seen.get(id)
        return [id, known?.heartbeatAt === heartbeatAt ? known : { heartbeatAt, since: now }]
      }),
    )
    const dead = [...this.#seen].filter(([, { since }]) => now - since >= workerTtlMs).map(([id]) => id)
    await deregisterWorkers(this.database, dead)
    await reclaimOrphanedLeases(this.database)
  }
}

/**
 * Removes workers from the list and releases their locks, so that another takes over periodic work at once. One that lives learns at its next
 * heartbeat that its leases are gone.
 */
export async function deregisterWorkers({ query }: Database, workerIds: readonly string[]) {
  for (const id of workerIds) await query.deleteFrom('workers').where('id', '=', id).execute()
  await releaseLocksOf(query, workerIds)
}

/** Returns leases whose worker is not in the list, including those of a reclaim that did not finish. */
export async function reclaimOrphanedLeases(database: Database) {
  const { query } = database
  const orphans = await query
    .selectFrom('leases')
    .select(['id', 'kind', 'ref_id'])
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('workers').select('id').whereRef('workers.id', '=', 'leases.worker_id'))),
    )
    .orderBy('id')
    .execute()
  for (const { id, kind, ref_id: refId } of orphans) {
    const key = { id, kind: leaseKind(kind), refId }
    await query.transaction().execute((transaction) => endLease(database, transaction, key))
  }
}

/** Returns every lease of a worker that stops or starts anew. */
export async function returnLeasesOf(database: Database, workerId: string): Promise<void> {
  const { query } = database
  const leases = await query
    .selectFrom('leases')
    .select(['id', 'kind', 'ref_id'])
    .where('worker_id', '=', workerId)
    .orderBy('id')
    .execute()
  for (const { id, kind, ref_id: refId } of leases) {
    const key = { id, kind: leaseKind(kind), refId }
    await query.transaction().execute((transaction) => endLease(database, transaction, key))
  }
}

const leaseKind = (text: string): LeaseKind => (text === 'token' || text === 'window' ? text : 'user')
