import { beforeAll, expect, test } from 'bun:test'

import type { Locator, Page } from 'playwright-core'

import { becomes } from './becomes'
import { describeInBrowser } from './describe-in-browser'
import { outside } from './outside'
import { aged } from './pages/past'
import { theUsedSite, type UsedSite } from './pages/used-site'
import { siteTimeoutMs } from './site'
import { aVisitor } from './visitor'

let site: UsedSite

const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })

const visit = (as: 'root' | 'user' = 'user') => aVisitor(site.url, { session: site.sessions[as], isPhone: true })

describeInBrowser('phones', () => {
  beforeAll(async () => {
    site = await theUsedSite()
  }, siteTimeoutMs)

  test.each(['/app/logs/api-usage', '/app/dashboard'])('%s fits the screen from the first render', async (path) => {
    await using visitor = await visit()
    const { page } = visitor
    await page.addInitScript(() => {
      const widths = new Set<number>()
      const look = () => {
        if (document.body) widths.add(document.documentElement.scrollWidth)
        requestAnimationFrame(look)
      }
      look()
      Object.assign(window, { widths })
    })
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate(() => [...(window as unknown as { widths: Set<number> }).widths])).toEqual([390])
  })

  test('the menu leads to channels as cards, whose panel says why one is disabled, and which open for editing', async () => {
    await using visitor = await visit('root')
    const { page } = visitor
    await page.goto('/app/dashboard')
    await button(page, 'Open the menu').tap()
    const menu = page.getByRole('dialog').getByRole('navigation', { name: 'Main menu' })
    await menu.getByRole('link', { name: 'Pricing' }).waitFor()
    await menu.getByRole('link', { name: 'Channels' }).tap()
    await page.waitForURL('**/admin/channels')
    await menu.waitFor({ state: 'detached' })
    await becomes(() => page.getByRole('navigation').count(), 0)

    const card = page
      .getByRole('list', { name: 'Channels' })
      .getByRole('listitem')
      .filter({ hasText: aged.autoDisabledChannel })
    await card.getByText('Priority').waitFor()
    await becomes(() => page.getByRole('table').count(), 0)
    const panel = page.getByRole('dialog')
    await card.getByText('Auto-disabled').tap()
    await panel.getByText('Incorrect API key provided').first().waitFor()
    expect(await outside(page)).toEqual([])
    await button(panel, 'Close').tap()
    await panel.waitFor({ state: 'detached' })
    expect(await outside(page)).toEqual([])
    await button(card, 'Edit').tap()
    const editor = page.getByRole('dialog', { name: 'Edit channel' })
    await editor.getByRole('textbox', { name: 'Name', exact: true }).waitFor()
    expect((await editor.boundingBox())?.width).toBe(390)
    expect(await outside(page)).toEqual([])
  })
})
