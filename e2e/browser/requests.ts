import type { Page } from 'playwright-core'

/** The page and everything it has asked for so far, each once. */
export async function requestsOf(page: Page): Promise<string[]> {
  const loaded = await page.evaluate(() =>
    performance
      .getEntries()
      .flatMap(({ entryType, name }) => (/^(?:navigation|resource)$/.test(entryType) ? name : [])),
  )
  return [...new Set(loaded.map((address) => new URL(address)).map(({ pathname, search }) => pathname + search))]
}
