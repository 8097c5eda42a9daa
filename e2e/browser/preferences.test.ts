import { afterAll, beforeAll, expect, test } from 'bun:test'

import type { Page } from 'playwright-core'

import { becomes } from './becomes'
import { describeInBrowser } from './describe-in-browser'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

let site: Site

const languageOf = (page: Page) => page.locator('html').getAttribute('lang')
const themeOf = (page: Page) => page.locator('html').getAttribute('data-mantine-color-scheme')
const backgroundOf = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)

async function choose(page: Page, menu: string, item: string) {
  await page.getByRole('button', { name: menu }).click()
  await page
    .getByRole('menuitem', { name: item })
    .or(page.getByRole('menuitemradio', { name: item }))
    .click()
}

describeInBrowser('preferences', () => {
  beforeAll(async () => {
    site = await aSite()
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  test('language and theme follow the browser until others are chosen, which apply at once and for good', async () => {
    await using visitor = await aVisitor(site.url, {
      language: null,
      locale: 'zh-CN',
      theme: null,
      colorScheme: 'dark',
    })
    const { page } = visitor
    await page.goto('/pricing')
    await page.getByRole('link', { name: '关于' }).first().waitFor()
    expect(await themeOf(page)).toBe('dark')
    await choose(page, '语言', 'English')
    await choose(page, 'Theme', 'Light')
    const look = () => Promise.all([languageOf(page), themeOf(page)])
    await becomes(look, ['en', 'light'])
    await page.reload()
    await page.getByRole('link', { name: 'About' }).first().waitFor()
    expect(await look()).toEqual(['en', 'light'])
    const readStorage = () =>
      page.evaluate(() => ['i18nextLng', 'theme-mode'].map((name) => localStorage.getItem(name)))
    expect(await readStorage()).toEqual(['en', 'light'])
  })

  test.each([
    ['dark', 'light'],
    ['light', 'dark'],
  ] as const)(
    'a %s page on a %s system has its theme from the first paint, before any script has loaded',
    async (theme, colorScheme) => {
      await using visitor = await aVisitor(site.url, { theme, colorScheme, language: 'zh' })
      const { page } = visitor
      await page.goto('/login')
      await page.getByRole('link', { name: '关于' }).first().waitFor()
      const background = await backgroundOf(page)
      await page.route('**/assets/*.js', () => {})
      await page.reload({ waitUntil: 'commit' })
      await page.locator('#root').waitFor({ state: 'attached' })
      expect([await themeOf(page), await languageOf(page)]).toEqual([theme, 'zh'])
      expect(await backgroundOf(page)).toBe(background)
    },
  )
})
