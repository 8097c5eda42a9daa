import type { Page } from 'playwright-core'

/** The most that a page may move while it opens. */
const maxShift = 0.05

/** An entry of the browser, and what moved. */
interface LayoutShift extends PerformanceEntry {
  readonly value: number
  readonly hadRecentInput: boolean
  readonly sources: readonly { readonly node: Node | null }[]
}

/** Returns by how much the content of a page moved since it was loaded, and what moved most, if that is too much. */
export async function shiftFaults(page: Page): Promise<readonly string[]> {
  const shifts = await page.evaluate(() => {
    const observer = new PerformanceObserver(() => {})
    observer.observe({ type: 'layout-shift', buffered: true })
    const entries = observer.takeRecords() as LayoutShift[]
    observer.disconnect()
    const nameOf = (node: Node | null) => {
      const element = node instanceof Element ? node : node?.parentElement
      return element
        ? `${element.tagName.toLowerCase()}.${element.className} “${element.textContent.slice(0, 40)}”`
        : ''
    }
    return entries
      .filter(({ hadRecentInput }) => !hadRecentInput)
      .map(({ value, sources }) => ({ value, moved: sources.map(({ node }) => nameOf(node)).filter(Boolean) }))
  })
  const sum = shifts.reduce((all, { value }) => all + value, 0)
  if (sum <= maxShift) return []
  const lines = shifts.map(({ value, moved }) => `${value.toFixed(3)}: ${moved.join(', ')}`)
  return [`moves by ${sum.toFixed(3)} while it opens:\n${lines.join('\n')}`]
}
