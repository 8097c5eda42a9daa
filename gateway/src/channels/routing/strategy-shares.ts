import type { Candidate } from '../catalog/catalog'
import type { Slots } from '../slots/slots'
import type { Standing } from '../strategies/standings'
import { callsOfTrial } from './draw-by-standing'
import { drawWeight } from './weights'

/** Returns the probability with which a call that belongs to no conversation goes to each of some candidates of a level, under its strategy. */
export function strategyShares(
  chosen: readonly Candidate[],
  { strategy, weighing, indexes }: Standing,
  slots: Pick<Slots, 'roomAt'>,
): ReadonlyMap<Candidate, number> {
  const weights = chosen.map((candidate) => weighing.weights[indexes.get(candidate) ?? -1] ?? 0)
  const rooms = chosen.map(({ channel }) => slots.roomAt(channel))
  const byScore = inProportion(weights)
  const byWeight = inProportion(chosen.map(drawWeight))
  const shareOf = (index: number): number => {
    const [own, room] = [byScore[index] ?? 0, rooms[index] ?? 1]
    const sumWhere = (isCounted: (other: number) => boolean) =>
      byScore.reduce((sum, share, at) => sum + (isCounted(rooms[at] ?? 1) ? share : 0), 0)
    // Drawn first and not left for the other, or drawn second and preferred.
    const byRoom =
      strategy.load === 0 ? 0 : own * (sumWhere((other) => other <= room) + sumWhere((other) => other < room))
    const scored = own * (1 - strategy.load) + byRoom * strategy.load
    return scored * (1 - 1 / callsOfTrial) + (byWeight[index] ?? 0) / callsOfTrial
  }
  return new Map(chosen.map((candidate, index) => [candidate, shareOf(index)]))
}

function inProportion(weights: readonly number[]): readonly number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}
