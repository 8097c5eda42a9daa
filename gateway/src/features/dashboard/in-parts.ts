import { setImmediate } from 'node:timers/promises'

import { daySeconds, type Span } from './span'

const longestPart = 80 * daySeconds
/** On a local database a call in the same process may have to wait for one part. Longer parts cost less together. */
const partMilliseconds = 10

/** What is said of a span, part by part. Parts become as long as can be answered in a few milliseconds. */
export async function* inParts<Found>(
  { from, before }: Span,
  shortest: number,
  answer: (part: Span) => Promise<Found>,
) {
  let seconds = shortest
  for (let start = from; start < before;) {
    const part = { from: start, before: Math.min(start + seconds, before) }
    const began = performance.now()
    const found = await answer(part)
    const took = performance.now() - began
    if (took < partMilliseconds / 2) seconds = Math.min(seconds * 2, longestPart)
    else if (took > partMilliseconds) seconds = Math.max(seconds / 2, shortest)
    yield found
    await setImmediate()
    start = part.before
  }
}
