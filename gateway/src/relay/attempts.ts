import type { Mode } from '@tollgate/dialects'

import { AppError } from '../app-error'
import type { Catalog, Channel } from '../catalog/catalog'
import type { Context } from '../context'
import { keyName, keyOf, type Excluded, type KeyTurns } from '../routing/keys'
import { plan, type Choice, type RouteQuestion } from '../routing/plan'
import type { Slot } from '../channels/slots'
import { tiersOf } from '../routing/tiers'
import type { Caller } from './call'
import { mask } from '../mask'
import { restAfter } from './rest-after'
import { isChannelFault, isKeyFault, isRetryable } from './retry'
import { UpstreamError, type UpstreamFault } from './upstream-error'
import { waitedFor } from './waited-for'

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

export interface RouteWish {
  readonly caller: Caller
  readonly catalog: Catalog
  /** As the caller names it. */
  readonly model: string
  readonly mode: Mode
  readonly promptTokens: number
  /** The client left. */
  readonly signal: AbortSignal
  /** When the time for the whole call is over, of the clock. */
  readonly deadline: number
}

export interface Served<Answer> {
  readonly choice: Choice
  readonly answer: Answer
  /** Given back when the upstream is done. */
  readonly slot: Slot
}

/** What happens to each attempt. */
export interface AttemptHooks<Answer> {
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
export async function serve<Answer>(
  wish: RouteWish,
  hooks: AttemptHooks<Answer>,
  records: AttemptRecord[],
  parts: Parts,
): Promise<Served<Answer>> {
  const { options } = wish.catalog
  let failed = nothing
  let last: UpstreamError | null = null
  parts.health.retries.called()
  for (let attempt = 0; ; attempt += 1) {
    const choice = choose(wish, failed, parts)
    if (!choice) throw last ?? whyNobody(wish)
    if (last && !isRetried(parts)) throw last
    const startedAt = parts.clock.monotonic()
    const record = (status: number, fault: UpstreamFault | '', reason: string) =>
      records.push({
        channel: choice.channel,
        keyFingerprint: choice.key.fingerprint,
        model: choice.model,
        startedAt,
        status,
        milliseconds: Math.round(parts.clock.monotonic() - startedAt),
        fault,
        reason,
      })
    const entered = parts.health.slots.enter(choice.channel, wish)
    const slot = entered instanceof Promise ? await waitedFor(entered, parts.metrics) : entered
    if (slot instanceof UpstreamError) {
      if (slot.fault === 'busy') {
        record(slot.status, slot.fault, slot.message)
        hooks.failed(choice, slot)
      }
      throw last ?? slot
    }
    try {
      const answer = await hooks.open(choice)
      parts.health.succeeded(choice.channel.id)
      parts.metrics.attempted('served')
      record(200, '', '')
      return { choice, answer, slot }
    } catch (error) {
      slot.release()
      if (!(error instanceof UpstreamError)) throw error
      error.hide(choice.key.value)
      parts.metrics.attempted(error.fault)
      record(error.status, error.fault, mask(error.message, error.secrets))
      if (!restAfter(error, choice, wish, failed, parts) && isChannelFault(error))
        parts.health.failed(choice.channel.id)
      hooks.failed(choice, error)
      last = error
      if (wish.caller.pinnedChannelId !== null || attempt >= options.RetryTimes || !isRetryable(error, options))
        throw error
      // Nobody is left to serve, though a channel that drains went on.
      if (wish.signal.aborted) throw error
      failed = withFailed(choice, error, failed)
    }
  }
}

/** Whether the budget allows a further attempt. */
function isRetried({ health, metrics }: Parts): boolean {
  const isAllowed = health.retries.take()
  metrics.retried(isAllowed ? 'made' : 'refused')
  return isAllowed
}

const nothing: Excluded = { channels: new Set(), keys: new Set() }

function choose(wish: RouteWish, excluded: Excluded, parts: Parts): Choice | null {
  const { caller, catalog, model } = wish
  if (caller.pinnedChannelId !== null) return pinned(wish, caller.pinnedChannelId, excluded, parts)
  const question: RouteQuestion = {
    group: caller.group,
    model,
    mode: wish.mode,
    promptTokens: wish.promptTokens,
    excluded,
    random: parts.random,
    health: parts.health,
    keyTurns: parts.keyTurns,
  }
  return plan(catalog, question)
}

function pinned({ catalog, model }: RouteWish, id: number, excluded: Excluded, parts: Parts): Choice | null {
  const channel = catalog.channels.get(id)
  const key = channel && keyOf(channel, parts.keyTurns, excluded, parts.health.rests)
  return channel && key ? { channel, key, model: withoutPrefix(model, channel) } : null
}

/** The model as a channel lists it. */
export const withoutPrefix = (model: string, { modelPrefix }: Channel): string =>
  modelPrefix !== '' && model.startsWith(modelPrefix) ? model.slice(modelPrefix.length) : model

/** What failed is not tried again in this call: the key when it was the key's fault, else the whole channel. */
function withFailed({ channel, key }: Choice, error: UpstreamError, failed: Excluded): Excluded {
  const keys = new Set(failed.keys).add(keyName(channel, key))
  const hasOtherKey = channel.keys.some((other) => other.isEnabled && !keys.has(keyName(channel, other)))
  const isLeft = isKeyFault(error) && hasOtherKey
  return { keys, channels: isLeft ? failed.channels : new Set(failed.channels).add(channel.id) }
}

/** Nobody can be asked: because the model is unknown, the vendors lack this kind of work, or all are off. */
export function whyNobody({ caller, catalog, model, mode }: RouteWish): AppError {
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
