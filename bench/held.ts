/**
 * Returns for how many milliseconds a call that asks nothing of the database waited at most, while a change was made and for as
 * long as every worker needs to hear of it and read the catalog anew.
 */
export async function heldWhile(url: string, change: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  let held = 0
  const changed = change()
  while (performance.now() - startedAt < watchMs) {
    const requestedAt = performance.now()
    await (await fetch(`${url}/health/live`)).text()
    held = Math.max(held, performance.now() - requestedAt)
  }
  await changed
  return held
}

const watchMs = 1500
