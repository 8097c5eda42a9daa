import type { Page } from 'playwright-core'

/** Returns headings and targets that lie under something else, one line each. */
export const coveredFaults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const modal = [...document.querySelectorAll('[aria-modal="true"]')].at(-1)
    const seen = (modal ?? document).querySelectorAll('h1, h2, h3, a[href], button, input, select, textarea, summary')
    const styles = new Map<Element, CSSStyleDeclaration>()
    const styleOf = (element: Element) => {
      const style = styles.get(element) ?? getComputedStyle(element)
      styles.set(element, style)
      return style
    }
    const isWithin = ({ left, right, top, bottom }: DOMRect, x: number, y: number) =>
      x >= left && x <= right && y >= top && y <= bottom
    const pathOf = (element: Element): Element[] =>
      element.parentElement ? [element, ...pathOf(element.parentElement)] : [element]
    /** Whether the point is scrolled or cut away. */
    const isCut = (element: Element, x: number, y: number) =>
      pathOf(element)
        .slice(1)
        .some((one) => styleOf(one).overflow !== 'visible' && !isWithin(one.getBoundingClientRect(), x, y))
    /** What stays in place while the rest is scrolled covers it. */
    const isStaying = (element: Element) =>
      pathOf(element).some((one) => ['sticky', 'fixed'].includes(styleOf(one).position))
    const coverOf = (element: Element) => {
      const [box] = element.getClientRects()
      // What is for screen readers alone, until it has the focus, is clipped.
      if (!box || box.width < 2 || box.height < 2 || styleOf(element).clipPath !== 'none') return undefined
      const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
      const cover = document.elementFromPoint(x, y)
      if (!cover || cover.contains(element) || element.contains(cover)) return undefined
      if (cover.closest('label')?.control === element || isCut(element, x, y) || isStaying(cover)) return undefined
      return element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ? cover : undefined
    }
    const describe = (element: Element) => (element.cloneNode(false) as Element).outerHTML.slice(0, 140)
    const sheets = [...document.adoptedStyleSheets]
    // A transparent page has nothing to cover.
    document.adoptedStyleSheets = []
    const found = [...seen].flatMap((element) => {
      const cover = coverOf(element)
      return cover ? [`${describe(element)} is covered by ${describe(cover)}`] : []
    })
    document.adoptedStyleSheets = sheets
    return found
  })
