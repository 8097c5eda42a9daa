import type { ChoiceReason } from '@tollgate/contract'

import type { Candidate, PriorityLevel } from '../catalog/catalog'
import type { Random } from '../../platform/random'
import type { Slots } from '../slots/slots'
import { scoreOf } from '../strategies/standing'
import type { Standing } from '../strategies/standings'
import { hasAffinity, numbersOf, type Session } from './session'
import { drawFrom, drawSettled } from './weights'

/** One call in 50 goes by weight alone, so that every channel is tried and its speed stays known. */
export const callsOfTrial = 50

export interface Drawn {
  readonly candidate: Candidate
  readonly reason: ChoiceReason
}

interface DrawQuestion {
  readonly random: Pick<Random, 'number'>
  readonly session: Session | null
  /** The call failed elsewhere, so it tries nothing out. */
  readonly isRetry: boolean
  readonly slots: Pick<Slots, 'roomAt'>
  readonly isPossible: (candidate: Candidate) => boolean
  readonly isReady: (candidate: Candidate) => boolean
}

type Drawing = Pick<ChoiceReason, 'basis'> & { readonly candidate: Candidate | null }

/**
 * Draws a candidate of the level by its strategy; null when none passes. A conversation goes by the scores of some minutes ago, and to a channel without
 * session affinity as any call.
 */
export function drawByStanding(level: PriorityLevel, standing: Standing, question: DrawQuestion): Drawn | null {
  const { session } = question
  let drawing =
    session === null ? drawFree(level, standing, question) : drawForSession(level, standing, question, session)
  if (session !== null && drawing.candidate && !hasAffinity(drawing.candidate))
    drawing = drawFree(level, standing, question)
  const { candidate, basis } = drawing
  if (candidate === null) return null
  const { strategy, merits, indexes } = standing
  const score = scoreOf(merits, indexes.get(candidate) ?? 0, question.slots.roomAt(candidate.channel), strategy)
  return { candidate, reason: { strategy: strategy.name, basis, score: Math.round(score * 1000) / 1000 } }
}

function drawForSession(level: PriorityLevel, standing: Standing, question: DrawQuestion, session: Session): Drawing {
  const { isPossible, isReady, isRetry } = question
  const numbers = numbersOf(session)
  const isTaken = (candidate: Candidate) => !hasAffinity(candidate) || isReady(candidate)
  if (isTrial(numbers) && !isRetry) return { candidate: drawFrom(level, numbers, isPossible, isTaken), basis: 'trial' }
  return { candidate: drawSettled(level, numbers, isPossible, isTaken, standing.settled), basis: 'conversation' }
}

/** Takes the less busy of two candidates, as often as the load counts. */
function drawFree(level: PriorityLevel, { strategy, weighing }: Standing, question: DrawQuestion): Drawing {
  const { random, slots, isPossible, isReady, isRetry } = question
  if (isTrial(random) && !isRetry) return { candidate: drawFrom(level, random, isPossible, isReady), basis: 'trial' }
  const draw = () => drawFrom(level, random, isPossible, isReady, weighing)
  const candidate = draw()
  if (candidate === null || strategy.load === 0 || (strategy.load < 1 && random.number() >= strategy.load))
    return { candidate, basis: 'score' }
  const other = draw()
  const isBusier = other !== null && slots.roomAt(other.channel) > slots.roomAt(candidate.channel)
  return { candidate: isBusier ? other : candidate, basis: 'room' }
}

const isTrial = (numbers: Pick<Random, 'number'>): boolean => numbers.number() < 1 / callsOfTrial
