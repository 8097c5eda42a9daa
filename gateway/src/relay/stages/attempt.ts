import { AppError } from '../../app-error'
import type { Catalog, Channel } from '../../catalog/catalog'
import type { Context } from '../../context'
import { standing, type Attempt } from '../../channels/health/health'
import { keyName } from '../../channels/key-name'
import { keyOf, type Excluded, type KeyTurns } from '../../routing/keys'
import type { Choice } from '../../channels/choice'
import { plan, type RouteQuestion } from '../../routing/plan'
import type { Slot } from '../../channels/slots/slots'
import { tiersOf } from '../../routing/tiers'
import { mask } from '../../mask'
import { restAfter } from '../attempt/retry-after'
import { blameOf, isRetryable, weightOf, type Blame } from '../attempt/blame'
import { UpstreamError, type UpstreamFault } from '../../channels/calls/upstream-error'
import { waitedFor } from '../attempt/acquire-slot'
import type { RouteRequest, WantedModel } from '../attempt/route-request'

/** One try at one channel, for the log. */
export interface AttemptRecord {
  readonly channel: Channel
  readonly keyFingerprint: string
  /** Before the channel's mapping. */
  readonly model: string
  /** Of the clock that never jumps. */
  readonly startedAt: number
  /** Of the upstream, 200 when it served. */
  readonly status: number
  readonly milliseconds: number
  /** Why it was left; empty for the one that served. */
  readonly fault: UpstreamFault | ''
  /** The same in the upstream's words, masked. */
  readonly reason: string
}

export interface Served<Answer> {
  readonly choice: Choice
  readonly answer: Answer
  /** Is told if the answer breaks off later, and how it ends where it is not proven yet. */
  readonly attempt: Attempt
  /** Given back when the upstream is done. */
  readonly slot: Slot
}

/** What an attempt comes to. */
interface Opened {
  /** The channel serves. Else the one who delivers the answer tells the attempt how it went. */
  readonly isProven: boolean
}

/** What happens to each attempt. */
export interface AttemptHooks<Answer extends Opened> {
  /** Make the attempt. @throws UpstreamError, after which another channel may be asked. */
  open(choice: Choice): Promise<Answer>
  /** It failed; nothing reached the client. */
  failed(choice: Choice, error: UpstreamError): void
}

type Parts = Pick<Context, 'clock' | 'random' | 'health' | 'metrics'> & { readonly keyTurns: KeyTurns }

/**
 * Ask one channel after another until one serves. `records` gets a line for each attempt, also when all fail.
 * @throws UpstreamError of the last attempt; AppError `route.no_channel`, `model.unknown`, `endpoint.unsupported` when there was none.
 */
export async function serve<Answer extends Opened>(
  wish: RouteRequest,
  hooks: AttemptHooks<Answer>,
  records: AttemptRecord[],
  parts: Parts,
): Promise<Served<Answer>> {
  const retries = new Retries(wish, parts)
  for (;;) {
    const choice = choose(wish, retries, parts) ?? (retries.beginAgain() ? choose(wish, retries, parts) : null)
    if (!choice) throw retries.last ?? noRouteError(wish)
    const attempt = parts.health.begin(choice)
    if (!retries.allows(attempt)) {
      attempt.endedSilently()
      throw retries.last
    }
    const record = recorderOf(choice, records, parts)
    const slot = await slotFor(choice, wish, parts)
    if (slot instanceof UpstreamError) {
      attempt.endedSilently()
      if (slot.fault === 'busy') {
        record(slot.status, slot.fault, slot.message)
        hooks.failed(choice, slot)
      }
      throw retries.last ?? slot
    }
    try {
      const answer = await hooks.open(choice)
      if (answer.isProven) attempt.succeeded()
      parts.metrics.attempted('served', choice.channel.id)
      record(200, '', '')
      return { choice, answer, attempt, slot }
    } catch (error) {
      slot.release()
      if (!(error instanceof UpstreamError)) {
        attempt.endedSilently()
        throw error
      }
      error.hide(choice.key.value)
      parts.metrics.attempted(error.fault, choice.channel.id)
      const tookMs = record(error.status, error.fault, mask(error.message, error.secrets))
      const blame = blameOf(error, wish.catalog.options)
      if (restAfter(error, choice, wish, retries.failed, parts) || blame === 'nobody' || blame === 'request')
        attempt.endedSilently()
      else attempt.failed({ scope: blame, weight: weightOf(error, blame), tookMs })
      hooks.failed(choice, error)
      if (!retries.mayFollow({ choice, attempt, error, blame })) throw error
    }
  }
}

interface FailedAttempt {
  readonly choice: Choice
  readonly attempt: Attempt
  readonly error: UpstreamError
  readonly blame: Blame
}

/** An attempt with less time would only blame a channel for what others took. */
const shortestAttemptMs = 1_000

/** Which further attempts a call may make. */
class Retries {
  failed: Excluded
  last: UpstreamError | undefined
  /** Those that count towards the operator's limit. */
  #counted = 0
  /** The gateway took a chance with the call, which its caller does not pay for. */
  #isOwed = false
  /** What had failed before a kept connection was found too old. Once a call. */
  #beforeStale: Excluded | null = null
  #wasStale = false

  constructor(
    private readonly wish: RouteRequest,
    private readonly parts: Pick<Parts, 'clock' | 'health' | 'metrics'>,
  ) {
    this.failed = { keys: new Set(), channels: wish.unpriced ?? new Set() }
    parts.health.retries.called()
  }

