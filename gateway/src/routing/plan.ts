import type { Mode } from '@tollgate/dialects'

import type { Candidate, Catalog, Channel, ChannelKey, Tier } from '../catalog/catalog'
import type { Random } from '../context'
import type { Health } from './health'
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

/** Channels and single keys that this call does not try again. */
export interface Excluded {
  readonly channels: ReadonlySet<number>
  /** As `excludedKey` names them: two channels may hold the same key. */
  readonly keys: ReadonlySet<string>
}

export interface Choice {
  readonly channel: Channel
  readonly key: ChannelKey
  /** The model without the channel's prefix, before the channel's mapping. */
  readonly model: string
}

/** Whose turn it is among a channel's keys. */
export interface KeyTurns {
  next(channelId: number): number
}

/** Round robin over the keys of each channel. */
export function createKeyTurns(): KeyTurns {
  const turns = new Map<number, number>()
  return {
    next(channelId) {
      const turn = turns.get(channelId) ?? 0
      turns.set(channelId, (turn + 1) % Number.MAX_SAFE_INTEGER)
      return turn
    },
  }
}

/**
 * Choose who serves the next attempt: the highest tier that has someone left, drawn by weight inside it. Channels that have
 * as many calls as they take come after those of all tiers that are free, the ones with room in their line first.
 * Channels whose breaker is open come after all others. Null: nobody is left.
 */
export function plan(catalog: Catalog, question: RouteQuestion): Choice | null {
  const { health } = question
  const { slots } = health
  const tiers = tiersOf(catalog, question.group, question.model)
  let isSomeoneFull = false
  const isFree = (channel: Channel): boolean => {
    const isFree = slots.isFree(channel)
    if (!isFree) isSomeoneFull = true
    return isFree
  }
  const free = firstOf(tiers, question, ({ channel }) => isFree(channel) && health.isAvailable(channel.id))
  if (free || !isSomeoneFull) return free ?? firstOf(tiers, question, anyone)
  return (
    firstOf(tiers, question, ({ channel }) => slots.hasRoom(channel) && health.isAvailable(channel.id)) ??
    firstOf(tiers, question, ({ channel }) => slots.hasRoom(channel)) ??
    firstOf(tiers, question, anyone)
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
    const key = candidate && keyOf(candidate.channel, question.keyTurns, question.excluded)
    if (candidate && key) return { channel: candidate.channel, key, model: candidate.model }
  }
  return null
}

function isEligible({ channel }: Candidate, { excluded, promptTokens, mode }: RouteQuestion): boolean {
  if (!channel.isEnabled || excluded.channels.has(channel.id)) return false
  if (!channel.provider.modes[mode]) return false
  if (channel.maxInputTokens > 0 && promptTokens > channel.maxInputTokens) return false
  return channel.keys.some((key) => isUsable(channel, key, excluded))
}

/** The name of a channel's key among what is excluded. */
export const excludedKey = (channel: Channel, key: ChannelKey): string => `${channel.id}:${key.fingerprint}`

const isUsable = (channel: Channel, key: ChannelKey, { keys }: Excluded): boolean =>
  key.isEnabled && (keys.size === 0 || !keys.has(excludedKey(channel, key)))

/** The channel's next usable key in turn, or null when there is none. */
export function keyOf(channel: Channel, turns: KeyTurns, excluded: Excluded): ChannelKey | null {
  const [only] = channel.keys
  if (only && channel.keys.length === 1) return isUsable(channel, only, excluded) ? only : null
  const usable = channel.keys.filter((key) => isUsable(channel, key, excluded))
  if (usable.length === 0) return null
  return usable[turns.next(channel.id) % usable.length] ?? null
}
