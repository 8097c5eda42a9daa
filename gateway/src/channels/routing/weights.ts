import type { Candidate, PriorityLevel } from '../catalog/catalog'
import type { Random } from '../../platform/random'

/** Added to every weight, so that a channel of weight 0 still gets its share. */
const smoothing = 10

/** Draws that may miss before the priority level is searched. */
const quickDraws = 3

/** Running sums of the weights of a priority level; snapshots are immutable, so they are summed once. */
const sums = new WeakMap<PriorityLevel, Float64Array>()

type Test = (candidate: Candidate) => boolean
type Numbers = Pick<Random, 'number'>

/**
 * Draws a candidate of the priority level in proportion to weight + 10 among those that pass both tests, or null. `isReady` may have effects: it is
 * called only for a candidate that is taken when it returns true, and once for each.
 */
export function drawFrom(level: PriorityLevel, random: Numbers, isEligible: Test, isReady: Test): Candidate | null {
  const { candidates } = level
  const [only] = candidates
  if (candidates.length === 1 && only) return isEligible(only) && isReady(only) ? only : null
  const refused = new Set<Candidate>()
  for (let draw = 0; draw < quickDraws; draw += 1) {
    const candidate = candidates[indexIn(sumsOf(level), random.number())]
    if (!candidate || refused.has(candidate) || !isEligible(candidate)) continue
    if (isReady(candidate)) return candidate
    refused.add(candidate)
  }
  return search(
    candidates.filter((candidate) => !refused.has(candidate) && isEligible(candidate)),
    random,
    isReady,
  )
}

/** Returns the weight a candidate is drawn with. */
export const drawWeight = ({ weight }: Candidate): number => weight + smoothing

/** Returns the part of a priority level's calls that a candidate gets while all are healthy, 0 to 1. */
export const shareOf = (candidate: Candidate, level: PriorityLevel): number =>
  drawWeight(candidate) / (sumsOf(level).at(-1) ?? 1)

/** Draws in the same way among few or scattered candidates: without the misses. */
function search(candidates: readonly Candidate[], random: Numbers, isReady: Test): Candidate | null {
  const left = candidates.map((candidate) => ({ candidate, weight: drawWeight(candidate) }))
  let total = left.reduce((sum, { weight }) => sum + weight, 0)
  while (total > 0) {
    let mark = random.number() * total
    const drawn = left.find(({ weight }) => weight > 0 && (mark -= weight) < 0)
    if (!drawn) return null
    if (isReady(drawn.candidate)) return drawn.candidate
    total -= drawn.weight
    drawn.weight = 0
  }
  return null
}

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
