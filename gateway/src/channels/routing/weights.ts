import type { Candidate, PriorityLevel } from '../catalog/catalog'
import type { Random } from '../../platform/random'

/** Added to every weight, so that a channel of weight 0 still gets its share. */
const smoothing = 10

/** Draws that may miss before the priority level is searched. */
const quickDraws = 3

/** Running sums of the weights of a priority level; snapshots are immutable, so they are summed once. */
const sums = new WeakMap<PriorityLevel, Float64Array>()

/** The weights by which a strategy draws the candidates of a level, in their order. */
export interface Weighing {
  /** In relation to the weights of the candidates: 1 for the best. */
  readonly factors: Float64Array
  readonly weights: Float64Array
  /** Running sums of the weights. */
  readonly sums: Float64Array
}

type Test = (candidate: Candidate) => boolean
type Numbers = Pick<Random, 'number'>

/**
 * Draws a candidate of the priority level in proportion to weight + 10, or as it is weighed, among those that pass both tests, or null. `isReady`
 * may have effects: it is called only for a candidate that is taken when it returns true, and once for each.
 */
export function drawFrom(
  level: PriorityLevel,
  random: Numbers,
  isEligible: Test,
  isReady: Test,
  weighing?: Weighing,
): Candidate | null {
  const { candidates } = level
  const [only] = candidates
  if (candidates.length === 1 && only) return isEligible(only) && isReady(only) ? only : null
  const refused = new Set<Candidate>()
  for (let draw = 0; draw < quickDraws; draw += 1) {
    const candidate = candidates[indexIn(weighing?.sums ?? sumsOf(level), random.number())]
    if (!candidate || refused.has(candidate) || !isEligible(candidate)) continue
    if (isReady(candidate)) return candidate
    refused.add(candidate)
  }
  const left: Weighed[] = []
  candidates.forEach((candidate, index) => {
    if (refused.has(candidate) || !isEligible(candidate)) return
    left.push({ candidate, weight: weighing ? (weighing.weights[index] ?? 0) : drawWeight(candidate) })
  })
  return search(left, random, isReady)
}

/** Draws that may be refused by their factor before the sums decide. */
const acceptanceDraws = 12

/**
 * Draws the candidate of a conversation, in the same proportion: by their own weights, each taken with the probability of its factor. So where
 * a factor changes, conversations move to or from that candidate, and others stay.
 */
export function drawSettled(
  level: PriorityLevel,
  numbers: Numbers,
  isEligible: Test,
  isReady: Test,
  weighing: Weighing,
): Candidate | null {
  const sums = sumsOf(level)
  for (let draw = 0; draw < acceptanceDraws; draw += 1) {
    const index = indexIn(sums, numbers.number())
    const candidate = level.candidates[index]
    if (numbers.number() >= (weighing.factors[index] ?? 0)) continue
    if (candidate && isEligible(candidate) && isReady(candidate)) return candidate
  }
  return drawFrom(level, numbers, isEligible, isReady, weighing)
}

/** Returns the weight a candidate is drawn with. */
export const drawWeight = ({ weight }: Candidate): number => weight + smoothing

/** Returns the part of a priority level's calls that a candidate gets while all are healthy, 0 to 1. */
export const shareOf = (candidate: Candidate, level: PriorityLevel): number =>
  drawWeight(candidate) / (sumsOf(level).at(-1) ?? 1)

interface Weighed {
  readonly candidate: Candidate
  weight: number
}

/** Draws in the same way among few or scattered candidates: without the misses. */
function search(left: readonly Weighed[], random: Numbers, isReady: Test): Candidate | null {
  let total = sumOf(left)
  while (total > 0) {
    let mark = random.number() * total
    const drawn = left.find(({ weight }) => weight > 0 && (mark -= weight) < 0) ?? left.find(({ weight }) => weight > 0)
    if (!drawn) return null
    if (isReady(drawn.candidate)) return drawn.candidate
    const rest = total - drawn.weight
    drawn.weight = 0
    // Beside the heaviest, those of far worse candidates are lost in the sum.
    total = rest > total * minRest ? rest : sumOf(left)
  }
  return null
}

const minRest = 1e-6
const sumOf = (left: readonly Weighed[]): number => left.reduce((sum, { weight }) => sum + weight, 0)

function sumsOf(level: PriorityLevel): Float64Array {
  const known = sums.get(level)
  if (known) return known
  const running = new Float64Array(level.candidates.length)
  let total = 0
  for (const [index, candidate] of level.candidates.entries()) {
    total += drawWeight(candidate)
    running[index] = total
  }
  sums.set(level, running)
  return running
}

/** Returns the first index whose running sum is above the mark; `share` is at least 0 and below 1. */
function indexIn(running: Float64Array, share: number): number {
  const mark = share * (running.at(-1) ?? 0)
  let low = 0
  let high = running.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((running[middle] ?? 0) > mark) high = middle
    else low = middle + 1
  }
  return low
}
