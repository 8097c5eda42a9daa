import type { Choice } from '../../channels/choice'
import { FinalError } from '../attempt/final-error'
import { openAnswer } from '../attempt/open-answer'
import type { OpenAnswer } from '../attempt/stream-opening'
import { type RouteRequest, route, type RouteDeps } from './route'
import type { CallContext } from '../call-context'
import { reportFailure } from '../errors/report-failure'
import { UpstreamError } from '../../channels/calls/upstream-error'
import { recordOf, type AttemptRecord } from '../call-log'
import type { Attempt } from '../../channels/health/health'
import { type Slot, NoSlot, type Slots } from '../../channels/slots/slots'
import type { Context } from '../../context'
import { blameOf, weightOf } from '../../channels/calls/blame'
import { Retries, type JudgedFailure } from '../attempt/retries'
import { applyRetryAfter } from '../attempt/retry-after'
import type { Metrics } from '../../platform/telemetry/metrics/metrics'

/** What a channel opened, or the reason why none did. */
export type Attempted<Opened = OpenAnswer> = Answered<Opened> | { readonly kind: 'failed'; readonly error: unknown }

/** Resolves with the response of the first channel that serves, or with the error that the client is told. */
export const attempt = (context: CallContext): Promise<Attempted> =>
  attemptWith(context, (choice) => openAnswer(context, choice))

/** Does the same with another way to call a channel. */
export async function attemptWith<Opened extends { readonly isProven: boolean }>(
  context: CallContext,
  open: (choice: Choice) => Promise<Opened>,
): Promise<Attempted<Opened>> {
  const { ctx, keyTurns } = context.deps
  const { clock, random, health, metrics } = ctx
  const request = routeRequest(context)
  const deps = { clock, random, health, metrics, keyTurns }
  const failures = new FinalError()
  try {
    const attempts = new Attempts(request, open, deps)
    for (let outcome = await attempts.next(); outcome; outcome = await attempts.next()) {
      const hasLeft = outcome.kind === 'no-slot' && outcome.error.fault === 'abandoned'
      if (!hasLeft) context.records.push(outcome.record)
      if (outcome.kind === 'answered') return outcome
      if (!hasLeft) reportFailure(context, outcome.choice, outcome.error)
      failures.add(outcome)
    }
    return { kind: 'failed', error: failures.of(request) }
  } catch (error) {
    return { kind: 'failed', error }
  }
}

const routeRequest = ({ call, caller, departure, view, objects, quote, deps: { ctx } }: CallContext): RouteRequest => ({
  caller,
  catalog: call.catalog,
  model: view.model,
  mode: call.endpoint.mode,
  promptTokens: view.promptTokens,
  departure,
  deadline: call.startedAt + ctx.config.requestTimeoutMs,
  unpriced: quote.offers.unpriced,
  excluded: objects?.excluded,
  elsewhere: objects?.elsewhere,
})

/** The channel serves. From here on no other one is tried. */
export interface Answered<Answer> {
  readonly kind: 'answered'
  readonly choice: Choice
  readonly answer: Answer
  /** Reports a failure later in the response, and the outcome where it is not known yet. */
  readonly attempt: Attempt
  /** Released when the upstream is done. */
  readonly slot: Slot
  readonly record: AttemptRecord
}

/** The attempt failed before anything reached the client. */
interface Failed extends JudgedFailure {
  readonly kind: 'failed'
  readonly record: AttemptRecord
}

/** The channel was not called: no slot became free in time, or the client left while waiting for one. */
interface NoSlotHad {
  readonly kind: 'no-slot'
  readonly choice: Choice
  readonly error: UpstreamError
  readonly record: AttemptRecord
}

type AttemptOutcome<Answer> = Answered<Answer> | Failed | NoSlotHad

/** The result of an attempt. */
interface Opened {
  /** The channel has proven to serve. Otherwise the delivery reports the outcome. */
  readonly isProven: boolean
}

