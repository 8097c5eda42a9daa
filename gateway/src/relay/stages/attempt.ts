import type { Admission, FullWindow } from '../../billing/ledger/ledger'
import type { Choice } from '../../channels/catalog/catalog'
import { modelName } from '../../channels/catalog/channel-keys'
import { mayFollow } from '../../channels/routing/own-login'
import { FinalError } from '../attempt/final-error'
import { FullChannels, type Skipped } from '../attempt/full-channels'
import { attemptRange, attemptWindows, type AttemptWindows } from '../attempt/attempt-windows'
import { openResponse } from '../attempt/open-response'
import type { OpenResponse } from '../attempt/stream-opening'
import { type RouteRequest, route, type RouteDeps } from './route'
import type { CallContext } from '../call-context'
import { reportFailure } from '../errors/report-failure'
import { UpstreamError } from '../../channels/calls/upstream-error'
import { recordOf, type AttemptRecord } from '../call-log'
import type { OutcomeReporter } from '../../channels/health/health'
import { type Slot, NoSlotError, type Slots } from '../../channels/slots/slots'
import type { Context } from '../../context'
import { classifyFailure, weightOf, type FailureClass } from '../../channels/calls/classify-failure'
import type { FailureScope } from '../../channels/health/health-reading'
import { servingServers } from '../admission/remote-servers'
import { conversationOf } from '../admission/conversation'
import { Retries, type ClassifiedFailure } from '../attempt/retries'
import { applyRetryAfter, restUsedUp } from '../attempt/retry-after'
import type { Metrics } from '../../platform/telemetry/metrics/metrics'

/** What a channel opened, or the reason why none did. */
export type ServingResult<Opened = OpenResponse> = Served<Opened> | { readonly kind: 'failed'; readonly error: unknown }

/** Resolves with the response of the first channel that serves, or with the error that the client is told. */
export const attempt = (context: CallContext): Promise<ServingResult> =>
  attemptWith(
    context,
    (choice) => openResponse(context, choice),
    ({ choice, response }) => {
      if (!choice.ownLogin) restUsedUp(response.headers, choice, context.deps.ctx)
    },
  )

/** Does the same with another way to call a channel. `onServed` is called when one serves. */
export async function attemptWith<Opened extends { readonly isProven: boolean }>(
  context: CallContext,
  open: (choice: Choice) => Promise<Opened>,
  onServed?: (served: Served<Opened>) => void,
): Promise<ServingResult<Opened>> {
  const { ctx, keyTurns } = context.deps
  const { clock, random, health, metrics } = ctx
  const request = routeRequest(context)
  const windows = attemptWindows(request.catalog, ctx.ledger, (windows, choice) =>
    ctx.ledger.admit(context.reservation, windows, attemptRange(context, choice, windows)),
  )
  const deps = { clock, random, health, metrics, keyTurns, windows }
  const failures = new FinalError()
  try {
    const attempts = new Attempts(request, open, deps)
    for (let outcome = await attempts.next(); outcome; outcome = await attempts.next()) {
      const hasLeft = outcome.kind === 'no-slot' && outcome.error.fault === 'abandoned'
      if (!hasLeft) context.records.push(outcome.record)
      if (outcome.kind === 'served') {
        onServed?.(outcome)
        return outcome
      }
      if (!hasLeft) reportFailure(context, outcome.choice, outcome.error)
      failures.add(outcome)
    }
    return { kind: 'failed', error: failures.of(request) }
  } catch (error) {
    return { kind: 'failed', error }
  }
}

const routeRequest = (context: CallContext): RouteRequest => {
  const {
    call,
    caller,
    body,
    departure,
    view,
    objects,
    quote,
    deps: { ctx },
  } = context
  return {
    caller,
    catalog: call.catalog,
    model: view.model,
    mode: call.endpoint.mode,
    promptTokens: view.promptTokens,
    sessionOf: () => conversationOf({ call, caller, body, view }),
    departure,
    deadline: call.startedAt + ctx.config.requestTimeoutMs,
    canServe: servingChannels(context),
    unpriced: quote.prices.unpriced,
    excluded: objects?.excluded,
    nonPreferred: objects?.elsewhere,
  }
}

