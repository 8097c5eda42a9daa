import axe, { type Result } from 'axe-core'
import type { Page } from 'playwright-core'

const shown = 5

/** A dialog that just opened names itself a moment after it is there. */
const settleMs = 500

/** What axe finds that keeps people out, and still does a moment later: violations it calls moderate or worse, with the first elements of each. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const faults = await faultsNow(page)
  if (faults.length === 0) return faults
  await Bun.sleep(settleMs)
  return faultsNow(page)
}

async function faultsNow(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate(() => axe.run({ resultTypes: ['violations'] }))
  return violations.filter(({ impact }) => impact !== 'minor').map(describe)
}

function describe({ id, help, nodes }: Result): string {
  const elements = nodes.slice(0, shown).map(({ html, any }) => {
    const why = any[0]?.message
    return `    ${html}${why ? `\n      ${why}` : ''}`
  })
  const more = nodes.length > shown ? [`    and ${nodes.length - shown} more`] : []
  return [`${id}: ${help}`, ...elements, ...more].join('\n')
}
