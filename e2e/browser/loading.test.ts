import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import type { Page, Request, Route } from 'playwright-core'

import { builtFiles, tooHeavy, weigh } from '../../scripts/console/budget'
import { becomes } from './becomes'
import { describeInBrowser } from './describe-in-browser'
import { prefetchFaults, requestsOf } from './requests'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

let site: Site

const built = join(import.meta.dir, '../../console/dist')

const bar = (page: Page) => page.getByRole('progressbar', { name: 'Loading the page' })
const link = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name, exact: true })

/** Holds back every matching file until `letGo` is called. */
async function hold(page: Page, pattern: RegExp) {
  let letGo = () => {}
  const free = new Promise<void>((resolve) => (letGo = resolve))
  const isHeld = page.waitForRequest(pattern)
  await page.route(pattern, async (route: Route) => {
    await free
    await route.continue()
  })
  return { isHeld, letGo }
}

describeInBrowser('loading', () => {
  beforeAll(async () => {
    site = await aSite()
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  test('a page requests its status, code and texts before the base bundle has arrived', async () => {
    await using visitor = await aVisitor(site.url, { session: await site.signIn('user') })
    const { page } = visitor
    const requestedPaths: string[] = []
    page.on('request', (request: Request) => requestedPaths.push(new URL(request.url()).pathname))
    const base = await hold(page, /\/assets\/base-.*\.js$/)
    const texts = page.waitForRequest(/\/assets\/logs-.*\.js$/)
    const code = page.waitForRequest(/\/assets\/app\.logs\.api-usage-.*\.js$/)
    await page.goto('/app/logs/api-usage', { waitUntil: 'commit' })
    await Promise.all([base.isHeld, code, texts])
    expect(requestedPaths.filter((path) => path.startsWith('/api/'))).toEqual([
      '/api/status',
      '/api/log/self',
      '/api/log/self/stat',
    ])
    base.letGo()
    await page.getByRole('heading', { name: 'Usage log' }).waitFor()
    const files = requestedPaths.filter((path) => path.startsWith('/assets/'))
    expect(files.length).toBe(new Set(files).size)
  })

  test('a loading indicator is shown until the first page is ready', async () => {
    await using visitor = await aVisitor(site.url)
    const { page } = visitor
    const base = await hold(page, /\/api\/status$/)
    await page.goto('/login')
    await base.isHeld
    await page.locator('#start').waitFor()
    base.letGo()
    await page.getByRole('button', { name: 'Sign in', exact: true }).last().waitFor()
    await becomes(() => page.locator('#start').count(), 0)
  })

  test('a slow page shows a progress bar and keeps the previous page until it is ready', async () => {
    await using visitor = await aVisitor(site.url, { session: await site.signIn('user') })
    const { page } = visitor
    await page.goto('/app/tokens')
    await page.getByRole('heading', { name: 'API tokens' }).waitFor()
    const code = await hold(page, /\/assets\/app\.logs\.api-usage-.*\.js$/)
    await link(page, 'Usage log').click()
    await code.isHeld
    await bar(page).waitFor()
    await page.getByRole('heading', { name: 'API tokens' }).waitFor()
    code.letGo()
    await page.getByRole('heading', { name: 'Usage log' }).waitFor()
    await bar(page).waitFor({ state: 'detached' })
  })

  test('the sign-in page stays until the page behind it is ready', async () => {
    await site.signIn('user')
    await using visitor = await aVisitor(site.url)
    const { page } = visitor
    await page.goto('/login')
    const code = await hold(page, /\/assets\/app\.tokens-.*\.js$/)
    await page.getByRole('textbox', { name: /user name|username/i }).fill('customer')
    await page.getByLabel('Password', { exact: true }).fill('customer-password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).last().click()
    await code.isHeld
    await bar(page).waitFor()
    await becomes(() => page.getByRole('main').innerText(), expect.stringMatching(/\S/))
    code.letGo()
    await page.getByRole('heading', { name: 'API tokens' }).waitFor()
  })

  test('a page that cannot load offline keeps the console and loads by itself when the connection returns', async () => {
    // An earlier visit would have left the code of the page in the cache.
    await using visitor = await aVisitor(site.url, {
      session: await site.signIn('user'),
      expected: [/^request: .*ERR_INTERNET_DISCONNECTED/, /^console: /],
      isCold: true,
    })
    const { page, context } = visitor
    await page.goto('/app/tokens')
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    await page.getByText('You’re offline.').waitFor()
    await link(page, 'Playground').click()
    await page.getByText('The server cannot be reached.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await link(page, 'Playground').waitFor()
    await context.setOffline(false)
    await page.getByRole('heading', { name: 'Playground' }).waitFor()
    await becomes(() => page.getByText('You’re offline.').count(), 0)
  })

  test('the first load of a page in the browser stays within its budget', async () => {
    await using visitor = await aVisitor(site.url, { session: await site.signIn('user') })
    await visitor.page.goto('/app/tokens', { waitUntil: 'networkidle' })
    const names = (await requestsOf(visitor.page)).map((path) => path.slice(1))
    const weight = weigh(
      builtFiles(built),
      names.filter((name) => name.startsWith('assets/')),
    )
    expect(weight.script).toBeGreaterThan(50_000)
    expect(tooHeavy('/app/tokens', weight)).toBeNull()
  })

  // The addresses without filters are among those of every page. Last, because the browsers of this site keep what these tests load.
  test('pages with filters in their address prefetch what they read first, and nothing else', async () => {
    await using visitor = await aVisitor(site.url, { session: await site.signIn('root') })
    const { page } = visitor
    for (const address of [
      '/app/logs/api-usage?range=week&type=2&not={"model":["gpt-4o"]}',
      '/app/dashboard?days=90',
      '/admin/earnings?days=1&by=model&group=vip',
      '/app/tokens?status=1',
    ]) {
      await page.goto(address)
      await page.waitForLoadState('networkidle')
      expect([address, await prefetchFaults(page)]).toEqual([address, []])
    }
  })
})
