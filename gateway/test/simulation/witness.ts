import type { Hold } from '../../src/billing/ledger/ledger'
import type { LeaseKey } from '../../src/billing/ledger/lease/lease-store'
import type { HeldReservation } from '../../src/billing/ledger/lease/reservations'
import type { BalanceRow, Committed, CommittedReader, HoldRow, LeaseRow, Table } from './committed'
import { WindowWitness } from './window-witness'
import type { Process } from './process'
import { SubmittedCharges, type Submitted } from './submitted'

import { LawBroken, must } from './law'

interface Sums {
  credited: number
  charged: number
  charges: number
  /** How far below zero a balance may be: excess of calls, what an administrator took, and calls that outlived their lease. */
  allowance: number
}

/** A change that sets a key's balance, which leaves no row that says by how much. */
export interface TokenChange {
  readonly process: Process
  readonly tokenId: number
  readonly quota: number
}

/** The processes that may end a lease: its worker, the supervisor of its node, and any worker once its worker has been silent for long. */
export type Role = {
  readonly kind: 'worker' | 'supervisor' | 'other'
  readonly nodeId: string
  readonly workerId: string
}

/** Keeps independent accounts of everything requested of the ledgers, and compares them with the tables after each commit. */
export class Witness {
  readonly submitted = new SubmittedCharges()
  /** Requested credits by id: their amount, or the balance to set. */
  readonly credits = new Map<string, { readonly amount: number } | { readonly quota: number }>()
  readonly tokenChanges = new Set<TokenChange>()
  readonly requestedHolds = new Map<string, Pick<Hold, 'payer' | 'amount' | 'tokens'>>()
  readonly #windows = new WindowWitness()
  readonly #users = new Map<number, Sums>()
  readonly #tokens = new Map<number, Sums>()
  readonly #reader: CommittedReader
  #leases: ReadonlyMap<string, LeaseRow> = new Map()
  #holds: ReadonlyMap<string, HoldRow> = new Map()
  readonly #free = {
    user: new Map<number, number>(),
    token: new Map<number, number>(),
  }

  constructor(
    reader: CommittedReader,
    readonly limitedTokens: ReadonlySet<number>,
    readonly roleOf: (process: Process) => Role,
    readonly nodeOf: (workerId: string) => string,
  ) {
    this.#reader = reader
  }

  /** Records the initial state. */
  async begin(): Promise<void> {
    const { tokens } = await this.#reader.read().then((committed) => this.#take(committed, null))
    for (const { id, free } of tokens) sumsOf(this.#tokens, id).credited = free
  }

  get leases(): ReadonlyMap<string, LeaseRow> {
    return this.#leases
  }

  get holds(): ReadonlyMap<string, HoldRow> {
    return this.#holds
  }

  /** Called after each commit. */
  async observe(process: Process | null, changed: ReadonlySet<Table>): Promise<void> {
    const committed = await this.#reader.read(changed)
    if (changed.has('leases')) this.#checkEndedLeases(committed.leases, process)
    this.#take(committed, process)
    this.#checkUsers(committed)
    this.#checkTokens(committed, process)
  }

  /** Throws unless a call that began at a time draws from every window of its payer, and from no period that had ended. */
  checkWindows(reservation: HeldReservation, startedAt: number | null): void {
    this.#windows.checkHeld(reservation, startedAt)
  }

  /**
   * Throws unless what an admitted call may spend is leased in the database. While the call waited, the excess of another
   * call may have used up a part of it.
   */
  checkReserved(reservation: HeldReservation, { hasWaited, isMore = false, running }: Admitted): void {
    const all = [...running].flatMap(computeHeld)
    for (const { lease, reserved, isQuota } of computeHeld(reservation)) {
      const ofAll = all.reduce((sum, other) => sum + (other.lease === lease ? other.reserved : 0), 0)
      must(lease.book.reserved >= ofAll, 'what calls hold stays reserved', () => [
        lease.key,
        lease.book.reserved,
        ofAll,
      ])
      const { book, key } = lease
      if (isMore && !isQuota) continue
      const excess = hasWaited ? this.submitted.excessOf(key.id) : 0
      must(book.available >= -excess, 'a call is covered by its lease', () => [key, book.held, book.reserved, excess])
      const inDatabase = (this.#leases.get(key.id)?.amount ?? 0) - this.submitted.openCostOf(key.id)
      must(book.held <= inDatabase, 'a worker spends only what the database leased it', () => [
        key,
        { held: book.held, inDatabase, row: this.#leases.get(key.id)?.amount },
      ])
      if (!hasWaited && reserved > 0) this.#checkNotRecalled(reservation, lease.key)
    }
  }

  /** A worker that returned a recalled lease asks the database before it admits another call; a call that waits may keep its part. */
  #checkNotRecalled({ requestId }: HeldReservation, { id, kind, refId }: LeaseKey) {
    const row = this.#leases.get(id)
    if (!row) return
    const free = (kind === 'window' ? this.#windows.freeOf(refId) : this.#free[kind].get(refId)) ?? 0
    must(free >= 0 || row.recalled === 1, 'nothing is spent of a balance below zero once leases were recalled', () => [
      requestId,
      row,
      free,
    ])
  }

  /** Every charge that was acknowledged is in the database. */
  get isAllCharged(): boolean {
    return [...this.submitted.all].every(({ isAcknowledged, isCharged }) => isCharged || !isAcknowledged)
  }

  neverQuiet(): never {
    const open = [...this.submitted.all].filter(({ isAcknowledged, isCharged }) => isAcknowledged && !isCharged)
    throw new LawBroken(
      `everything comes to rest: ${JSON.stringify([[...this.#leases.values()], open.map(({ record }) => record.requestId)])}`,
    )
  }

  #take(committed: Committed, process: Process | null): Committed {
    const before = this.#leases
    for (const row of committed.charges) {
      const submitted = this.submitted.markCharged(row.id)
      const { record } = submitted
      const isSame =
        record.cost === row.quota &&
        record.entry.userId === row.user_id &&
        record.entry.tokenId === row.token_id &&
        record.entry.channelId === row.channel_id
      must(isSame, 'what is charged is what was requested', () => [row, record])
      this.#charge(submitted, before)
    }
    for (const { id, user_id: userId, amount } of committed.credits) {
      const expected = this.credits.get(id)
      const sums = sumsOf(this.#users, userId)
      if (process) must(expected !== undefined, 'a credit was requested', () => id)
      if (expected && 'amount' in expected)
        must(expected.amount === amount, 'a credit has the requested amount', () => id)
      sums.credited += amount
      sums.allowance += Math.max(0, -amount)
      if (expected && 'quota' in expected) this.#checkAdjusted(committed, userId, expected.quota)
    }
    this.#windows.observe(committed)
    this.#checkNewHolds(committed)
    this.#leases = committed.leases
    this.#holds = committed.holds
    for (const { id, free } of committed.users) this.#free.user.set(id, free)
    for (const { id, free } of committed.tokens) this.#free.token.set(id, free)
    this.#checkDebts(committed.leases)
    return committed
  }

  /** What is held was free: a hold takes no balance below zero, and comes once. */
  #checkNewHolds({ users, tokens, holds }: Committed) {
    for (const hold of holds.values()) {
      if (this.#holds.has(hold.id)) continue
      must(!this.#ended.has(hold.id), 'a hold that ended does not come again', () => hold)
      const free = users.find(({ id }) => id === hold.user_id)?.free ?? -1
      const left = tokens.find(({ id }) => id === hold.token_id)?.free ?? -1
      const isCovered = free >= 0 && (hold.is_token_limited === 0 || left >= 0)
      must(isCovered, 'a hold is covered by what was free', () => [hold, { free, left }])
      const submitted = this.submitted.find(hold.id)
      const requested = this.requestedHolds.get(hold.id)
      if (submitted && requested) submitted.parts.push(...this.#windows.partsOfHold(hold, requested, submitted.record))
    }
    for (const id of this.#holds.keys()) if (!holds.has(id)) this.#ended.add(id)
  }
  readonly #ended = new Set<string>()

  #checkDebts(leases: ReadonlyMap<string, LeaseRow>) {
    for (const lease of leases.values()) must(lease.amount >= 0, 'no lease keeps a debt to itself', () => lease)
  }

  #charge({ record, parts }: Submitted, before: ReadonlyMap<string, LeaseRow>) {
    const { tokenId } = record.entry
    // A key without a balance of its own counts what it spent.
    if (tokenId !== 0 && record.tokenLease === '') sumsOf(this.#tokens, tokenId).charged += record.cost
    for (const { kind, refId, lease, cost, excess } of parts) {
      const allowance = before.has(lease) || lease.startsWith('hold:') ? excess : cost
      if (kind === 'window') {
        this.#windows.draw(refId, { drawn: cost, allowance })
        continue
      }
      const sums = sumsOf(kind === 'user' ? this.#users : this.#tokens, refId)
      sums.charged += cost
      sums.charges += 1
      sums.allowance += allowance
    }
  }

  #checkAdjusted({ users, leases }: Committed, userId: number, quota: number) {
    const free = users.find(({ id }) => id === userId)?.free ?? 0
    must(free + sumLeases(leases, 'user', userId) === quota, 'a balance is what it was set to', () => [userId, quota])
  }

  #checkUsers({ users, leases, holds }: Committed) {
    for (const user of users) {
      const sums = sumsOf(this.#users, user.id)
      const leased = sumLeases(leases, 'user', user.id)
      this.#checkMoney('user', user, { leased, held: sumHolds(holds, 'user_id', user.id) }, sums)
      must(user.requests === sums.charges, 'calls are counted once', () => [user, sums])
    }
  }

  #checkTokens({ tokens, leases, holds }: Committed, process: Process | null) {
    for (const token of tokens) {
      const sums = sumsOf(this.#tokens, token.id)
      if (!this.limitedTokens.has(token.id)) {
        must(token.used === sums.charged, 'a key counts what it spent', () => [token, sums])
        continue
      }
      const leased = sumLeases(leases, 'token', token.id)
      const held = sumHolds(holds, 'token_id', token.id)
      const change = token.free + leased + held + token.used - sums.credited
      if (change !== 0) this.#takeTokenChange(token, leased, change, process)
      this.#checkMoney('token', token, { leased, held }, sums)
    }
  }

  /** A key's balance changes only to a value that was requested. */
  #takeTokenChange(token: BalanceRow, leased: number, change: number, process: Process | null) {
    const expected = [...this.tokenChanges].find(
      (each) => each.process === process && each.tokenId === token.id && each.quota === token.free + leased,
    )
    const sums = sumsOf(this.#tokens, token.id)
    must(expected !== undefined, 'free + leased + held + spent = credited', () => ['token', token, leased, sums])
    if (expected) this.tokenChanges.delete(expected)
    sums.credited += change
    sums.allowance += Math.max(0, -change)
  }

  #checkMoney(kind: string, row: BalanceRow, { leased, held }: { leased: number; held: number }, sums: Sums) {
    const facts = () => [kind, row, { leased, held }, sums]
    must(row.free + leased + held + row.used === sums.credited, 'free + leased + held + spent = credited', facts)
    must(row.used === sums.charged, 'each charge is counted once', facts)
    must(row.free + leased + held >= -sums.allowance, 'a balance falls below zero by excess alone', facts)
  }

  /** A process that ends a lease has first charged everything that the lease's worker acknowledged. */
  #checkEndedLeases(leases: ReadonlyMap<string, LeaseRow>, process: Process | null) {
    if (!process) return
    for (const [id, lease] of this.#leases) {
      if (leases.has(id)) continue
      const role = this.roleOf(process)
      const isOwner = role.kind === 'worker' && role.workerId === lease.worker_id
      const isRecovery = role.kind === 'supervisor' && role.nodeId === this.nodeOf(lease.worker_id)
      if (!isOwner && !isRecovery) continue
      const due = this.submitted
        .openOf(id)
        .filter(({ isAcknowledged, process: { isDead } }) => isAcknowledged && (isOwner || isDead))
      must(due.length === 0, 'a lease returns after the charges it pays', () => [
        role,
        lease,
        due.map(({ record }) => record.requestId),
      ])
    }
  }
}

/** How a call was admitted, and what its worker serves with it. */
interface Admitted {
  readonly hasWaited: boolean
  /** A running call took more, which is quota alone. */
  readonly isMore?: boolean
  readonly running: ReadonlySet<HeldReservation>
}

/** Returns the leases that a call holds, and how much of each. */
function computeHeld(held: HeldReservation) {
  const { user, token, windows, amount } = held
  const balances = [user, token].filter((lease) => lease !== null)
  return [
    ...balances.map((lease) => ({ lease, reserved: amount, isQuota: true })),
    ...windows.all.map(({ lease, measure }, index) => ({
      lease,
      reserved: held.heldOfWindow(index),
      isQuota: measure === 'quota',
    })),
  ]
}

function sumsOf(all: Map<number, Sums>, id: number): Sums {
  const known = all.get(id)
  if (known) return known
  const fresh = { credited: 0, charged: 0, charges: 0, allowance: 0 }
  all.set(id, fresh)
  return fresh
}

function sumLeases(leases: ReadonlyMap<string, LeaseRow>, kind: LeaseRow['kind'], refId: number): number {
  let sum = 0
  for (const lease of leases.values()) if (lease.kind === kind && lease.ref_id === refId) sum += lease.amount
  return sum
}

function sumHolds(holds: ReadonlyMap<string, HoldRow>, owner: 'user_id' | 'token_id', id: number): number {
  let sum = 0
  for (const hold of holds.values())
    if (hold[owner] === id && (owner === 'user_id' || hold.is_token_limited === 1)) sum += hold.amount
  return sum
}
