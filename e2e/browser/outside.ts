import type { Page } from 'playwright-core'

/** Returns how far the page overflows the screen, and the first elements that do. */
export const outside = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth } = document.documentElement
    if (scrollWidth <= screen.width && innerWidth <= screen.width) return []
    const wide = [...document.body.querySelectorAll('*')].filter(
      (one) => one.getBoundingClientRect().right > screen.width,
    )
    return [`the page is ${scrollWidth} wide`, ...wide.slice(0, 5).map((one) => one.outerHTML.slice(0, 120))]
  })
