const timeoutMs = 60_000
/** Most awaited values are a few turns away; others get time instead of turns, more of it the longer they take: each look may count as a call. */
const quickTurns = 100
const minPauseMs = 5
const maxPauseMs = 100
const growth = 1.1

/** Waits for what happens apart from the response: looks until there is a value. @throws Error when there never is. */
export async function eventually<Value>(read: () => Promise<Value | null | undefined>): Promise<Value> {
  const deadline = performance.now() + timeoutMs
  let pauseMs = minPauseMs
  for (let turn = 0; performance.now() < deadline; turn += 1) {
    const value = await read()
    if (value !== null && value !== undefined) return value
    if (turn < quickTurns) await new Promise((resolve) => setImmediate(resolve))
    else {
      await Bun.sleep(pauseMs)
      pauseMs = Math.min(pauseMs * growth, maxPauseMs)
    }
  }
  throw new Error('It did not happen')
}
