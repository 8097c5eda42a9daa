import type { PriorityLevel } from '../catalog/catalog'
import { drawWeight, type Weighing } from '../routing/weights'
import type { Speed } from './speeds'
import type { Strategy } from './rule-of'

/** The parts of the scores of a level's candidates, in their order, each in relation to the best: 1 is the best. */
export interface Merits {
  readonly cost: Float64Array
  readonly speed: Float64Array
}

/** A response of this many tokens is what speeds are compared by. */
const referenceTokens = 300
/** A channel with fewer responses counts in part as the best one, so that a new channel is tried. */
const trustedResponses = 5
/** What costs nothing counts as this many times cheaper than what costs least. */
const freeFactor = 100

/** Returns the merits of costs in relation to each other. An unknown cost counts as the highest that is known. */
export function costMerits(costs: readonly (number | null)[]): Float64Array {
  let [minPaid, maxKnown] = [Infinity, 0]
  for (const cost of costs) {
    if (cost === null) continue
    if (cost > 0 && cost < minPaid) minPaid = cost
    if (cost > maxKnown) maxKnown = cost
  }
  const free = minPaid === Infinity ? 1 : Math.max(minPaid / freeFactor, Number.MIN_VALUE)
  return inRelation(Float64Array.from(costs, (cost) => Math.max(cost ?? maxKnown, free)))
}

/** Returns the merits of speeds in relation to each other. What is not known counts as the best that is. */
export function speedMerits(speeds: readonly (Speed | null)[]): Float64Array {
  let [bestStart, bestToken] = [Infinity, Infinity]
  for (const speed of speeds) {
    bestStart = Math.min(bestStart, speed?.startMs ?? Infinity)
    bestToken = Math.min(bestToken, speed?.tokenMs ?? Infinity)
  }
  if (bestStart === Infinity) bestStart = 0
  if (bestToken === Infinity) bestToken = 0
  return inRelation(
    Float64Array.from(speeds, (speed) => {
      const trust = Math.min((speed?.responses ?? 0) / trustedResponses, 1)
      const start = bestStart + ((speed?.startMs ?? bestStart) - bestStart) * trust
      const token = bestToken + ((speed?.tokenMs ?? bestToken) - bestToken) * trust
      return Math.max(start + token * referenceTokens, 1)
    }),
  )
}

function inRelation(values: Float64Array): Float64Array {
  const best = values.reduce((min, value) => Math.min(min, value), Infinity)
  return values.map((value) => best / value)
}

/** Returns the score of a candidate under a strategy, 0 to 1; `room` is the part of its slots that is free. */
export const scoreOf = ({ cost, speed }: Merits, index: number, room: number, strategy: Strategy): number =>
  (cost[index] ?? 1) ** strategy.cost * (speed[index] ?? 1) ** strategy.speed * room ** strategy.load

/** So much below the best halves a weight. */
const halvingStep = Math.log(1.02)
const maxHalvings = 900

/**
 * Returns the weights by which candidates are drawn: their own, halved for each step of 2 % that their score, without the room, is below the
 * best. In whole steps, so that small changes of figures change nothing.
 */
export function weighingOf({ candidates }: PriorityLevel, merits: Merits, strategy: Strategy): Weighing {
  const logs = Float64Array.from(candidates, (_, index) => Math.log(scoreOf(merits, index, 1, strategy)))
  const best = logs.reduce((max, log) => Math.max(max, log), -Infinity)
  const factors = logs.map((log) => 2 ** -Math.min(Math.round((best - log) / halvingStep), maxHalvings))
  const weights = Float64Array.from(candidates, (candidate, index) => drawWeight(candidate) * (factors[index] ?? 0))
  let total = 0
  return { factors, weights, sums: weights.map((weight) => (total += weight)) }
}
