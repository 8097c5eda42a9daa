import { spans } from './dimensions'
import type { Hours } from './hours'
import { nextTurn } from '../../platform/time/timers'

const longestPart = 80 * spans.day
/** On a local database a call in the same process may have to wait for one part. Longer parts cost less in total. */
const partMilliseconds = 10

/** Yields the results for some hours, part by part. Parts grow to what can be read in a few milliseconds. */
export async function* inParts<Found>(
  { from, before }: Hours,
  shortest: number,
  answer: (part: Hours) => Promise<Found>,
): AsyncGenerator<Found> {
  let seconds = shortest
  for (let start = from; start < before;) {
    const part = { from: start, before: Math.min(start + seconds, before) }
    const began = performance.now()
    const found = await answer(part)
    const took = performance.now() - began
    if (took < partMilliseconds / 2) seconds = Math.min(seconds * 2, longestPart)
    else if (took > partMilliseconds) seconds = Math.max(seconds / 2, shortest)
    yield found
    await nextTurn()
    start = part.before
  }
}