/** A login stays at one host for the next models of a chain too: all attempts of a call are in its records. */
function servingChannels({ call, caller, body, view, records }: CallContext): RouteRequest['canServe'] {
  const reachesServers = servingServers({ call, body, view })
  if (caller.ownLogin === null) return reachesServers
  return (candidate) => mayFollow(records[0]?.channel, candidate) && (reachesServers?.(candidate) ?? true)
}

/** The channel serves. From here on no other one is tried. */
export interface Served<Result> {
  readonly kind: 'served'
  readonly choice: Choice
  readonly response: Result
  /** Reports a failure later in the response, and the outcome where it is not known yet. */
  readonly reporter: OutcomeReporter
  /** Released when the upstream is done. */
  readonly slot: Slot
  readonly record: AttemptRecord
}

/** The attempt failed before anything reached the client. */
interface Failed extends ClassifiedFailure {
  readonly kind: 'failed'
  readonly record: AttemptRecord
}

/** The channel was not called: no slot became free in time, the client left while waiting for one, or no channel has room in its windows. */
interface SlotDenied {
  readonly kind: 'no-slot'
  readonly choice: Choice
  readonly error: UpstreamError
  readonly record: AttemptRecord
}

type AttemptOutcome<Result> = Served<Result> | Failed | SlotDenied

/** The result of an attempt. */
interface Opened {
  /** The channel has proven to serve. Otherwise the delivery reports the outcome. */
  readonly isProven: boolean
}

type AttemptDeps = RouteDeps & Pick<Context, 'clock' | 'metrics'> & { readonly windows: AttemptWindows }

/**
 * Tries one channel after another until one serves. `open` makes one attempt and throws an UpstreamError after which another channel may
 * be tried.
 */
export class Attempts<Result extends Opened> {
  readonly #retries: Retries
  #last: AttemptOutcome<Result> | null = null
  /** Null: none was full. */
  #full: FullChannels | null = null

  constructor(
    private readonly request: RouteRequest,
    private readonly open: (choice: Choice) => Promise<Result>,
    private readonly deps: AttemptDeps,
  ) {
    this.#retries = new Retries(request, deps)
  }

  /** Resolves with the outcome of the next attempt; null when one has served, or none may follow or no channel is available. */
  async next(): Promise<AttemptOutcome<Result> | null> {
    if (!this.#mayContinue()) return null
    try {
      for (;;) {
        const full = this.#full
        const open = full === null ? this.open : (choice: Choice) => (full.enter(), this.open(choice))
        for (let started = this.#start(); started; started = this.#start()) {
          const outcome = await attemptAt(started, this.request, open, this.deps)
          if (outcome.kind !== 'full') return (this.#last = outcome)
          this.#skip(outcome)
        }
        const first = this.#full?.first
        // An attempt that failed says more.
        if (!this.#full || !first || this.#retries.isRetry) return null
        const error = await this.#full.waitForRoom(first)
        if (error) return (this.#last = this.#deniedAt(first, error))
        this.#retries.startOver()
      }
    } finally {
      this.#full?.leaveQueue()
    }
  }

  #mayContinue(): boolean {
    const last = this.#last
    return last === null || (last.kind === 'failed' && this.#retries.recordFailure(last))
  }

  #start(): StartedAttempt | null {
    const retries = this.#retries
    const { deps } = this
    const choice = this.#choose()
    if (!choice) return null
    const reporter = deps.health.begin(choice)
    if (retries.allows(reporter)) return { choice, reporter, failed: retries.failed }
    reporter.endedSilently()
    return null
  }

  /** Returns the channel and key to try, of those that are not known to be full. */
  #choose(): Choice | null {
    const retries = this.#retries
    const { request, deps } = this
    for (;;) {
      const choice = route(request, retries, deps) ?? (retries.widenChoice() ? route(request, retries, deps) : null)
      const full = choice && (deps.windows.fullAt(choice) ?? this.#windowInDemand(choice))
      if (!choice || !full) return choice
      this.#skip({ kind: 'full', choice, full })
    }
  }

  #skip(skipped: Skipped): void {
    this.#retries.recordFull(skipped.choice, skipped.full.window)
    this.#full ??= new FullChannels(this.request, this.deps)
    this.#full.add(skipped)
  }

  /** Returns the window for which calls wait that came before this one; null where none do. */
  #windowInDemand({ channel }: Choice): FullWindow | null {
    return this.#full?.isInFrontOf(channel) ? null : this.deps.health.windowLines.windowBefore(channel.id)
  }

  #deniedAt({ choice }: Skipped, error: UpstreamError): SlotDenied {
    return { kind: 'no-slot', choice, error, record: recordOf(choice, this.deps.clock.monotonic(), this.deps, error) }
  }
}

