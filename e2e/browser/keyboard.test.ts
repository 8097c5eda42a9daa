import { afterAll, beforeAll, expect, test } from 'bun:test'

import type { Locator, Page } from 'playwright-core'

import { becomes } from './becomes'
import { isFocused, isSeen, tabTo } from './by-keyboard'
import { describeInBrowser } from './describe-in-browser'
import { navigateTo } from './pages/open-page'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor, type Visitor } from './visitor'

let site: Site
/** One visit, from page to page. */
let visitor: Visitor

const field = (within: Page | Locator, name: string) => within.getByRole('textbox', { name, exact: true })
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const focusedRow = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('data-row'))

/** Opens the palette and goes to its first result. */
async function goTo(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.waitForFunction(() => document.activeElement?.matches('[role="dialog"] input'))
  await page.keyboard.type(name)
  await page.getByRole('dialog').getByRole('button', { name }).first().waitFor()
  await page.keyboard.press('Enter')
}

describeInBrowser('with the keyboard alone', () => {
  beforeAll(async () => {
    site = await aSite()
    await site.console.addChannel({ name: 'upstream', base_url: site.simulator.url, models: 'gpt-4o' })
    const key = await site.console.addToken({ name: 'Web shop' })
    for (let calls = 0; calls < 3; calls += 1) {
      const response = await fetch(`${site.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }] }),
      })
      await response.body?.cancel()
    }
    visitor = await aVisitor(site.url, { session: await site.signIn('root') })
    await visitor.page.goto('/app/tokens')
    await visitor.page.getByRole('main').getByRole('button').first().waitFor()
  }, siteTimeoutMs)
  afterAll(async () => {
    await visitor[Symbol.asyncDispose]()
    await site[Symbol.asyncDispose]()
  })

  test('the keyboard signs in and navigates', async () => {
    await using visitor = await aVisitor(site.url)
    const { page } = visitor
    await page.goto('/login')
    await field(page, 'Username or email').waitFor()
    expect(await isFocused(field(page, 'Username or email'))).toBe(true)
    await page.keyboard.type('root')
    await page.keyboard.press('Tab')
    await page.keyboard.type('root-password')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname !== '/login')
    await goTo(page, 'Channels')
    await page.waitForURL('**/admin/channels')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await goTo(page, 'Web shop')
    await page.waitForURL('**/app/tokens?keyword=*')
    await page.keyboard.press('g')
    await page.keyboard.press('l')
    await page.waitForURL('**/app/logs/api-usage')
  })

  test('the focus is visible everywhere, from the first Tab, which skips the menus', async () => {
    const { page } = visitor
    await page.goto('/app/tokens')
    await page.getByRole('main').getByRole('button').first().waitFor()
    await page.keyboard.press('Tab')
    expect(await isFocused(page.getByRole('link', { name: 'Skip to the content' }))).toBe(true)
    await page.keyboard.press('Enter')
    for (const path of ['/app/tokens', '/app/logs/api-usage', '/playground']) {
      if (path !== '/app/tokens') {
        await navigateTo(page, path)
        await page.getByRole('main').focus()
      }
      for (let tabs = 0; tabs < 8; tabs += 1) {
        await page.keyboard.press('Tab')
        const where = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 160))
        expect([path, where, await isSeen(page)]).toEqual([path, where, true])
      }
    }
  })

  test('a slash focuses the search of each list', async () => {
    const { page } = visitor
    for (const path of ['/app/logs/api-usage', '/pricing']) {
      await navigateTo(page, path)
      await page.locator('[data-search-field]').waitFor()
      await page.keyboard.press('/')
      expect(await page.evaluate(() => document.activeElement?.hasAttribute('data-search-field'))).toBe(true)
      await page.keyboard.type('a/b')
      await becomes(() => page.locator('[data-search-field]').inputValue(), 'a/b')
    }
  })

  test('rows are traversed, opened, and focused again when their panel closes', async () => {
    const { page } = visitor
    await navigateTo(page, '/app/logs/api-usage?type=2')
    await page.locator('tr[data-row]').nth(2).waitFor()
    await page.keyboard.press('j')
    const first = await focusedRow(page)
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    const second = await focusedRow(page)
    expect(second).not.toBe(first)
    expect(await isSeen(page)).toBe(true)
    await page.keyboard.press('Enter')
    const panel = page.getByRole('complementary', { name: 'Details' })
    await panel.waitFor()
    await tabTo(page, button(panel, 'Close'))
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    expect(await focusedRow(page)).toBe(second)
  })

  test('a token is created and the focus returns to the button that opened the form', async () => {
    const { page } = visitor
    await navigateTo(page, '/app/tokens')
    const create = page.getByRole('main').getByRole('button', { name: 'Create token' }).first()
    await create.waitFor()
    await tabTo(page, create)
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog', { name: 'Create token' })
    await drawer.waitFor()
    await page.waitForFunction(() => document.activeElement?.matches('[role="dialog"] input'))
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    expect(await isFocused(create)).toBe(true)

    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.matches('[role="dialog"] input'))
    await page.keyboard.type('By hand')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Token “By hand” created' })
    await dialog.waitFor()
    // Which tab is open at first depends on whether the reader has made a call.
    await tabTo(page, dialog.getByRole('tab', { selected: true }))
    await page.keyboard.press('Home')
    await dialog.getByRole('tab', { name: 'Code', selected: true }).waitFor()
    await page.keyboard.press('ArrowRight')
    await dialog.getByRole('tab', { name: 'Try it', selected: true }).waitFor()
    await tabTo(page, button(dialog, 'Send'))
    await page.keyboard.press('Enter')
    await dialog.getByText(/^Done in/).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await isFocused(create)).toBe(true)
  })
})
