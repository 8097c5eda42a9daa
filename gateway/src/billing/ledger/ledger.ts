import type { walletRoutes } from '@tollgate/contract'

import type { Transaction } from '../../platform/store/database'
import type { JournalProblem } from './journal/journal-problem'
import { AppError } from '../../platform/app-error'
import type { LimitWindow } from './window/limit-window'

/** Who pays. A playground call has no token: `tokenId` 0. */
export interface Payer {
  readonly userId: number
  readonly tokenId: number
  /** The token has a balance of its own that must cover the call too. */
  readonly isTokenLimited: boolean
  /** The subscription that pays instead of the wallet. Absent: the wallet pays. */
  readonly subscriptionId?: number | undefined
  /** Limits that the call draws from as well, by rising id. Absent: none. */
  readonly windows?: readonly LimitWindow[] | undefined
}

/** Quota held for one call. Ends in exactly one `charge` or `release`. */
export interface Reservation {
  readonly requestId: string
  readonly payer: Payer
  readonly amount: number
  /** What the balance could pay when it could not pay the most that was wanted; null where it could. */
  readonly spendable: number | null
}

/** What the dashboard needs of a call in addition to its log row. */
export interface CallMeasures {
  /** Null for a call that a vendor made in its own time, as a line of a batch. */
  readonly wholeMs: number | null
  /** Null for an answer that was not streamed. */
  readonly firstTokenMs: number | null
  /** Prompt tokens read from a cache, and the quota by which they were cheaper than at the full input price. */
  readonly cachedTokens: number
  readonly cacheSaved: number
}

/** The row a consumption leaves in the log; see the logs table. */
export interface LogEntry {
  readonly createdAt: number
  readonly type: number
  readonly userId: number
  readonly username: string
  readonly tokenId: number
  readonly tokenName: string
  readonly modelName: string
  readonly group: string
  readonly channelId: number
  readonly channelName: string
  readonly isStream: boolean
  readonly useTimeSeconds: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly content: string
  readonly clientIp: string
  /** JSON text. */
  readonly other: string
  /** Set for a consumption; without them the call is not measured. */
  readonly measures?: CallMeasures
  /** Quota that the channel's vendor charges for a consumption, where that is known. */
  readonly vendorCost?: number
  /** Quota by which the vendor charges less because it read tokens from its cache. */
  readonly vendorSaved?: number
  /** The fingerprint of the channel's key that served a consumption. */
  readonly upstreamKey?: string
  /** Set for a failed attempt, which is counted by the hour and by its code. A refused call has none. */
  readonly errorCode?: string
}

export interface Charge {
  /** Quota, a whole number of at least 0. */
  readonly cost: number
  readonly entry: LogEntry
  /** False: no row in the log list, but everything is charged and counted (option `LogConsumeEnabled`). */
  readonly isLogged: boolean
}

/** Quota held for work that ends later, whatever becomes of the worker that began it. */
export interface Hold {
  /** The request id of its charge; unique for good. */
  readonly id: string
  readonly payer: Payer
  readonly amount: number
  readonly tokens?: HoldRange['tokens']
}

/** A part of held work that is done. */
export interface HeldPart {
  /** Unique for good. */
  readonly requestId: string
  /** What of the hold was for it. */
  readonly held: number
  readonly charge: Charge
  /** Those of the channel and the key that did it. */
  readonly windows: readonly LimitWindow[]
}

/** What an attempt may use of the windows of its channel and key. */
export interface AttemptRange {
  /** What the vendor may charge for it; null: that is not known, and nothing is drawn from windows of quota. */
  readonly cost: HoldRange | null
  readonly tokens?: HoldRange['tokens']
}

/** What an attempt holds of the windows of its channel and key. What it draws is charged, or released, with its reservation. */
export interface Admission {
  readonly kind: 'admitted'
  /** Called when the upstream is done: the call is no longer one of those at the same time. A second time it does nothing. */
  leave(): void
  /** Gives back everything: the attempt failed. */
  withdraw(): Promise<void>
}