  /** After a failure: whether another attempt may be made, if a channel is left. */
  mayFollow({ choice, attempt, error, blame }: FailedAttempt): boolean {
    const { caller, catalog, signal } = this.wish
    const isFirstStale = error.fault === 'stale' && !this.#wasStale
    this.#wasStale ||= isFirstStale
    this.#isOwed = attempt.isProbe || isFirstStale
    this.last = error
    // Nobody is left to serve, though a channel that drains went on.
    if (caller.pinnedChannelId !== null || signal.aborted) return false
    if (this.wish.deadline - this.parts.clock.monotonic() < shortestAttemptMs) return false
    if (!isRetryable(error, blame, catalog.options)) return false
    if (!this.#isOwed && this.#counted >= catalog.options.RetryTimes) return false
    if (!this.#isOwed) this.#counted += 1
    if (isFirstStale) this.#beforeStale = this.failed
    this.failed = withFailed(choice, blame, this.failed)
    return true
  }

  /** Nobody else is left: the channel whose connection was too old may be asked again, of which nothing speaks against it. */
  beginAgain(): boolean {
    if (this.#beforeStale === null) return false
    this.failed = this.#beforeStale
    this.#beforeStale = null
    return true
  }

  /** Before an attempt: one at a channel that fails is made within the budget. */
  allows(attempt: Attempt): boolean {
    if (!this.last) return true
    const { health, metrics } = this.parts
    const isAllowed = this.#isOwed || attempt.isSteady || health.retries.take()
    metrics.retried(isAllowed ? 'made' : 'refused')
    return isAllowed
  }
}

/** Adds the attempt to the records and returns how many milliseconds it took. */
function recorderOf({ channel, key, model }: Choice, records: AttemptRecord[], { clock }: Pick<Parts, 'clock'>) {
  const startedAt = clock.monotonic()
  return (status: number, fault: UpstreamFault | '', reason: string): number => {
    const tookMs = clock.monotonic() - startedAt
    const milliseconds = Math.round(tookMs)
    records.push({ channel, keyFingerprint: key.fingerprint, model, startedAt, status, milliseconds, fault, reason })
    return tookMs
  }
}

function slotFor({ channel }: Choice, wish: RouteRequest, parts: Parts): Slot | Promise<Slot | UpstreamError> {
  const entered = parts.health.slots.enter(channel, wish)
  return entered instanceof Promise ? waitedFor(entered, parts.metrics) : entered
}

function choose(wish: RouteRequest, { failed: excluded, last }: Retries, parts: Parts): Choice | null {
  const { caller, catalog, model } = wish
  if (caller.pinnedChannelId !== null) return pinned(wish, caller.pinnedChannelId, excluded, parts)
  const question: RouteQuestion = {
    group: caller.group,
    model,
    mode: wish.mode,
    promptTokens: wish.promptTokens,
    excluded,
    isRetry: last !== undefined,
    random: parts.random,
    health: parts.health,
    keyTurns: parts.keyTurns,
  }
  return plan(catalog, question)
}

function pinned({ catalog, model }: RouteRequest, id: number, excluded: Excluded, parts: Parts): Choice | null {
  const channel = catalog.channels.get(id)
  const key = channel && keyOf(channel, parts.keyTurns, excluded, parts.health, standing.ready)
  return channel && key ? { channel, key, model: withoutPrefix(model, channel) } : null
}

/** The model as a channel lists it. */
export const withoutPrefix = (model: string, { modelPrefix }: Channel): string =>
  modelPrefix !== '' && model.startsWith(modelPrefix) ? model.slice(modelPrefix.length) : model

/** What failed is not tried again in this call: the key when it was the key's fault, else the whole channel. */
function withFailed({ channel, key }: Choice, blame: Blame, failed: Excluded): Excluded {
  const keys = new Set(failed.keys).add(keyName(channel, key))
  const hasOtherKey = channel.keys.some((other) => other.isEnabled && !keys.has(keyName(channel, other)))
  const isLeft = blame === 'key' && hasOtherKey
  return { keys, channels: isLeft ? failed.channels : new Set(failed.channels).add(channel.id) }
}

/** Returns why no channel can be asked: the model is unknown, the vendors do not offer this mode, or all channels are off. */
export function noRouteError({ caller, catalog, model, mode }: WantedModel): AppError {
  const params = { model, group: caller.group }
  if (caller.pinnedChannelId !== null) return new AppError('route.no_channel', { params })
  const candidates = tiersOf(catalog, caller.group, model).flatMap((tier) => tier.candidates)
  if (candidates.length === 0) {
    return new AppError(isListedAnywhere(catalog, caller.group, model) ? 'route.no_channel' : 'model.unknown', {
      params,
    })
  }
  const isServable = candidates.some(({ channel }) => channel.provider.modes[mode] !== undefined)
  return new AppError(isServable ? 'route.no_channel' : 'endpoint.unsupported', { params })
}

/** Whether a channel that is switched off lists the model: then it will be back. */
function isListedAnywhere(catalog: Catalog, group: string, model: string): boolean {
  for (const channel of catalog.channels.values()) {
    if (!channel.groups.includes(group)) continue
    if (channel.modelPrefix !== '' && !model.startsWith(channel.modelPrefix)) continue
    if (channel.models.includes(withoutPrefix(model, channel))) return true
  }
  return false
}
