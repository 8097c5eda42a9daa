import { afterAll, beforeAll, expect, test } from 'bun:test'

import { describeInBrowser } from './describe-in-browser'
import { pushPath } from './pages/open-page'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

let site: Site

describeInBrowser('an address', () => {
  beforeAll(async () => {
    site = await aSite()
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  test('a guest whose session ended is told so before a page that requires one, and returns there after signing in', async () => {
    const session = await site.signIn('root')
    await using visitor = await aVisitor(site.url, { session, expected: [/^request: .* 401$/] })
    const { page, context } = visitor
    // Cleared before the page is opened: an open page polls now and then and might notice before it is reloaded.
    await context.clearCookies()
    await page.goto('/app/tokens?keyword=shop')
    await page.getByText('Not logged in or login expired, please log in again').waitFor()
    expect(new URL(page.url()).searchParams.get('returnTo')).toBe('/app/tokens?keyword=shop')
    await page.getByLabel('Username or email').fill('root')
    await page.getByLabel('Password', { exact: true }).fill('root-password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).last().click()
    await page.waitForURL('**/app/tokens?keyword=shop')
  })

  test('an unknown address says so, and leads to the home page', async () => {
    await using visitor = await aVisitor(site.url, { session: await site.signIn('user') })
    const { page } = visitor
    await page.goto('/robots.html')
    await page.getByText('This page does not exist').waitFor()
    await pushPath(page, '/admin/nothing')
    await page.getByText('This page does not exist').waitFor()
    await page.getByRole('link', { name: 'Go to the home page' }).click()
    await page.waitForURL(`${site.url}/`)
  })
})
