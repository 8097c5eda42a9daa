import type { Page } from 'playwright-core'

/** The most that the content of a page may move while it is loading: the sum of its shifts as browsers score them. */
const maxSum = 0.05
/** So many of the elements that moved are named. */
const maxNamed = 4

/**
 * Draws pages that are loaded from now on in every state in between, whatever the speed of the machine: first without any data, then with
 * one response of the console's API after the other, in the order of the requests.
 */
export const drawStepByStep = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const fetch = window.fetch.bind(window)
    // A page that is at rest may be called idle only after half a minute.
    const untilIdle = () =>
      new Promise<void>((resolve) =>
        requestIdleCallback(() => requestAnimationFrame(() => setTimeout(resolve)), { timeout: 1000 }),
      )
    // Nothing is drawn before the site's status is known.
    const isDrawn = () => document.readyState !== 'loading' && !document.getElementById('start')
    let previous = new Promise<void>((resolve) => {
      const look = () => (isDrawn() ? resolve() : void requestAnimationFrame(look))
      look()
    })
    const fetchInTurn = async (input: URL | RequestInfo, options?: RequestInit) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input, location.href)
      const response = fetch(input, options)
      if (!pathname.startsWith('/api/') || pathname === '/api/status') return response
      previous = Promise.allSettled([response, previous]).then(untilIdle)
      await previous
      return response
    }
    window.fetch = Object.assign(fetchInTurn, fetch)
  })

/** Returns a fault if the content of the page has moved too much since it was loaded, other than by the reader's own doing. */
export const shiftFaults = (page: Page): Promise<string[]> =>
  page.evaluate(
    ({ maxSum, maxNamed }) => {
      interface Shift extends PerformanceEntry {
        readonly value: number
        readonly hadRecentInput: boolean
        readonly sources: readonly { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
      }
      const observer = new PerformanceObserver(() => {})
      observer.observe({ type: 'layout-shift', buffered: true })
      const shifts = (observer.takeRecords() as Shift[]).filter(({ hadRecentInput }) => !hadRecentInput)
      observer.disconnect()
      const sum = shifts.reduce((sum, { value }) => sum + value, 0)
      if (sum <= maxSum) return []
      const place = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(' ')
      const moved = shifts
        .toSorted((one, other) => other.value - one.value)
        .flatMap(({ value, startTime, sources }) =>
          sources.map(({ node, previousRect, currentRect }) => {
            const element = node instanceof Element ? node : node?.parentElement
            const name = element ? element.cloneNode(false) : undefined
            const tag = name instanceof Element ? name.outerHTML.slice(0, 140) : 'an element that is gone'
            return `${value.toFixed(3)} at ${startTime.toFixed(0)} ms: ${place(previousRect)} -> ${place(currentRect)} ${tag}`
          }),
        )
      return [`moved by ${sum.toFixed(3)} while loading:\n${moved.slice(0, maxNamed).join('\n')}`]
    },
    { maxSum, maxNamed },
  )
