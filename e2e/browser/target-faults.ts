import type { Page } from 'playwright-core'

/** What is hit, and minimum sizes in pixels: of a target, of a link's height, and of the text below which Safari zooms into a field. */
const sizes = {
  finger: {
    targets: 'a[href], button, input, select, textarea, summary, label, [role="button"], [role="tab"], [role="option"]',
    target: 40,
    link: 24,
    text: 16,
  },
  /** The smallest button with a frame. */
  mouse: { targets: '.mantine-Button-root, .mantine-ActionIcon-root', target: 24, link: 24, text: 0 },
} as const

/** Returns what is too small to be hit, on a phone also what is too small to be typed into, one line each. */
export const targetFaults = (page: Page, by: keyof typeof sizes): Promise<string[]> =>
  page.evaluate((min) => {
    const ticked = '[type="checkbox"], [type="radio"]'
    const written = `input:not(${ticked}, [type="range"], [type="hidden"], [type="file"]), textarea, select`
    const isSeen = (element: Element) => {
      const { width, height, bottom } = element.getBoundingClientRect()
      return width > 1 && height > 1 && bottom > 0 && element.checkVisibility({ visibilityProperty: true })
    }
    /** A checkbox can be ticked by its labels as well. */
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
    /** A link that is not part of a sentence. */
    const isLink = (element: Element) =>
      element.matches('a:not(nav a)') && getComputedStyle(element).paddingLeft === '0px'
    const isSmall = (element: Element) => {
      const { width, height } = sizeOf(element)
      return isLink(element) ? height < min.link : Math.min(width, height) < min.target
    }
    const nameOf = (element: Element) =>
      `${element.tagName} “${(element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40)}” (${element.getAttribute('class')?.slice(0, 80)})`
    const seen = [...document.querySelectorAll(min.targets)].filter(isSeen)
    // The label of a text field is not a target of its own.
    const touched = seen.filter((one) => !(one instanceof HTMLLabelElement) || one.control?.matches(ticked))
    return [
      ...touched.filter(isSmall).map((one) => `${nameOf(one)} is ${Object.values(sizeOf(one)).join(' x ')} px`),
      ...seen
        .filter((one) => one.matches(written) && Number.parseFloat(getComputedStyle(one).fontSize) < min.text)
        .map((one) => `${nameOf(one)} has text under ${min.text} px`),
    ]
  }, sizes[by])
