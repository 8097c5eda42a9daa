import { buildConsole } from '../../scripts/build-console'
import { signIn } from '../../e2e/browser/session'
import { theBrowser } from '../../e2e/browser/chromium'
import { aVisitor } from '../../e2e/browser/visitor'
import { root, type Site } from './site'

/** Each in a browser that has nothing of the site yet. */
const visits = 5

/** Milliseconds from the click on the address until: */
interface Milestones {
  /** the page itself is there, */
  readonly html: number
  /** its first script, */
  readonly entry: number
  /** all scripts that it loads before the chart is drawn, */
  readonly scripts: number
  /** the chart's figures are asked for, */
  readonly requested: number
  /** and are there, */
  readonly data: number
  /** and the chart is drawn. */
  readonly chart: number
}

/** A page that opens with a chart. */
interface ChartPage {
  readonly name: string
  readonly path: string
  /** What the chart is labelled. */
  readonly chart: string
  /** Where its figures are from. */
  readonly data: string
}

export const chartPages: readonly ChartPage[] = [
  { name: 'dashboard', path: '/app/dashboard', chart: 'Spend over time', data: '/api/data' },
  { name: 'earnings', path: '/admin/earnings', chart: 'Sale and cost over time', data: '/api/data/earnings' },
]

export interface PageCost {
  readonly name: string
  readonly days: number
  /** The fastest visit: other load on the machine only adds to it. */
  readonly best: Milestones
  /** The median visit. */
  readonly median: Milestones
  /** Elements of the document then, panels below included. */
  readonly nodes: number
}

/** Opens a page of all users in a browser, and measures how long its chart takes. */
export async function measureChartPage(
  { gateway: { url } }: Site,
  { name, path, chart, data }: ChartPage,
  days: number,
): Promise<PageCost> {
  await buildConsole()
  const session = await signIn(url, root)
  const all: Milestones[] = []
  let nodes = 0
  for (let visit = 0; visit < visits; visit += 1) {
    await using visitor = await aVisitor(url, { session, language: 'en', isCold: true })
    const { page } = visitor
    await page.addInitScript(markChart, chart)
    await page.goto(`${path}?days=${days}`, { waitUntil: 'networkidle' })
    await page.waitForFunction(() => performance.getEntriesByName('chart').length > 0)
    all.push(await page.evaluate(milestonesOf, data))
    nodes = await page.evaluate(() => document.querySelectorAll('*').length)
  }
  const sorted = all.toSorted((one, other) => one.chart - other.chart)
  const [best = empty, median = empty] = [sorted[0], sorted[visits >> 1]]
  return { name, days, best, median, nodes }
}

const empty: Milestones = { html: NaN, entry: NaN, scripts: NaN, requested: NaN, data: NaN, chart: NaN }

/** Runs in the page: marks the end of the frame that draws the chart. */
function markChart(label: string): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector(`figure[aria-label="${label}"] svg path[d]`)) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => performance.mark('chart')))
  })
  observer.observe(document, { childList: true, subtree: true })
}

/** Runs in the page. */
function milestonesOf(path: string): Milestones {
  const chart = performance.getEntriesByName('chart')[0]?.startTime ?? NaN
  const loaded = performance.getEntriesByType('resource').filter((entry) => entry instanceof PerformanceResourceTiming)
  const scripts = loaded.filter(({ name, responseEnd }) => name.endsWith('.js') && responseEnd < chart)
  const data = loaded.find(({ name }) => new URL(name).pathname === path)
  const [html] = performance
    .getEntriesByType('navigation')
    .filter((entry) => entry instanceof PerformanceNavigationTiming)
  const entry = document.querySelector<HTMLScriptElement>('script[type=module]')?.src
  return {
    html: html?.responseEnd ?? NaN,
    entry: loaded.find(({ name }) => name === entry)?.responseEnd ?? NaN,
    scripts: Math.max(...scripts.map(({ responseEnd }) => responseEnd)),
    requested: data?.startTime ?? NaN,
    data: data?.responseEnd ?? NaN,
    chart,
  }
}

export const endBrowser = async (): Promise<void> => (await theBrowser()).close()