type AttemptDeps = RouteDeps & Pick<Context, 'clock' | 'metrics'>

/**
 * Tries one channel after another until one serves. `open` makes one attempt and throws an UpstreamError after which another channel may
 * be tried.
 */
export class Attempts<Answer extends Opened> {
  readonly #retries: Retries
  #last: AttemptOutcome<Answer> | null = null

  constructor(
    private readonly request: RouteRequest,
    private readonly open: (choice: Choice) => Promise<Answer>,
    private readonly deps: AttemptDeps,
  ) {
    this.#retries = new Retries(request, deps)
  }

  /** Resolves with the outcome of the next attempt; null when one has served, or none may follow or no channel is available. */
  async next(): Promise<AttemptOutcome<Answer> | null> {
    const begun = this.#mayFollow() ? this.#begin() : null
    if (begun) this.#last = await attemptAt(begun, this.request, this.open, this.deps)
    return begun && this.#last
  }

  #mayFollow(): boolean {
    const last = this.#last
    return last === null || (last.kind === 'failed' && this.#retries.mayFollow(last))
  }

  #begin(): Begun | null {
    const retries = this.#retries
    const { request, deps } = this
    const choice = route(request, retries, deps) ?? (retries.beginAgain() ? route(request, retries, deps) : null)
    if (!choice) return null
    const attempt = deps.health.begin(choice)
    if (retries.allows(attempt)) return { choice, attempt, failed: retries.failed }
    attempt.endedSilently()
    return null
  }
}

interface Begun extends Pick<Retries, 'failed'> {
  readonly choice: Choice
  readonly attempt: Attempt
}

async function attemptAt<Answer extends Opened>(
  { choice, attempt, failed }: Begun,
  request: RouteRequest,
  open: (choice: Choice) => Promise<Answer>,
  deps: AttemptDeps,
): Promise<AttemptOutcome<Answer>> {
  const { clock, health, metrics } = deps
  const startedAt = clock.monotonic()
  let slot: Slot | null = null
  try {
    slot =
      health.slots.enterNow(choice.channel) ?? (await acquireSlot(choice, request, { slots: health.slots, metrics }))
    const answer = await open(choice)
    if (answer.isProven) attempt.succeeded()
    metrics.attempted('served', choice.channel.id)
    return { kind: 'answered', choice, answer, attempt, slot, record: recordOf(choice, startedAt, deps) }
  } catch (error) {
    slot?.release()
    if (!(error instanceof UpstreamError)) {
      attempt.endedSilently()
      throw error
    }
    const record = recordOf(choice, startedAt, deps, error)
    if (!slot) {
      attempt.endedSilently()
      return { kind: 'no-slot', choice, error, record }
    }
    metrics.attempted(error.fault, choice.channel.id)
    const blame = blameOf(error, request.catalog.options)
    const cooling = applyRetryAfter(error, choice, request, failed, deps)
    if (cooling || blame === 'none' || blame === 'request') attempt.endedSilently()
    else attempt.failed({ scope: blame, weight: weightOf(error, blame), tookMs: clock.monotonic() - startedAt })
    return { kind: 'failed', choice, error: cooling ?? error, blame, isProbe: attempt.isProbe, record }
  }
}

const messages = {
  full: 'The line before the channel is full',
  late: 'The time to wait for the channel is over',
  gone: 'The client left',
} as const

interface SlotDeps {
  readonly slots: Slots
  readonly metrics: Pick<Metrics, 'waited'>
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
    metrics.waited('served')
    return slot
  } catch (cause) {
    if (!(cause instanceof NoSlot)) throw cause
    const { why, retryAfterSeconds } = cause
    metrics.waited(why)
    const message = messages[why]
    if (why === 'gone') throw new UpstreamError({ fault: 'abandoned', status: 499, message, cause })
    throw new UpstreamError({ fault: 'busy', status: 503, message, retryAfterSeconds, cause })
  }
}
