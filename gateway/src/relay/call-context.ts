import type { Context } from '../context'
import type { Reservation } from '../billing/ledger/ledger'
import type { Limiter } from '../http/limits/limiter'
import type { KeyTurns } from '../channels/routing/keys'
import type { Refusals } from './refusals/refusals'
import type { AttemptRecord } from './call-log'
import type { Caller, ModelCall } from './call'
import type { Departure } from './departure'
import type { InFlight } from './in-flight/in-flight'
import type { ObjectAccess } from './objects/object-access'
import type { OpenTurn } from './turns/open-turn'
import type { Quote } from './stages/quote'
import type { ParsedBody } from '../channels/calls/parsed-body'
import type { CallView } from './admission/call-view'
import type { Stage } from '../platform/telemetry/metrics/metrics'
import type { CallTrace } from '../platform/telemetry/tracing/tracing'

/** What all calls of a worker share. */
export interface RelayDeps {
  readonly ctx: Context
  readonly inFlight: InFlight
  readonly limiter: Limiter
  readonly keyTurns: KeyTurns
  readonly refusals: Refusals
}

/** One admitted call with everything decided about it: the input of attempts, delivery and charge. */
export interface CallContext {
  readonly deps: RelayDeps
  readonly call: ModelCall
  readonly caller: Caller
  readonly body: ParsedBody
  readonly view: CallView
  /** What it may use of the accounts of vendors; null: it names nothing of them. */
  readonly objects: ObjectAccess | null
  /** As a turn of the Responses API; null: it neither goes on from one nor is stored as one. */
  readonly turn: OpenTurn | null
  readonly quote: Quote
  readonly reservation: Reservation
  /** When its client leaves or is sent away. */
  readonly departure: Departure
  /** The limit for each response that the balance can pay, where the caller set none; null where it can pay the largest. */
  readonly maxTokens: number | null
  /** One per attempt, in order. */
  readonly records: AttemptRecord[]
  readonly timing: Timing
}

/** The gateway's own time on one call, without the time of the upstream. */
export class Timing {
  #ownMs = 0

  constructor(
    private readonly context: Pick<Context, 'clock' | 'metrics'>,
    private readonly trace: Pick<CallTrace, 'stage'> | null,
  ) {}

  /** Milliseconds until now. */
  get ownMs(): number {
    return this.#ownMs
  }

  /** Records that a stage which began at this monotonic time ended now. */
  recordStage(stage: Stage, since: number): void {
    const milliseconds = this.context.clock.monotonic() - since
    this.#ownMs += milliseconds
    this.context.metrics.addStageTime(stage, milliseconds)
    this.trace?.stage(stage, milliseconds)
  }
}

/** https://www.w3.org/TR/server-timing/ `gateway` is the gateway's own work so far, `upstream` the time to its first byte. */
export const serverTiming = ({ ownMs }: Timing, firstByteMs: number): string =>
  `gateway;dur=${ownMs.toFixed(3)}, upstream;dur=${Math.max(firstByteMs - ownMs, 0).toFixed(1)}`
