import { setTimeout } from 'node:timers/promises'

import type { Clock } from '../clock'
import type { DatabaseKind } from './database'

/** How work in the background gives way to calls: so much at a time, then a rest. */
export interface Pace {
  /** Rows for the next part. */
  readonly rows: number
  /** Do a part, then rest. */
  part<Result>(work: () => Promise<Result>): Promise<Result>
}

export interface PaceOptions {
  readonly kind: DatabaseKind
  readonly clock: Pick<Clock, 'monotonic'>
  /** Grows with the calls that this process answers. */
  readonly calls: () => number
  /** Ends a rest. */
  readonly signal?: AbortSignal
  readonly rest?: (ms: number, signal?: AbortSignal) => Promise<void>
}

interface Manner {
  /** Milliseconds that a part should take. */
  readonly partMs: number
  readonly fewestRows: number
  readonly mostRows: number
  /** How many times as long as a part took it rests where there are calls; alone, as long. */
  readonly restsAmongCalls: number
}

/**
 * A local database works in the process that answers calls, and calls wait meanwhile: so few that p99 does not see it. A server
 * has processes of its own, but they may share its cores and disk with those that calls wait for.
 */
const manners: Readonly<Record<DatabaseKind, Manner>> = {
  sqlite: { partMs: 3, fewestRows: 25, mostRows: 1000, restsAmongCalls: 300 },
  postgres: { partMs: 25, fewestRows: 200, mostRows: 2000, restsAmongCalls: 100 },
}

/** Nothing stands still for long because one part was slow. */
const longestRestMs = 10_000

export function createPace({ kind, clock, calls, signal, rest = restFor }: PaceOptions): Pace {
  const { partMs, fewestRows, mostRows, restsAmongCalls } = manners[kind]
  let rows = fewestRows
  let callsBefore = calls()
  return {
    get rows() {
      return rows
    },
    async part(work) {
      const began = clock.monotonic()
      const result = await work()
      const took = clock.monotonic() - began
      if (took < partMs / 2) rows = Math.min(rows * 2, mostRows)
      else if (took > partMs) rows = Math.max(rows >> 1, fewestRows)
      const isAmongCalls = calls() !== callsBefore
      callsBefore = calls()
      await rest(Math.min(took * (isAmongCalls ? restsAmongCalls : 1), longestRestMs), signal)
      return result
    },
  }
}

const restFor = (ms: number, signal?: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal }).catch(() => {})
