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

/** Before an open page reads something again by itself. */
const firstReadsMs = 5000

/** Returns what the page requested ahead and did not use, and the calls of the console's API that it made more than once. */
export const prefetchFaults = (page: Page): Promise<string[]> =>
  page.evaluate((firstReadsMs) => {
    const unused = [...(window.preload?.responses.keys() ?? ['no script ran'])]
    const calls = performance
      .getEntriesByType('resource')
      .filter(({ name, startTime }) => name.includes('/api/') && startTime < firstReadsMs)
      .map(({ name }) => name)
    const repeated = calls.filter((name, index) => calls.indexOf(name) !== index)
    return [...unused.map((path) => `requested ahead in vain: ${path}`), ...repeated.map((name) => `repeated: ${name}`)]
  }, firstReadsMs)
