import type { PaidFrom } from '../charge/charge-record'
import { leaseId, type LeaseDebt, type LeaseKind } from './lease-charges'
import { Lease, type LeaseServices } from './lease'
import { DrawSets, type DrawSet } from '../window/named-draws'

/** Unused this long, a lease goes back. */
const idleMs = 2000

export interface LeaseStats {
  readonly leases: number
  /** Quota of users that this worker holds. */
  readonly leasedQuota: number
  readonly reserved: number
  /** Windows of which calls hold something. */
  readonly windowsInUse: number
}

const noLeases = (): Record<LeaseKind, Map<number, Lease>> => ({ user: new Map(), token: new Map(), window: new Map() })

/** All leases of one worker. */
export class LeaseKeeper {
  #current = noLeases()
  readonly #byId = new Map<string, Lease>()
  /** Counts how often this worker lost everything; part of the leases' names, so that old charges find no new lease. */
  #generation = 0
  #isClosed = false
  readonly #drawSets = new DrawSets()

  /** `start` tells this start of the worker from others under the same id. */
  constructor(
    readonly workerId: string,
    readonly start: string,
    readonly services: LeaseServices,
  ) {}

  user(userId: number): Lease {
    return this.#current.user.get(userId) ?? this.#open('user', userId)
  }
  token(tokenId: number): Lease {
    return this.#current.token.get(tokenId) ?? this.#open('token', tokenId)
  }
  /** The lease of a period of a window. */
  window(periodId: number): Lease {
    return this.#current.window.get(periodId) ?? this.#open('window', periodId)
  }

  /** Charges are in the database. */
  markApplied(charges: readonly PaidFrom[]): void {
    const draws = new Map<string, number>()
    for (const { userLease, tokenLease, windows } of charges) {
      this.#byId.get(userLease)?.book.markApplied()
      this.#byId.get(tokenLease)?.book.markApplied()
      if (windows)
        for (const drawn of windows) if (typeof drawn === 'string') draws.set(drawn, (draws.get(drawn) ?? 0) + 1)
    }
    for (const [name, count] of draws) this.#markDrawn(this.#drawSets.read(name), count)
  }

  #markDrawn({ series, draws }: DrawSet, count: number): void {
    for (const { period } of draws) this.#windowOf(series, period)?.book.markApplied(count)
  }

  #windowOf(series: string, periodId: number): Lease | undefined {
    const lease = this.#current.window.get(periodId)
    return lease?.key.series === series ? lease : this.#byId.get(leaseId(series, 'window', periodId))
  }

  /** Balances paid what these leases did not cover. */
  debtsPaid(debts: readonly LeaseDebt[]): void {
    for (const { leaseId, amount } of debts) this.#byId.get(leaseId)?.applyOverdraft(amount)
  }

  /**
   * Give back what is idle and what other workers ask for. They are asked first: while the database does not answer nothing
   * can be given back, and calls live on what is leased.
   */
  async sweep(): Promise<void> {
    if (this.#byId.size === 0) return
    const { clock, store } = this.services
    const recalled = await store.findRecalled(this.workerId)
    const now = clock.monotonic()
    const idle = [...this.#byId.values()].filter((lease) => lease.isIdle(now, idleMs))
    for (const lease of idle) await lease.end()
    for (const id of recalled) await this.#byId.get(id)?.releaseUnused()
    this.#dropGone()
  }

  /** Called when other workers returned all leases because they took this worker for dead. */
  forfeitAll(): void {
    this.#generation += 1
    for (const lease of this.#byId.values()) lease.forfeit()
    this.#current = noLeases()
  }

  /** Leases nothing more: calls that wait for a lease are refused. */
  close(): void {
    this.#isClosed = true
    for (const lease of this.#byId.values()) lease.close()
  }
  /** A call is served from a lease, or a lease is on its way. */
  get isBusy(): boolean {
    for (const { book, isBusy } of this.#byId.values()) if (isBusy || book.isInUse) return true
    return false
  }

  stats(): LeaseStats {
    const leases = [...this.#byId.values()]
    const users = leases.filter(({ key }) => key.kind === 'user')
    return {
      leases: leases.length,
      leasedQuota: users.reduce((sum, { book }) => sum + book.held, 0),
      reserved: users.reduce((sum, { book }) => sum + book.reserved, 0),
      windowsInUse: leases.filter(({ key, book }) => key.kind === 'window' && book.isInUse).length,
    }
  }

  #open(kind: LeaseKind, refId: number): Lease {
    const series = `${this.workerId}:${this.start}.${this.#generation}`
    const id = leaseId(series, kind, refId)
    const lease = new Lease({ id, series, workerId: this.workerId, kind, refId }, this.services)
    if (this.#isClosed) lease.close()
    this.#current[kind].set(refId, lease)
    this.#byId.set(id, lease)
    return lease
  }

  #dropGone() {
    for (const [id, lease] of this.#byId) {
      if (!lease.isGone) continue
      this.#byId.delete(id)
      const { kind, refId } = lease.key
      if (this.#current[kind].get(refId) === lease) this.#current[kind].delete(refId)
    }
  }
}
