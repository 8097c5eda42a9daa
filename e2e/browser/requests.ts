import type { Page } from 'playwright-core'

/** The page and everything it has requested so far, or in this many milliseconds from its start, each once. */
export async function requestsOf(page: Page, withinMs = Number.MAX_SAFE_INTEGER): Promise<string[]> {
  const loaded = await page.evaluate(
    (withinMs) =>
      performance
        .getEntries()
        .filter(({ entryType, startTime }) => /^(?:navigation|resource)$/.test(entryType) && startTime < withinMs)
        .map(({ name }) => name),
    withinMs,
  )
  return [...new Set(loaded.map((address) => new URL(address)).map(({ pathname, search }) => pathname + search))]
}
