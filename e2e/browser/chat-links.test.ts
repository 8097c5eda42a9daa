import { afterAll, beforeAll, expect, test } from 'bun:test'

import { tokenRoutes } from '@tollgate/contract'
import type { Page } from 'playwright-core'

import { becomes } from './becomes'
import { describeInBrowser } from './describe-in-browser'
import { pushPath } from './pages/open-page'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor, type Visitor } from './visitor'

let site: Site
const keys = new Map<string, string>()

/** The chat pages of a fresh installation belong to other sites; one of them is faked here. */
async function visit(): Promise<Visitor> {
  const session = await site.signIn('root')
  // Storage that the visitor seeds is unavailable in a sandboxed frame.
  const visitor = await aVisitor(site.url, { session, expected: [/^script: SecurityError/] })
  await visitor.context.route('https://app.nextchat.dev/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Chat</title>Hello from another site' }),
  )
  return visitor
}

const shownSettings = async (page: Page) => decodeURIComponent((await page.locator('iframe').getAttribute('src')) ?? '')

describeInBrowser('chat links of a fresh installation', () => {
  beforeAll(async () => {
    site = await aSite()
    for (const name of ['small', 'main']) {
      const body = { name, unlimited_quota: true }
      keys.set(name, (await site.console.call(tokenRoutes.createToken, { body })).key)
    }
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  test('a row opens the chat page with its own key after one confirmation for the site', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await page.goto('/app/tokens')
    await page.getByRole('button', { name: 'More for “small”' }).click()
    await page.getByRole('menuitem', { name: 'Chat: NextChat' }).click()
    await page.getByText('Give a key to https://app.nextchat.dev?').waitFor()
    await page.getByText('the key of the token “small”').waitFor()
    await becomes(() => page.locator('iframe').count(), 0)
    expect(page.url()).not.toContain(keys.get('small') ?? '?')
    await page.getByRole('button', { name: 'Agree and open' }).click()
    await page.frameLocator('iframe').getByText('Hello from another site').waitFor()
    await becomes(() => shownSettings(page), expect.stringContaining(`sk-${keys.get('small')}`))
    // The same site does not ask for confirmation again; without a token in the address the newest enabled one is used.
    await pushPath(page, '/chat')
    await page.frameLocator('iframe').getByText('Hello from another site').waitFor()
    await becomes(() => shownSettings(page), expect.stringContaining(`sk-${keys.get('main')}`))
  })
})