/** A window of a channel or of its key that has no room for an attempt. */
export interface FullWindow {
  readonly kind: 'full'
  readonly window: LimitWindow
  /** Unix seconds from which it may have room; null: it never begins anew. */
  readonly freeAt: number | null
}

/** Why a balance was credited: the kinds of movements on statements, without charges. */
type CreditKind = Exclude<walletRoutes.MovementKind, 'charges'>

export interface Credit {
  /** Natural and unique: a second credit with the same id changes nothing. */
  readonly id: string
  readonly userId: number
  readonly kind: CreditKind
  /** Quota; negative takes away and may leave a balance below zero. */
  readonly amount: number
  readonly detail?: string
}

/** What is left of the present period of a window, which may be less than nothing. */
export interface WindowRest {
  readonly remaining: number
  /** Unix seconds. */
  readonly endsAt: number
}

/**
 * The one module that moves money. `reserve`, `charge` and `release` are all a model call sees; `hold` and what ends it serve work that
 * outlives its call; `credit` and the token calls serve the console.
 */
export interface Ledger {
  /**
   * Holds quota of the payer: the most that is wanted, or a share of a balance that cannot pay that; exactly as much as a number
   * says. Asks the database for nothing while the worker's lease covers the most.
   * @throws AppError `quota.user`, `quota.token`, `quota.window` when a balance or a window does not cover the least;
   * `ledger.unavailable` when the database does not answer.
   */
  reserve(requestId: string, payer: Payer, want: number | HoldRange): Promise<Reservation>

  /** Does what `reserve` does where the worker's lease covers the most; null where it does not, or calls may not begin. */
  reserveNow(requestId: string, payer: Payer, want: HoldRange): Reservation | null

  /** Holds more for a running call. Returns how much, 0 when nothing is available; at once while the worker's lease covers it: streams ask between two frames. */
  extend(reservation: Reservation, want: HoldRange): number | Promise<number>

  /** Charges what the call cost and logs it. Resolves when it is durable. At most once for each request id. */
  charge(reservation: Reservation, charge: Charge): Promise<void>

  /** Gives the reservation back: the call cost nothing. */
  release(reservation: Reservation): void

  /**
   * Admits an attempt to the windows of its channel and key, for as long as its reservation lasts: all of them, or none. Never rejects: a
   * window that cannot be asked counts as full.
   */
  admit(reservation: Reservation, windows: readonly LimitWindow[], range: AttemptRange): Promise<Admission | FullWindow>

  /** Draws on the windows of a channel that serves already, also where they are full: another channel cannot take over. */
  draw(reservation: Reservation, windows: readonly LimitWindow[], range: AttemptRange): Promise<void>

  /** Returns the first of these windows that was found full within the last second; null where none was. */
  fullWindow(windows: readonly LimitWindow[]): FullWindow | null

  /**
   * Returns what is left of a window as far as this worker knows: what it has leased and no call in flight holds, and what was free when it
   * last asked the database. Null where it has not asked. Asks nothing.
   */
  readRest(window: LimitWindow): WindowRest | null

  /** Does what `admit` does for work that outlives its call: what it draws is charged, or released, with its hold. */
  admitHeld(holdId: string, windows: readonly LimitWindow[], range: AttemptRange): Promise<Admission | FullWindow>

  /**
   * Holds quota in the database until `settleHold` or `releaseHold`, in one transaction with `record`, which notes what it is held for.
   * @throws AppError `quota.user`, `quota.token`, `quota.window` when a balance or a window does not cover it; nothing is held then.
   */
  hold<Result>(hold: Hold, record: (transaction: Transaction) => Promise<Result>): Promise<Result>

  /**
   * Charges a part of held work under a request id of its own, and takes what was held for it out of the hold, which goes on. Returns false,
   * and does nothing, for a hold that has ended.
   */
  chargeHeld(id: string, part: HeldPart, transaction: Transaction): Promise<boolean>

