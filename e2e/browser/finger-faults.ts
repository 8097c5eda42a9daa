import type { Page } from 'playwright-core'

/** Pixels, at the least: what a finger hits at the first try, a link as high as its words, and text that Safari does not zoom into. */
const least = { target: 40, link: 24, text: 16 } as const

/** What is too small on a phone to be touched or typed into, a line each. */
export const fingerFaults = (page: Page): Promise<string[]> =>
  page.evaluate((least) => {
    const targets =
      'a[href], button, input, select, textarea, summary, label, [role="button"], [role="tab"], [role="option"]'
    const ticked = '[type="checkbox"], [type="radio"]'
    const written = `input:not(${ticked}, [type="range"], [type="hidden"], [type="file"]), textarea, select`
    const isSeen = (element: Element) => {
      const { width, height, bottom } = element.getBoundingClientRect()
      return width > 1 && height > 1 && bottom > 0 && element.checkVisibility({ visibilityProperty: true })
    }
    /** What is ticked is ticked by its labels too. */
    const partsOf = (element: Element): readonly Element[] => {
      const control = element instanceof HTMLLabelElement ? element.control : element
      if (!(control instanceof HTMLInputElement) || !control.matches(ticked)) return [element]
      return [control, ...(control.labels ?? [])].filter(isSeen)
    }
    const sizeOf = (element: Element) => {
      const boxes = partsOf(element).map((part) => part.getBoundingClientRect())
      const extent = (from: readonly number[], to: readonly number[]) => Math.round(Math.max(...to) - Math.min(...from))
      return {
        width: extent(
          boxes.map(({ left }) => left),
          boxes.map(({ right }) => right),
        ),
        height: extent(
          boxes.map(({ top }) => top),
          boxes.map(({ bottom }) => bottom),
        ),
      }
    }
    /** With nothing around its words. */
    const isLink = (element: Element) =>
      element.matches('a:not(nav a)') && getComputedStyle(element).paddingLeft === '0px'
    const isSmall = (element: Element) => {
      const { width, height } = sizeOf(element)
      return isLink(element) ? height < least.link : Math.min(width, height) < least.target
    }
    const nameOf = (element: Element) =>
      `${element.tagName} “${(element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40)}” (${element.getAttribute('class')?.slice(0, 80)})`
    const seen = [...document.querySelectorAll(targets)].filter(isSeen)
    // The label of a field that is typed into is no target of its own.
    const touched = seen.filter((one) => !(one instanceof HTMLLabelElement) || one.control?.matches(ticked))
    return [
      ...touched.filter(isSmall).map((one) => `${nameOf(one)} is ${Object.values(sizeOf(one)).join(' x ')} px`),
      ...seen
        .filter((one) => one.matches(written) && Number.parseFloat(getComputedStyle(one).fontSize) < least.text)
        .map((one) => `${nameOf(one)} has text under ${least.text} px`),
    ]
  }, least)
