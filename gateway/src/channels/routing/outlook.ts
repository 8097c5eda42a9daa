import type { Candidate, PriorityLevel } from '../catalog/catalog'
import { condition, type Health, type Condition } from '../health/health'
import { bestCondition, hasUsableKey } from './keys'
import { strategyShares } from './strategy-shares'
import type { Standing } from '../strategies/standings'
import { drawWeight } from './weights'

/** The condition of a candidate now, found without a call. */
export interface Outlook {
  readonly candidate: Candidate
  /** It is enabled, has an enabled key, and the call does not rule it out. */
  readonly isEligible: boolean
  /** The worse of its own condition and that of its best key. */
  readonly condition: Condition
  readonly isFree: boolean
  readonly hasRoom: boolean
  /** The probability that the next call tries it first. */
  readonly share: number
}

type Assessment = Omit<Outlook, 'share'>

const emptyExclusions = { channels: new Set<number>(), keys: new Set<string>() }

/**
 * Returns how `plan` would choose for the first attempt of a call, as probabilities instead of one draw. Read-only. `isAskable` returns
 * false for candidates that the call itself rules out; `standingOf` how a level stands under its strategy.
 */
export function outlooksOf(
  levels: readonly PriorityLevel[],
  health: Health,
  isAskable: (candidate: Candidate) => boolean = () => true,
  standingOf: (level: PriorityLevel) => Standing | null = () => null,
): readonly (readonly Outlook[])[] {
  const assessed = levels.map(({ candidates }) =>
    candidates.map((candidate) => assessCandidate(candidate, health, isAskable)),
  )
  const chosen = firstChoices(assessed)
  const shareOf = sharesOf(chosen, levels, health, standingOf)
  return assessed.map((level) => level.map((one) => ({ ...one, share: shareOf(one) })))
}

function sharesOf(
  chosen: readonly Assessment[],
  levels: readonly PriorityLevel[],
  health: Health,
  standingOf: (level: PriorityLevel) => Standing | null,
): (one: Assessment) => number {
  const candidates = chosen.map(({ candidate }) => candidate)
  const level = levels.find((one) => candidates[0] && one.candidates.includes(candidates[0]))
  const standing = level ? standingOf(level) : null
  if (level && standing) {
    const shares = strategyShares(candidates, standing, health.slots)
    return ({ candidate }) => shares.get(candidate) ?? 0
  }
  const total = candidates.reduce((sum, candidate) => sum + drawWeight(candidate), 0)
  return (one) => (chosen.includes(one) ? drawWeight(one.candidate) / total : 0)
}

function assessCandidate(
  candidate: Candidate,
  health: Health,
  isAskable: (candidate: Candidate) => boolean,
): Assessment {
  const { channel, model } = candidate
  const own = health.conditionOf(channel.id, model)
  const keys = bestCondition(channel, emptyExclusions, health)
  return {
    candidate,
    isEligible: channel.isEnabled && hasUsableKey(channel, emptyExclusions) && isAskable(candidate),
    condition: own > keys ? own : keys,
    isFree: health.slots.isFree(channel),
    hasRoom: health.slots.hasRoom(channel),
  }
}

type Pass = (one: Assessment) => boolean
const upTo =
  (lowest: Condition, isReady: Pass = () => true): Pass =>
  (one) =>
    one.condition <= lowest && isReady(one)
const isFree: Pass = (one) => one.isFree
const hasRoom: Pass = (one) => one.hasRoom

/** The order of `plan`: candidates that are free and healthy first, then those with room, from the healthiest to the worst. */
const passes: readonly Pass[] = [
  upTo(condition.ready, isFree),
  upTo(condition.ready, hasRoom),
  upTo(condition.open, hasRoom),
  upTo(condition.coolingDown, hasRoom),
  upTo(condition.coolingDown),
]

function firstChoices(levels: readonly (readonly Assessment[])[]): readonly Assessment[] {
  for (const pass of passes) {
    for (const level of levels) {
      const found = level.filter((one) => one.isEligible && pass(one))
      if (found.length > 0) return found
    }
  }
  return []
}
