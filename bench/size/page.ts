import { buildConsole } from '../../scripts/build-console'
import { signIn } from '../../e2e/browser/session'
import { theBrowser } from '../../e2e/browser/chromium'
import { aVisitor } from '../../e2e/browser/visitor'
import { root, type Site } from './site'

/** The browser keeps the scripts of an earlier visit, as that of somebody who comes every day. */
const visits = 5

export interface PageCost {
  readonly days: number
  /** Milliseconds from the click on the address until the chart is drawn, the shortest of some visits. */
  readonly best: number
  /** Of the visit in the middle. */
  readonly median: number
  /** Elements of the document then, panels below included. */
  readonly nodes: number
}

/** Open the dashboard of all users in a browser, and see how long its chart takes. */
export async function measureDashboardPage({ gateway: { url } }: Site, days: number): Promise<PageCost> {
  await buildConsole()
  const session = await signIn(url, root)
  const times: number[] = []
  let nodes = 0
  for (let visit = 0; visit < visits; visit += 1) {
    await using visitor = await aVisitor(url, { session, language: 'en' })
    const { page } = visitor
    const startedAt = performance.now()
    await page.goto(`/app/dashboard?days=${days}`, { waitUntil: 'commit' })
    await page.locator('figure[aria-label="Spend over time"] svg path[d]').first().waitFor({ state: 'attached' })
    times.push(performance.now() - startedAt)
    await page.waitForLoadState('networkidle')
    nodes = await page.evaluate(() => document.querySelectorAll('*').length)
  }
  const sorted = times.toSorted((one, other) => one - other)
  return { days, best: sorted[0] ?? NaN, median: sorted[visits >> 1] ?? NaN, nodes }
}

export const endBrowser = async (): Promise<void> => (await theBrowser()).close()
