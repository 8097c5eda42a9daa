import { serves, type Service } from '@tollgate/providers'

import type { Candidate, Catalog, Choice, OwnLogin, PriorityLevel } from '../catalog/catalog'
import type { Random } from '../../platform/random'
import { condition, type Health, type Condition } from '../health/health'
import { bestCondition, hasUsableKey, keyOf, type Excluded, type KeyTurns } from './keys'
import { loginKey, takesLogin } from './own-login'
import type { Standing } from '../strategies/standings'
import { drawByStanding, type Drawn } from './draw-by-standing'
import { priorityLevelsOf } from './priority-levels'
import { hasAffinity, numbersOf, type Session } from './session'
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
  /** Returns the conversation whose calls stay together; null: the call goes wherever there is room. Called where there is a choice. */
  readonly sessionOf: () => Session | null
  /** The call failed elsewhere: it goes to a channel whose latest call succeeded, if there is one, whatever its priority level. */
  readonly isRetry: boolean
  readonly random: Random
  readonly health: Health
  readonly keyTurns: KeyTurns
  /** The call is served with its client's own login; null: with a key of the channel. */
  readonly ownLogin?: OwnLogin | null
  /** Tells channels that can serve the call of others. Absent: any can. */
  readonly canServe?: ((candidate: Candidate) => boolean) | undefined
}

/** The conditions to accept, best first. A retry takes no risk that it can avoid. */
const firstChoices: readonly Condition[] = [condition.ready]
const retryChoices: readonly Condition[] = [condition.steady, condition.suspect, condition.ready]

/**
 * Chooses the channel and key for the next attempt: the highest priority level that has a candidate left, drawn by weight within it, or by the
 * site's strategy for the group and model. Channels at their concurrency cap come after those of all priority levels that are free, the ones with
 * room in their queue first. Channels whose breaker is open, for all or for this model or these keys, come after all these, and last those whose
 * keys are all in cooldown. A conversation stays with its channel and key among those. Returns null when none is left.
 */
export function plan(catalog: Catalog, question: RouteQuestion): Choice | null {
  const { health, isRetry } = question
  const { slots } = health
  const levels = priorityLevelsOf(catalog, question.group, question.model)
  let isSomeoneFull = false
  const isFree = ({ channel }: Candidate): boolean => {
    const isFree = slots.isFree(channel)
    if (!isFree) isSomeoneFull = true
    return isFree
  }
  const hasRoom = ({ channel }: Candidate): boolean => slots.hasRoom(channel)
  const { standings } = health
  const standingOf =
    catalog.options.RoutingStrategies.length === 0
      ? noStanding
      : (level: PriorityLevel) => standings.of(catalog, question.group, question.model, level)
  const first = (lowest: Condition, isReady: (candidate: Candidate) => boolean) =>
    firstOf(
      levels,
      question,
      { lowest, standingOf },
      (candidate) => isReady(candidate) && stands(candidate, question) <= lowest,
    )

  for (const lowest of isRetry ? retryChoices : firstChoices) {
    const free = first(lowest, isFree)
    if (free) return free
  }
  if (!isSomeoneFull) return first(condition.open, anyone) ?? first(condition.coolingDown, anyone)
  return (
    first(condition.ready, hasRoom) ??
    first(condition.open, hasRoom) ??
    first(condition.coolingDown, hasRoom) ??
    first(condition.coolingDown, anyone)
  )
}

const anyone = () => true
const noStanding = () => null

/** Returns the condition of the channel for this call: its worst side, with the best of its keys. */
function stands({ channel, model }: Candidate, { excluded, health, ownLogin }: RouteQuestion): Condition {
  const own = health.conditionOf(channel.id, model)
  if (ownLogin) return own
  const keys = bestCondition(channel, excluded, health)
  return own > keys ? own : keys
}

function firstOf(
  levels: readonly PriorityLevel[],
  question: RouteQuestion,
  { lowest, standingOf }: Terms,
  isReady: (candidate: Candidate) => boolean,
): Choice | null {
  const { keyTurns, excluded, health, sessionOf, ownLogin } = question
  for (const level of levels) {
    const standing = level.candidates.length > 1 ? standingOf(level) : null
    const drawn: Drawn | null = standing ? drawScored(level, standing, question, isReady) : null
    const candidate = standing ? drawn?.candidate : drawCandidate(level, question, isReady)
    if (!candidate) continue
    const { channel, model } = candidate
    const key = ownLogin ? loginKey(ownLogin) : keyOf(channel, { turns: keyTurns, excluded, health, lowest, sessionOf })
    if (!key) continue
    const choice = ownLogin ? { channel, key, model, ownLogin } : { channel, key, model }
    return drawn ? { ...choice, chosenBy: drawn.reason } : choice
  }
  return null
}

interface Terms {
  /** The condition to accept. */
  readonly lowest: Condition
  /** Returns how the candidates of a level stand under a strategy; null: they are drawn by weight. */
  readonly standingOf: (level: PriorityLevel) => Standing | null
}

function drawScored(
  level: PriorityLevel,
  standing: Standing,
  question: RouteQuestion,
  isReady: (candidate: Candidate) => boolean,
): Drawn | null {
  const { random, health, isRetry } = question
  return drawByStanding(level, standing, {
    random,
    session: question.sessionOf(),
    isRetry,
    slots: health.slots,
    isPossible: (candidate) => isEligible(candidate, question),
    isReady,
  })
}

/** A conversation goes where it was before; to a channel without session affinity as any call. */
function drawCandidate(
  level: PriorityLevel,
  question: RouteQuestion,
  isReady: (candidate: Candidate) => boolean,
): Candidate | null {
  const { random } = question
  const session = level.candidates.length > 1 ? question.sessionOf() : null
  const isPossible = (candidate: Candidate) => isEligible(candidate, question)
  if (session === null) return drawFrom(level, random, isPossible, isReady)
  const drawn = drawFrom(
    level,
    numbersOf(session),
    isPossible,
    (candidate) => !hasAffinity(candidate) || isReady(candidate),
  )
  return drawn === null || hasAffinity(drawn) ? drawn : drawFrom(level, random, isPossible, isReady)
}

function isEligible(candidate: Candidate, question: RouteQuestion): boolean {
  const { excluded, promptTokens, mode, ownLogin, canServe } = question
  const { channel } = candidate
  if (!channel.isEnabled || excluded.channels.has(channel.id)) return false
  if (!serves(channel.provider, mode)) return false
  if (channel.maxInputTokens > 0 && promptTokens > channel.maxInputTokens) return false
  if (canServe && !canServe(candidate)) return false
  return ownLogin ? takesLogin(candidate, ownLogin, mode) : hasUsableKey(channel, excluded)
}
