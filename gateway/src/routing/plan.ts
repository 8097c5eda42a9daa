import type { Mode } from '@tollgate/dialects'

import type { Candidate, Catalog, Channel, ChannelKey, Tier } from '../catalog/catalog'
import type { Random } from '../context'
import type { Health } from '../channels/health'
import { hasUsableKey, isAwake, keyOf, type Excluded, type KeyTurns } from './keys'
import { tiersOf } from './tiers'
import { drawFrom } from './weights'

export interface RouteQuestion {
  readonly group: string
  /** As the caller names it, with a channel's prefix if there is one. */
  readonly model: string
  /** Channels whose vendor does not do this kind of work are passed over. */
  readonly mode: Mode
  /** Estimated; channels with a lower ceiling are passed over. */
  readonly promptTokens: number
  /** What failed already in this call. */
  readonly excluded: Excluded
  readonly random: Random
  readonly health: Health
  readonly keyTurns: KeyTurns
}

export interface Choice {
  readonly channel: Channel
  readonly key: ChannelKey
  /** The model without the channel's prefix, before the channel's mapping. */
  readonly model: string
}

/**
 * Choose who serves the next attempt: the highest tier that has someone left, drawn by weight inside it. Channels that have
 * as many calls as they take come after those of all tiers that are free, the ones with room in their line first.
 * Channels whose breaker is open come after all these, and last those whose keys all rest. Null: nobody is left.
 */
export function plan(catalog: Catalog, question: RouteQuestion): Choice | null {
  const { health, excluded } = question
  const { slots, rests } = health
  const tiers = tiersOf(catalog, question.group, question.model)
  let isSomeoneFull = false
  const isFree = (channel: Channel): boolean => {
    const isFree = slots.isFree(channel)
    if (!isFree) isSomeoneFull = true
    return isFree
  }
  const awake = ({ channel }: Candidate): boolean => isAwake(channel, excluded, rests)
  const well = (candidate: Candidate): boolean => awake(candidate) && health.isAvailable(candidate.channel.id)
  const hasRoom = ({ channel }: Candidate): boolean => slots.hasRoom(channel)
  const first = (isReady: (candidate: Candidate) => boolean) => firstOf(tiers, question, isReady)

  const free = first((candidate) => isFree(candidate.channel) && well(candidate))
  if (free) return free
  if (!isSomeoneFull) return first(awake) ?? first(anyone)
  return (
    first((candidate) => hasRoom(candidate) && well(candidate)) ??
    first((candidate) => hasRoom(candidate) && awake(candidate)) ??
    first(hasRoom) ??
    first(anyone)
  )
}

const anyone = () => true

function firstOf(
  tiers: readonly Tier[],
  question: RouteQuestion,
  isReady: (candidate: Candidate) => boolean,
): Choice | null {
  for (const tier of tiers) {
    const candidate = drawFrom(tier, question.random, (candidate) => isEligible(candidate, question), isReady)
    const key = candidate && keyOf(candidate.channel, question.keyTurns, question.excluded, question.health.rests)
    if (candidate && key) return { channel: candidate.channel, key, model: candidate.model }
  }
  return null
}

function isEligible({ channel }: Candidate, { excluded, promptTokens, mode }: RouteQuestion): boolean {
  if (!channel.isEnabled || excluded.channels.has(channel.id)) return false
  if (!channel.provider.modes[mode]) return false
  if (channel.maxInputTokens > 0 && promptTokens > channel.maxInputTokens) return false
  return hasUsableKey(channel, excluded)
}
