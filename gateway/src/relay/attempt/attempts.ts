import { UpstreamError, type UpstreamFault } from '../../channels/calls/upstream-error'
import type { Channel } from '../../channels/catalog/catalog'
import type { Choice } from '../../channels/choice'
import type { Attempt } from '../../channels/health/health'
import type { Slot } from '../../channels/slots/slots'
import type { Context } from '../../context'
import { mask } from '../../platform/text/mask'
import { route, type RouteDeps } from '../stages/route'
import { acquireSlot } from './acquire-slot'
import { blameOf, weightOf } from '../../channels/calls/blame'
import { Retries, type JudgedFailure } from './retries'
import { applyRetryAfter } from './retry-after'
import type { RouteRequest } from './route-request'

/** One attempt at one channel, for the log. */
export interface AttemptRecord {
  readonly channel: Channel
  readonly keyFingerprint: string
  /** As requested, before the channel's mapping. */
  readonly model: string
  /** Monotonic milliseconds. */
  readonly startedAt: number
  /** The upstream's status, 200 when it served. */
  readonly status: number
  readonly milliseconds: number
  /** Why it failed; empty for the attempt that served. */
  readonly fault: UpstreamFault | ''
  /** The upstream's own description of the failure, masked. */
  readonly reason: string
}

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

export type AttemptOutcome<Answer> = Answered<Answer> | Failed | NoSlotHad

/** The result of an attempt. */
interface Opened {
  /** The channel has proven to serve. Otherwise the delivery reports the outcome. */
  readonly isProven: boolean
}

export type AttemptDeps = RouteDeps & Pick<Context, 'clock' | 'metrics'>

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

function recordOf(
  { channel, key, model }: Choice,
  startedAt: number,
  { clock }: Pick<Context, 'clock'>,
  error?: UpstreamError,
): AttemptRecord {
  const { fingerprint: keyFingerprint } = key
  const milliseconds = Math.round(clock.monotonic() - startedAt)
  const { status, fault, reason } = error ? failureOf(error) : noFailure
  return { channel, keyFingerprint, model, startedAt, milliseconds, status, fault, reason }
}

const noFailure = { status: 200, fault: '', reason: '' } as const

const failureOf = (error: UpstreamError) => ({
  status: error.status,
  fault: error.fault,
  reason: mask(error.message, error.secrets),
})
