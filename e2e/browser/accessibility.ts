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
const looks = 12

interface Scope {
  /** Selector of the only parts that are looked at. */
  readonly within?: string
  /** Selector of the elements whose contrasts are measured, which takes as long as all other rules together; null: none. */
  readonly contrasts?: string | null
}

/** Returns what axe finds and finds again after a moment: violations of at least moderate impact, each with its first elements. */
export async function accessibilityFaults(
  page: Page,
  { within = 'html', contrasts = '*' }: Scope = {},
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeScript)
  await page.locator(within).first().waitFor({ state: 'attached' })
  let faults = await faultsNow(page, within, contrasts)
  for (let look = 1; look < looks && faults.length > 0; look += 1) {
    await Bun.sleep(settleMs)
    faults = await faultsNow(page, within, contrasts)
  }
  return faults
}

async function faultsNow(page: Page, within: string, contrasts: string | null): Promise<string[]> {
  const { violations } = await page.evaluate(
    ({ within, contrasts, options }) => {
      const { axe: runner } = globalThis as unknown as { axe: typeof axe }
      runner.configure({ rules: [{ id: 'color-contrast', enabled: contrasts !== null, selector: contrasts ?? '*' }] })
      return runner.run({ include: [within] }, options)
    },
    { within, contrasts, options },
  )
  return violations
    .map(withoutTips)
    .filter(({ impact, nodes }) => impact !== 'minor' && nodes.length > 0)
    .map(describe)
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
