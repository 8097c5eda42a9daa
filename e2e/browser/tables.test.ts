import { beforeAll, expect, test } from 'bun:test'

import type { Locator, Page } from 'playwright-core'

import { becomes } from './becomes'
import { isFocused } from './by-keyboard'
import { describeInBrowser } from './describe-in-browser'
import { navigateTo, pushPath } from './pages/open-page'
import { theUsedSite, type UsedSite } from './pages/used-site'
import { siteTimeoutMs } from './site'
import { aVisitor } from './visitor'

let site: UsedSite

const visit = async (width: number) => aVisitor(site.url, { session: site.sessions.root, width })
const rows = (page: Page) => page.locator('tr[data-row]')
const body = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const heads = (page: Page) => page.getByRole('columnheader').allTextContents()
const topOf = async (locator: Locator) => Math.round((await locator.boundingBox())?.y ?? -1)

/** Waits for two frames, after which resize and scroll observers have run. */
const settle = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))

describeInBrowser('a table', () => {
  beforeAll(async () => {
    site = await theUsedSite()
  }, siteTimeoutMs)

  test('a table scrolls its rows within the window, drops columns beside a panel, and keeps the width of the panel', async () => {
    await using visitor = await visit(1440)
    const { page } = visitor
    // The histogram moves the rows.
    await page.goto('/app/logs/api-usage?range=month&size=50')
    await page.getByRole('figure', { name: /^Calls and failed attempts per/ }).waitFor()
    await rows(page).nth(40).waitFor()
    const table = body(page, 'Usage log')
    await page.getByRole('button', { name: 'Next page' }).scrollIntoViewIfNeeded()
    const before = await topOf(page.getByRole('columnheader').first())
    await table.evaluate((element) => element.scrollTo({ top: 700 }))
    await settle(page)
    expect(await table.evaluate(({ scrollTop }) => scrollTop)).toBe(700)
    expect(await topOf(page.getByRole('columnheader').first())).toBe(before)
    const sums = await page.getByRole('rowheader', { name: /on this page/ }).boundingBox()
    const pager = await page.getByRole('button', { name: 'Next page' }).boundingBox()
    const height = page.viewportSize()?.height ?? 0
    expect((sums?.y ?? height) + (sums?.height ?? 0)).toBeLessThanOrEqual(pager?.y ?? 0)
    expect((pager?.y ?? height) + (pager?.height ?? 0)).toBeLessThanOrEqual(height)

    await pushPath(page, '/app/logs/api-usage?range=month&size=20')
    await page.getByRole('figure', { name: /^Calls and failed attempts per/ }).waitFor()
    await page.getByRole('columnheader', { name: 'Details', exact: true }).waitFor()
    await rows(page)
      .first()
      .click({ position: { x: 6, y: 6 } })
    const panel = page.getByRole('complementary', { name: 'Details' })
    await panel.waitFor()
    await page.getByRole('columnheader', { name: 'Time · User' }).waitFor()
    expect(await heads(page)).not.toContain('Details')
    await panel.getByRole('button', { name: 'Copy as curl' }).waitFor()
    const grip = panel.getByRole('separator', { name: 'Panel width' })
    await grip.press('ArrowLeft')
    await grip.press('ArrowLeft')
    await becomes(async () => (await panel.boundingBox())?.width, 500)
    const title = await page.locator('tr[data-is-open]').getAttribute('data-row')
    await panel.getByRole('button', { name: 'Next row' }).click()
    await page.waitForFunction(
      (row) => document.querySelector('tr[data-is-open]')?.getAttribute('data-row') !== row,
      title,
    )
    await page.reload()
    await panel.waitFor()
    await becomes(async () => (await panel.boundingBox())?.width, 500)
    await becomes(() => panel.getByRole('button', { name: 'Copy as curl' }).isVisible(), true)
    await page.setViewportSize({ width: 1024, height: 900 })
    await page.getByRole('dialog').getByRole('button', { name: 'Copy as curl' }).waitFor()
    await becomes(() => panel.count(), 0)
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 768, height: 900 })
    await page.getByRole('columnheader', { name: 'Tokens in / out · Cost' }).waitFor()
  })

  test('beside its panel the log of drawings and of tasks hides no column beyond its end', async () => {
    // The vendors of old tasks are gone, and their pictures with them.
    const expected = [/^request: .*\/api\/task\/result\//]
    await using visitor = await aVisitor(site.url, { session: site.sessions.root, width: 1440, expected })
    const { page } = visitor
    await page.goto('/about')
    await page.getByRole('heading', { level: 1 }).waitFor()
    for (const [path, name] of [
      ['/app/logs/tasks?range=all', 'Task log'],
      ['/app/logs/drawing?range=all', 'Drawing log'],
    ] as const) {
      await navigateTo(page, path)
      await rows(page).first().click()
      await page.getByRole('complementary', { name: 'Details' }).waitFor()
      await settle(page)
      expect(await heads(page)).toContainEqual(expect.stringMatching(/^Prompt/))
      const isCut = () => body(page, name).evaluate((element) => element.scrollWidth > element.clientWidth + 1)
      await becomes(isCut, false)
    }
  })

  test('a table does not move when rows are selected or filters are set, and its last column casts its shadow only while something lies under it', async () => {
    await using visitor = await visit(1440)
    const { page } = visitor
    await page.goto('/admin/channels')
    const first = rows(page).first()
    await first.waitFor()
    await page.getByRole('combobox', { name: 'Status' }).first().waitFor()
    const before = await topOf(first)
    await first.getByRole('checkbox').check()
    await page.getByRole('region', { name: 'Actions for the selected rows' }).waitFor()
    expect(await topOf(first)).toBe(before)
    await page.getByRole('button', { name: 'Clear selection' }).click()
    const search = page.locator('[data-search-field]')
    await search.fill('OpenAI')
    const isFiltered = async () => ({
      typed: await search.inputValue(),
      hasFocus: await isFocused(search),
      address: new URL(page.url()).search,
      canClear: await page.getByRole('button', { name: 'Clear filters' }).isVisible(),
    })
    const filtered = { typed: 'OpenAI', hasFocus: true, address: '?keyword=OpenAI', canClear: true }
    await becomes(isFiltered, filtered)
    expect(await topOf(first)).toBe(before)

    await page.setViewportSize({ width: 768, height: 900 })
    const table = body(page, 'Channels')
    const isCut = () => table.evaluate((element) => element.hasAttribute('data-is-cut'))
    await table.evaluate((element) => {
      if (element.firstElementChild instanceof HTMLElement) element.firstElementChild.style.minWidth = '1500px'
    })
    await becomes(isCut, true)
    await table.evaluate((element) => element.scrollTo({ left: element.scrollWidth }))
    await becomes(isCut, false)
  })
})
