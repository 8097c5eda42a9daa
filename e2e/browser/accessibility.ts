import { readFileSync } from 'node:fs'

import type axe from 'axe-core'
import type { Result } from 'axe-core'
import type { Page } from 'playwright-core'

/** The small one: browsers read it once for each page. */
const axeSource = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')

const shown = 5

/** A page that is still drawing names its dialogs and writes its heading a moment later. */
const settleMs = 500
const looks = 12

/** What axe finds that keeps people out, and does not go away: violations it calls moderate or worse, with the first elements of each. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axeSource)
  let faults = await faultsNow(page)
  for (let look = 1; look < looks && faults.length > 0; look += 1) {
    await Bun.sleep(settleMs)
    faults = await faultsNow(page)
  }
  return faults
}

async function faultsNow(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
  )
  return violations
    .map(withoutTips)
    .filter(({ impact, nodes }) => impact !== 'minor' && nodes.length > 0)
    .map(describe)
}

/** A tip stands beside what it describes, and is read with it: it needs no landmark of its own. */
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
