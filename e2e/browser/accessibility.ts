import { readFileSync } from 'node:fs'

import type axe from 'axe-core'
import type { Result } from 'axe-core'
import type { Page } from 'playwright-core'

const shown = 5

/** Only failures are put together, without a path to each element, and without the files of other sites. */
const options: axe.RunOptions = { resultTypes: ['violations'], selectors: false, preload: false }

/**
 * Only a style with `!important` can fail it. For each of the others, which are nearly all elements of a page, it would gather the text
 * below: an eighth of the time of all rules.
 */
const inlineSpacing: axe.Rule = { id: 'avoid-inline-spacing', selector: '[style*="important"]' }

/** The minified build: browsers parse it once for each page. */
const axeSource = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')
const axeScript = `${axeSource}\naxe.configure(${JSON.stringify({ rules: [inlineSpacing] })})`

/** A page that is still rendering labels its dialogs and headings a moment later. */
const settleMs = 500
const attempts = 12

const contrast = 'color-contrast'

/** Looks of texts whose contrast is enough. Most texts of the console have one of a few hundred. */
const measuredLooks = new Set<string>()

/** Marks the texts whose contrast is measured. */
const mark = 'data-new-look'

/**
 * Returns what axe finds and finds again after a moment: violations of at least moderate impact, each with its first elements.
 * @param within Selector of the only parts that are looked at.
 */
export async function accessibilityFaults(page: Page, { within = 'html' } = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeScript)
  await page.locator(within).first().waitFor({ state: 'attached' })
  let faults = await faultsNow(page, within)
  for (let attempt = 1; attempt < attempts && faults.length > 0; attempt += 1) {
    await Bun.sleep(settleMs)
    faults = await faultsNow(page, within)
  }
  return faults
}

async function faultsNow(page: Page, within: string): Promise<string[]> {
  const newLooks = await page.evaluate(markNewLooks, { within, measured: [...measuredLooks], mark })
  const { violations } = await page.evaluate(
    async ({ within, rule, options }) => {
      const { axe: runner } = globalThis as unknown as { axe: typeof axe }
      runner.configure({ rules: [rule] })
      // To axe a transparent page shows nothing.
      const sheets = [...document.adoptedStyleSheets]
      document.adoptedStyleSheets = []
      const result = await runner.run({ include: [within] }, options)
      document.adoptedStyleSheets = sheets
      return result
    },
    { within, rule: { id: contrast, enabled: newLooks.length > 0, selector: `[${mark}]` }, options },
  )
  if (violations.every(({ id }) => id !== contrast)) for (const look of newLooks) measuredLooks.add(look)
  return violations
    .map(withoutTips)
    .filter(({ impact, nodes }) => impact !== 'minor' && nodes.length > 0)
    .map(describe)
}

/**
 * Runs in the page: marks one text of each look that has not been measured, and returns the looks. The contrast of a text depends on its
 * colour and size, and on what lies below it.
 */
function markNewLooks({ within, measured, mark }: { within: string; measured: string[]; mark: string }): string[] {
  for (const marked of document.querySelectorAll(`[${mark}]`)) marked.removeAttribute(mark)
  const sheets = [...document.adoptedStyleSheets]
  document.adoptedStyleSheets = []
  const grounds = new Map<Element | null, string>([[null, '']])
  const groundOf = (element: Element | null): string => {
    const known = grounds.get(element)
    if (known !== undefined || !element) return known ?? ''
    const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element)
    const own = [backgroundColor, backgroundImage, opacity].join()
    const below = groundOf(element.parentElement)
    const ground = own === 'rgba(0, 0, 0, 0),none,1' ? below : `${below} ${own}`
    grounds.set(element, ground)
    return ground
  }
  const isWritten = (element: Element) =>
    element.matches('input, select, textarea') ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim())
  const lookOf = (element: Element) => {
    const { color, fontSize, fontWeight } = getComputedStyle(element)
    const { left, right, top, bottom } = element.getBoundingClientRect()
    // What is covered or scrolled away may be beyond measuring.
    const isOnTop = element.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2))
    const isDisabled = element.closest(':disabled, [aria-disabled="true"]') !== null
    return [element.tagName, color, fontSize, fontWeight, isOnTop, isDisabled, groundOf(element)].join()
  }
  const known = new Set(measured)
  const found: string[] = []
  for (const element of document.querySelectorAll(`:is(${within}) *`)) {
    if (!isWritten(element) || !element.checkVisibility({ visibilityProperty: true })) continue
    const look = lookOf(element)
    if (known.has(look)) continue
    known.add(look)
    found.push(look)
    element.setAttribute(mark, '')
  }
  document.adoptedStyleSheets = sheets
  return found
}

/** A tooltip is rendered beside the element it describes and is read with it: it needs no landmark of its own. */
const withoutTips = (violation: Result): Result =>
  violation.id === 'region'
    ? { ...violation, nodes: violation.nodes.filter(({ html }) => !html.includes('role="tooltip"')) }
    : violation

function describe({ id, help, nodes }: Result): string {
  const elements = nodes.slice(0, shown).map(({ html, any }) => {
    const why = any[0]?.message
    return `    ${html}${why ? `\n      ${why}` : ''}`
  })
  const more = nodes.length > shown ? [`    and ${nodes.length - shown} more`] : []
  return [`${id}: ${help}`, ...elements, ...more].join('\n')
}
