import type { RecordedRequest, Simulator } from '@tollgate/simulator'

import { nextTurn } from '../src/platform/time/timers'
import type { FakeTime } from './fake-time'

interface Silence {
  readonly time: FakeTime
  readonly simulator: Pick<Simulator, 'requests'>
  /** How long the gateway waits for an upstream that says nothing. */
  readonly ms: number
  /** How many requests are those of earlier calls. */
  readonly earlier?: number
}

/** Resolves as the calls do. Once no other call is on its way, the time is over for those whose upstream says nothing more. */
export async function outlasting<Value>(
  calls: readonly Promise<Value>[],
  { time, simulator, ms, earlier = 0 }: Silence,
): Promise<Value[]> {
  const open = new Set<unknown>(calls)
  for (const call of calls) {
    const over = () => void open.delete(call)
    call.then(over, over)
  }
  /** The simulator learns a little later that they were given up. */
  const abandoned = new Set<RecordedRequest>(simulator.requests.slice(0, earlier))
  while (open.size > 0) {
    const silent = simulator.requests.filter((request) => request.isStalled && !abandoned.has(request))
    if (silent.length > 0 && silent.length === open.size) {
      for (const request of silent) abandoned.add(request)
      time.advance(ms)
    }
    await nextTurn()
  }
  return Promise.all(calls)
}
