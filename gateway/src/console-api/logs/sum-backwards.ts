import type { LogRange } from './access-paths'
import { addSums, noSums, type Sums } from './log-sums'
import { nextTurn } from '../../platform/time/timers'

/** A range, how to sum parts of it, and how long those may be. */
export interface Stretch {
  readonly range: LogRange
  readonly sumOf: (part: LogRange) => Promise<Sums>
  /** Seconds; every part is a multiple of it. */
  readonly step: number
  /** Seconds of the first part. */
  readonly first: number
}

export interface Reached {
  readonly sum: Sums
  /** The first second that was summed; null: everything was. */
  readonly until: number | null
}

/** On a local database a call in the same process may have to wait for one part. Longer parts cost less in total. */
const partMilliseconds = { inHaste: 10, atLeisure: 50 }

/** On a busy machine the deadline may pass before anything is summed: this many parts, which reach back a day, are summed anyway. */
const minParts = 6

/**
 * Sums over stretches, each older than the one before, from its newest part to its oldest. Parts grow to what can be summed in a few
 * milliseconds. At the deadline it stops, but not before `minParts`.
 */
export async function sumBackwards(stretches: readonly Stretch[], deadline: number): Promise<Reached> {
  let sum = noSums
  const pace = deadline === Infinity ? partMilliseconds.atLeisure : partMilliseconds.inHaste
  let until: number | null = null
  let parts = 0
  for (const { range, sumOf, step, first } of stretches) {
    let seconds = first
    for (let to = range.to; to >= range.from;) {
      const started = performance.now()
      if (parts >= minParts && started >= deadline) return { sum, until }
      const from = Math.max(range.from, to - seconds + 1)
      sum = addSums(sum, await sumOf({ from, to }))
      until = from
      parts += 1
      to = from - 1
      seconds = nextLength(seconds, step, performance.now() - started, pace)
      await nextTurn()
    }
  }
  return { sum, until: null }
}

function nextLength(seconds: number, step: number, took: number, pace: number): number {
  if (took < pace / 2) return seconds * 2
  return took > pace ? Math.max(Math.floor(seconds / 2 / step) * step, step) : seconds
}
