const patienceMs = 20_000
/** Most awaited values are a few turns away; others get time instead of turns. */
const quickTurns = 500
const pauseMs = 5

/** Waits for what happens apart from the response: looks until there is a value. @throws Error when there never is. */
export async function eventually<Value>(look: () => Promise<Value | null | undefined>): Promise<Value> {
  const deadline = performance.now() + patienceMs
  for (let turn = 0; performance.now() < deadline; turn += 1) {
    const value = await look()
    if (value !== null && value !== undefined) return value
    await new Promise((resolve) => (turn < quickTurns ? setImmediate(resolve) : setTimeout(resolve, pauseMs)))
  }
  throw new Error('It did not happen')
}
