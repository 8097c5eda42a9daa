import { startCpuClock } from '../processes'
import { medianOf } from '../quantile'
import type { LoadResult } from '../load'
import type { Target } from '../targets'

export const connections = 32
/** Until all of the code of both is compiled. */
const warmUpCalls = 50_000
export const turns = 60
export const turnMs = 250
/** What is written a little later belongs to the turn. */
const pauseMs = 60

/** A kind of calls, and what drives the target with it, until a time or a number of calls is over. */
export interface Kind {
  readonly name: string
  readonly drive: (milliseconds: number, maxCalls?: number) => Promise<LoadResult>
}

export interface TurnCosts {
  /** Name and median of the microseconds of processor time that a call takes. */
  readonly rows: readonly (readonly [string, string])[]
  /** Median of what the second costs beyond the first in one turn. */
  readonly difference: number
}

/** Measures two kinds of calls at one target in turns, each as often before the other as behind it. */
export async function measureInTurns(target: Target, kinds: readonly [Kind, Kind]): Promise<TurnCosts> {
  const costs = new Map(kinds.map((kind) => [kind, new Array<number>()]))
  for (const { drive } of kinds) await drive(Infinity, warmUpCalls)
  for (let turn = 0; turn < turns; turn += 1)
    for (const kind of turn % 2 === 0 ? kinds : kinds.toReversed()) {
      const clock = startCpuClock(target.processIds())
      const { calls } = await kind.drive(turnMs)
      await Bun.sleep(pauseMs)
      costs.get(kind)?.push(clock.microseconds / calls)
    }
  const [first = [], second = []] = kinds.map((kind) => costs.get(kind))
  return {
    rows: kinds.map((kind) => [kind.name, medianOf(costs.get(kind) ?? []).toFixed(1)] as const),
    difference: medianOf(second.map((cost, turn) => cost - (first[turn] ?? cost))),
  }
}
