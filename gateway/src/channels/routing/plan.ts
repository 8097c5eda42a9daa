import { serves, type Service } from '@tollgate/providers'

import type { Candidate, Catalog, Tier } from '../catalog/catalog'
import type { Random } from '../../platform/random'
import type { Choice } from '../choice'
import { standing, type Health, type Standing } from '../health/health'
import { bestStanding, hasUsableKey, keyOf, type Excluded, type KeyTurns } from './keys'
import { tiersOf } from './tiers'
import { drawFrom } from './weights'

export interface RouteQuestion {
  readonly group: string
  /** As the caller names it, with a channel's prefix if there is one. */
  readonly model: string
  /** Channels whose vendor does not offer this kind of work are skipped. */
  readonly mode: Service
  /** Estimated; channels with a lower ceiling are skipped. */
  readonly promptTokens: number
  /** What failed already in this call. */
  readonly excluded: Excluded
  /** The call failed elsewhere: it goes to a channel whose latest call succeeded, if there is one, whatever its tier. */
  readonly isRetry: boolean
  readonly random: Random
  readonly health: Health
  readonly keyTurns: KeyTurns
}

/** The standings to accept, best first. A retry takes no risk that it can avoid. */
const firstChoices: readonly Standing[] = [standing.ready]
const retryChoices: readonly Standing[] = [standing.steady, standing.suspect, standing.ready]

/**
 * Chooses the channel and key for the next attempt: the highest tier that has a candidate left, drawn by weight within it. Channels at
 * their concurrency cap come after those of all tiers that are free, the ones with room in their queue first. Channels whose breaker is
 * open, for all or for this model or these keys, come after all these, and last those whose keys are all in cooldown. Returns null when
 * none is left.
 */
export function plan(catalog: Catalog, question: RouteQuestion): Choice | null {
  const { health, excluded, isRetry } = question
  const { slots } = health
  const tiers = tiersOf(catalog, question.group, question.model)
  let isSomeoneFull = false
  const isFree = ({ channel }: Candidate): boolean => {
    const isFree = slots.isFree(channel)
    if (!isFree) isSomeoneFull = true
    return isFree
  }
  const hasRoom = ({ channel }: Candidate): boolean => slots.hasRoom(channel)
  const first = (lowest: Standing, isReady: (candidate: Candidate) => boolean) =>
    firstOf(tiers, question, lowest, (candidate) => isReady(candidate) && stands(candidate, excluded, health) <= lowest)

  for (const lowest of isRetry ? retryChoices : firstChoices) {
    const free = first(lowest, isFree)
    if (free) return free
  }
  if (!isSomeoneFull) return first(standing.open, anyone) ?? first(standing.coolingDown, anyone)
  return (
    first(standing.ready, hasRoom) ??
    first(standing.open, hasRoom) ??
    first(standing.coolingDown, hasRoom) ??
    first(standing.coolingDown, anyone)
  )
}

const anyone = () => true

/** Returns the standing of the channel for this call: its worst side, with the best of its keys. */
function stands({ channel, model }: Candidate, excluded: Excluded, health: Health): Standing {
  const own = health.standingOf(channel.id, model)
  const keys = bestStanding(channel, excluded, health)
  return own > keys ? own : keys
}

function firstOf(
  tiers: readonly Tier[],
  question: RouteQuestion,
  lowest: Standing,
  isReady: (candidate: Candidate) => boolean,
): Choice | null {
  const { random, keyTurns, excluded, health } = question
  for (const tier of tiers) {
    const candidate = drawFrom(tier, random, (candidate) => isEligible(candidate, question), isReady)
    const key = candidate && keyOf(candidate.channel, keyTurns, excluded, health, lowest)
    if (candidate && key) return { channel: candidate.channel, key, model: candidate.model }
  }
  return null
}

function isEligible({ channel }: Candidate, { excluded, promptTokens, mode }: RouteQuestion): boolean {
  if (!channel.isEnabled || excluded.channels.has(channel.id)) return false
  if (!serves(channel.provider, mode)) return false
  if (channel.maxInputTokens > 0 && promptTokens > channel.maxInputTokens) return false
  return hasUsableKey(channel, excluded)
}
