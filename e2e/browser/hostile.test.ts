import { afterAll, beforeAll, expect, test } from 'bun:test'

import { logType } from '@tollgate/contract'
import type { Page } from 'playwright-core'

import { describeInBrowser } from './describe-in-browser'
import { aHostileSite, channelName, everything, model, tokenName, type HostileSite } from './hostile-site'
import { navigateTo, resize } from './pages/open-page'
import { siteTimeoutMs } from './site'
import { aVisitor, phoneSize, wideSize, type Visitor } from './visitor'

let site: HostileSite

/** Images are rendered where the operator may use them; the missing file behind this one is expected. */
const expected = [/^request: GET .*\/x [34]/]

/** One visit, from page to page: nothing that ran on one of them is forgotten on the next. */
let visitor: Visitor
const found: string[] = []
let size = wideSize

/** Visits with the content security policy off, so that the page itself must stop every trick. */
async function visit(): Promise<void> {
  const session = await site.signIn('root')
  visitor = await aVisitor(site.url, { session, expected, hasNoPolicy: true, theme: 'dark' })
  visitor.page.on('dialog', (dialog) => {
    found.push(`a dialog says ${dialog.message()}`)
    void dialog.dismiss()
  })
  await openHome(visitor.page)
}

/** The operator's home page has no heading. */
async function openHome(page: Page): Promise<void> {
  await page.goto('/')
  await rest(page)
}

/** Opens a page of the console in a wide window. */
async function open(path: string): Promise<Page> {
  const { page } = visitor
  if (size !== wideSize) await resize(page, (size = wideSize))
  await navigateTo(page, path)
  return page
}

/** Returns a sentence for everything that ran or escaped, before and after the window takes the other width. */
async function findHarm(): Promise<string[]> {
  const { page } = visitor
  found.push(...(await harmOn(page)))
  size = size === wideSize ? phoneSize : wideSize
  await resize(page, size)
  found.push(...(await harmOn(page)))
  return found.splice(0)
}

const harmOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    if ('__pwned' in window) found.push('something ran')
    if (getComputedStyle(document.body).display === 'none') found.push('a style holds for the whole page')
    const links = [...document.querySelectorAll('[href^="javascript:" i], [src^="javascript:" i]')]
    found.push(...links.map((link) => `an address would run: ${link.outerHTML.slice(0, 100)}`))
    const handlers = [...document.querySelectorAll('[onerror], [onload], [onclick]')]
    found.push(...handlers.map((element) => `a handler waits: ${element.outerHTML.slice(0, 100)}`))
    const corners = [5, document.documentElement.clientWidth - 5].map((x) => document.elementFromPoint(x, 5))
    if (corners.some((element) => element?.closest('a[href*="over-the-page"]')))
      found.push('a link of an operator’s text lies over the page')
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth
    if (wide <= 0) return found
    const parts = [...document.body.querySelectorAll('*')].filter(
      (one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1,
    )
    return [...found, `${wide} pixels stick out`, ...parts.slice(0, 4).map((one) => one.outerHTML.slice(0, 140))]
  })

const rest = (page: Page) => page.waitForLoadState('networkidle')

/** The log and the playground have tests of their own. */
const pages: readonly [name: string, path: () => string][] = [
  ['home', () => '/'],
  ['about', () => '/about'],
  ['pricing', () => '/pricing'],
  ['login', () => '/login?returnTo=javascript:window.__pwned=1'],
  ['tokens', () => '/app/tokens'],
  ['a token', () => `/app/tokens?edit=${site.tokenId}`],
  ['channels', () => '/admin/channels'],
  ['a channel', () => `/admin/channels?edit=${site.channelId}`],
  ['the dashboard', () => '/app/dashboard'],
  ['the inbox', () => '/app/inbox'],
  ['a message', () => `/app/inbox/${site.messageId}`],
  ['search', () => `/app/tokens?keyword=${encodeURIComponent(everything.slice(0, 100))}`],
]

describeInBrowser('hostile texts', () => {
  beforeAll(async () => {
    site = await aHostileSite()
    await visit()
  }, siteTimeoutMs)
  afterAll(async () => {
    await visitor[Symbol.asyncDispose]()
    await site[Symbol.asyncDispose]()
  })

  test('hostile texts stay inert on every page', async () => {
    const { page } = visitor
    const all: string[] = []
    for (const [name, path] of pages) {
      await (path() === '/' ? openHome(page) : navigateTo(page, path()))
      all.push(...(await findHarm()).map((harm) => `${name}: ${harm}`))
    }
    expect(all).toEqual([])
  })

  test.each([
    ['a call', logType.consumption],
    ['an error', logType.error],
  ])('a hostile text stays text in the log: %s', async (_name, type) => {
    const page = await open(`/app/logs/api-usage?type=${type}`)
    await page
      .locator('tr[data-row]')
      .first()
      .click({ position: { x: 60, y: 12 } })
    await page.waitForURL('**open=*')
    await rest(page)
    await page.getByText('[markdown link]').first().waitFor()
    expect(await findHarm()).toEqual([])
  })

  test('a hostile upstream error stays text in a toast and in a dialog', async () => {
    const page = await open('/admin/channels')
    await page.getByRole('button', { name: `More actions for ${channelName}` }).click()
    await page.getByRole('menuitem', { name: 'Test a model…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Test fails-/ }).click()
    await dialog.getByText('Failed', { exact: true }).waitFor()
    expect(await findHarm()).toEqual([])
  })

  test('a hostile name stays text in a confirmation, a notification and search results', async () => {
    const page = await open('/app/tokens')
    await page.getByRole('button', { name: `More for “${tokenName}”` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByText('Programs that use its key').waitFor()
    expect(await findHarm()).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('textbox').fill('<img')
    await page.getByRole('dialog').getByText(`#${site.channelId}`).first().waitFor()
    expect(await findHarm()).toEqual([])
    await page.keyboard.press('Escape')
  })

  // Last: the playground has a policy of its own, so the console loads it, and the page after it, anew.
  test('a hostile model response stays text', async () => {
    const page = await open(`/playground?model=${encodeURIComponent(model)}`)
    const response = page.getByRole('log').getByText('markdown link').first()
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill(everything)
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText(/^\$/).waitFor()
    await response.waitFor()
    expect(await findHarm()).toEqual([])
  })
})