interface StartedAttempt extends Pick<Retries, 'failed'> {
  readonly choice: Choice
  readonly reporter: OutcomeReporter
}

async function attemptAt<Result extends Opened>(
  { choice, reporter, failed }: StartedAttempt,
  request: RouteRequest,
  open: (choice: Choice) => Promise<Result>,
  deps: AttemptDeps,
): Promise<AttemptOutcome<Result> | Skipped> {
  const { clock, health, metrics, windows } = deps
  const startedAt = clock.monotonic()
  let slot: Slot | null = null
  let admission: Admission | null = null
  try {
    slot =
      health.slots.enterNow(choice.channel) ?? (await acquireSlot(choice, request, { slots: health.slots, metrics }))
    const admitting = windows.admit(choice)
    if (admitting) {
      const admitted = await admitting
      if (admitted.kind === 'full') {
        slot.release()
        reporter.endedSilently()
        return { kind: 'full', choice, full: admitted }
      }
      admission = admitted
      slot = withPlace(slot, admission, () => health.windowLines.wake(choice.channel.id))
    }
    const response = await open(choice)
    if (response.isProven) reporter.recordSuccess()
    metrics.countAttempt('served', choice.channel.id)
    return { kind: 'served', choice, response, reporter, slot, record: recordOf(choice, startedAt, deps) }
  } catch (error) {
    slot?.release()
    if (admission) await admission.withdraw()
    if (!(error instanceof UpstreamError)) {
      reporter.endedSilently()
      throw error
    }
    const record = recordOf(choice, startedAt, deps, error)
    if (!slot) {
      reporter.endedSilently()
      return { kind: 'no-slot', choice, error, record }
    }
    metrics.countAttempt(error.fault, choice.channel.id)
    const failureClass = classifyFailure(error, request.catalog.options)
    const cooling = choice.ownLogin ? null : applyRetryAfter(error, choice, request, failed, deps)
    if (cooling || !isScope(failureClass)) reporter.endedSilently()
    else {
      const tookMs = clock.monotonic() - startedAt
      reporter.recordFailure({ scope: failureClass, weight: weightOf(error, failureClass), tookMs })
      if (request.catalog.options.RoutingStrategies.length > 0)
        health.standings.speeds.recordFailure(modelName(choice.channel.id, choice.model), tookMs)
    }
    return { kind: 'failed', choice, error: cooling ?? error, failureClass, isProbe: reporter.isProbe, record }
  }
}

const isScope = (failed: FailureClass): failed is FailureScope =>
  failed !== 'none' && failed !== 'request' && failed !== 'client'

/** Returns a slot with the call's place in the windows that count calls at the same time. */
const withPlace = (slot: Slot, admission: Admission, onLeave: () => void): Slot => ({
  release() {
    slot.release()
    admission.leave()
    onLeave()
  },
})

const messages = {
  full: 'The line before the channel is full',
  late: 'The time to wait for the channel is over',
  gone: 'The client left',
} as const

interface SlotDeps {
  readonly slots: Slots
  readonly metrics: Pick<Metrics, 'countWait'>
}

/**
 * Resolves with one of the concurrency slots of a channel that has none free, when it is the call's turn.
 * @throws UpstreamError `busy`, or `abandoned` when the client left first.
 */
async function acquireSlot(
  { channel }: Choice,
  { departure, deadline }: Pick<RouteRequest, 'departure' | 'deadline'>,
  { slots, metrics }: SlotDeps,
): Promise<Slot> {
  try {
    const slot = await slots.enter(channel, { signal: departure.signal, deadline })
    metrics.countWait('served')
    return slot
  } catch (cause) {
    if (!(cause instanceof NoSlotError)) throw cause
    const { why, retryAfterSeconds } = cause
    metrics.countWait(why)
    const message = messages[why]
    if (why === 'gone') throw new UpstreamError({ fault: 'abandoned', status: 499, message, cause })
    throw new UpstreamError({ fault: 'busy', status: 503, message, retryAfterSeconds, cause })
  }
}
