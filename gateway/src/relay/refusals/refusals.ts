import { minuteMs } from '@tollgate/contract'
import { UpstreamError } from '../../channels/calls/upstream-error'
import { limitAddress } from '../../accounts/callers/limit-address'
import type { Context } from '../../context'
import type { Ledger, LogEntry } from '../../billing/ledger/ledger'
import type { Metrics } from '../../platform/telemetry/metrics/metrics'
import { errorTypeOf } from '../errors/failure'
import { refusalEntry, standingFor, type RefusedCall } from './refusal-entry'

/** Rows of their own a minute: of one caller or address, and of this worker. */
const rowsEach = 10
const rowsInAll = 300
/** Callers and addresses that are told apart within a minute. */
const maxSources = 2000
const maxFolds = 500

/** The further refusals of one source with one code within a minute. */
interface SharedRow {
  /** That of the first one. */
  readonly requestId: string
  readonly entry: LogEntry
  count: number
}

interface RefusalsContext extends Pick<Context, 'clock' | 'timers'> {
  readonly ledger: Pick<Ledger, 'record'>
  readonly metrics: Pick<Metrics, 'countRefusal'>
}

/**
 * Log rows of the calls that the gateway refuses before any upstream sees them. The first of each caller or address have a row each; further
 * ones within the minute share a row by code, so that a flood of them costs no more than counting it.
 */
export class Refusals {
  readonly #ctx: RefusalsContext
  readonly #rowsOf = new Map<string, number>()
  readonly #folds = new Map<string, SharedRow>()
  #rows = 0
  /** Monotonic milliseconds. */
  #minuteEnds = 0
  #cancelFlush = () => {}

  constructor(ctx: RefusalsContext) {
    this.#ctx = ctx
  }

  /** Records why a call was refused. Failed attempts at upstreams have rows of their own. */
  note(error: unknown, call: RefusedCall): void {
    const code = errorTypeOf(error)
    const ctx = this.#ctx
    if (error instanceof UpstreamError || isUnlogged(code, call)) return
    ctx.metrics.countRefusal(code)
    if (!call.catalog.options.LogErrorEnabled) return
    if (ctx.clock.monotonic() >= this.#minuteEnds) this.#beginMinute()
    const source = sourceOf(call)
    if (this.#takeRow(source)) ctx.ledger.record(call.requestId, refusalEntry(error, call, ctx.clock))
    else this.#addToSharedRow(source, code, error, call)
  }

  /** Writes the rows that stand for several calls. */
  flush(): void {
    this.#cancelFlush()
    this.#cancelFlush = () => {}
    for (const { requestId, entry, count } of this.#folds.values()) {
      this.#ctx.ledger.record(requestId, standingFor(count, entry))
    }
    this.#folds.clear()
  }

  #beginMinute(): void {
    this.flush()
    this.#rowsOf.clear()
    this.#rows = 0
    this.#minuteEnds = this.#ctx.clock.monotonic() + minuteMs
  }

  #takeRow(source: string): boolean {
    const rows = this.#rowsOf.get(source) ?? 0
    if (rows >= rowsEach || this.#rows >= rowsInAll) return false
    if (rows === 0 && this.#rowsOf.size >= maxSources) return false
    this.#rowsOf.set(source, rows + 1)
    this.#rows += 1
    return true
  }

  #addToSharedRow(source: string, code: string, error: unknown, call: RefusedCall): void {
    const own = this.#folds.get(`${source} ${code}`)
    if (own) return void (own.count += 1)
    const isFull = this.#folds.size >= maxFolds
    const key = isFull ? code : `${source} ${code}`
    const shared = isFull ? this.#folds.get(key) : undefined
    if (shared) return void (shared.count += 1)
    const { clock, timers } = this.#ctx
    if (this.#folds.size === 0) this.#cancelFlush = timers.after(minuteMs, () => this.flush())
    const described = isFull
      ? { ...call, clientIp: '', findings: { caller: null, model: '', requests: null, tokens: null } }
      : call
    this.#folds.set(key, { requestId: call.requestId, entry: refusalEntry(error, described, clock), count: 1 })
  }
}

/** A site that is not set up has no reader of its log; a client that left was not refused, unless it was sent away. */
const isUnlogged = (code: string, { request }: RefusedCall): boolean =>
  code === 'gateway.setup' || (request.signal.aborted && code !== 'caller.revoked')

/** A caller who is known does not share rows with others at the address. */
function sourceOf({ findings: { caller }, clientIp }: RefusedCall): string {
  return caller ? `${caller.payer.userId}:${caller.payer.tokenId}` : limitAddress(clientIp)
}