  /** Charges what held work cost, and gives the rest of the hold back. Returns false, and does nothing, for a hold that has ended. */
  settleHold(id: string, charge: Charge, transaction: Transaction): Promise<boolean>

  /** Gives a hold back: the work cost nothing. Returns false for one that has ended. */
  releaseHold(id: string, transaction: Transaction): Promise<boolean>

  /**
   * Writes a log row that moves no money (errors, tests, administration). Never blocks and never fails the caller.
   * With `isLogged` false an error is counted by the hour and leaves no row.
   */
  record(requestId: string, entry: LogEntry, isLogged?: boolean): void

  /**
   * Applies a credit once, in the caller's transaction or in one of its own. Returns whether it was new.
   * @throws AppError `quota.bounds` when the balance would pass 2^53 - 1 in either direction.
   */
  credit(credit: Credit, transaction?: Transaction): Promise<boolean>

  /** What a user can spend now: free plus leased, without what is held. */
  balanceOf(userIds: readonly number[]): Promise<Map<number, number>>
  tokenBalanceOf(tokenIds: readonly number[]): Promise<Map<number, number>>

  /** Brings a balance to `quota` as a change against its present value, in one transaction. Returns the change. */
  adjustBalance(id: string, userId: number, quota: number, transaction?: Transaction): Promise<number>
  adjustTokenBalance(tokenId: number, quota: number, transaction?: Transaction): Promise<number>
  /** Adds to the balance of a limited token, or takes away from it. */
  changeTokenBalance(tokenId: number, amount: number, transaction?: Transaction): Promise<void>

  /**
   * Resolves when no worker can spend more of a balance that was cut than its calls in flight have reserved; after a few
   * seconds also when a worker does not respond. Call it after the commit.
   */
  whenRecalled(kind: 'user' | 'token' | 'window', id: number): Promise<void>

  /** Resolves when what was charged until now can be read in the database; after a second in any case. */
  waitUntilApplied(): Promise<void>

  /**
   * Returns why this worker refuses every call that costs something, also where none was made lately; null where it does not. May write to
   * the journal, once in a few seconds.
   */
  problem(): LedgerProblem | null

  /** Present figures, for the metrics. */
  stats(): LedgerStats

  /** Commits what is queued and returns all leases. No reservation is possible afterwards. */
  close(): Promise<void>
}

/** The journal's problem, or `database`: this worker did not reach it before its leases may have been taken back. */
export type LedgerProblem = JournalProblem | 'database'

interface LedgerStats {
  readonly leases: number
  /** Quota of users that this worker holds, and how much of it calls in flight have reserved. */
  readonly leasedQuota: number
  readonly reserved: number
  /** Windows of which calls in flight hold something. */
  readonly windowsInUse: number
  /** Charges on their way to the disk. */
  readonly pendingCharges: number
  /** Charges on the disk that the database does not have yet, and the age of the first. */
  readonly journalDepth: number
  readonly journalOldestSeconds: number
  /** Files of this node that hold charges which could not be read, or tell of charges that are missing. */
  readonly setAsideFiles: number
  /** Log rows without money that could not be written. */
  readonly droppedRecords: number
}

const outOfQuota: ReadonlySet<string> = new Set(['quota.user', 'quota.token', 'quota.window'])

/** Returns whether the ledger refused a call because the balance of its user or its key, or a window, does not cover it. */
export const isOutOfQuota = (error: unknown): error is AppError =>
  error instanceof AppError && outOfQuota.has(error.code)

/** How much a call wants to hold, and with how little it makes do. */
export interface HoldRange {
  readonly max: number
  /** With less it is refused. */
  readonly min: number
  /** What a call gets of a balance that cannot pay `max`, where a share of it is less. Default: `min`. */
  readonly fair?: number
  /** The most tokens that it may use, for windows that count them. Default: none. */
  readonly tokens?: { readonly prompt: number; readonly completion: number } | undefined
}
