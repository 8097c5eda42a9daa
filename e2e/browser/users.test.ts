import { afterAll, beforeAll, expect, test } from 'bun:test'

import { auditRoutes, userRoutes } from '@tollgate/contract'
import type { Page } from 'playwright-core'

import { becomes } from './becomes'
import { describeInBrowser } from './describe-in-browser'
import { pushPath } from './pages/open-page'
import { signIn } from './session'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor, type Visitor } from './visitor'

const dollar = 500_000

let site: Site
/** One visit, from page to page. */
let visitor: Visitor

const userNamed = async (name: string) => {
  const { items } = await site.console.call(userRoutes.searchUsers, { query: { keyword: name } })
  const user = items.find(({ username }) => username === name)
  if (!user || !userRoutes.isWhole(user)) throw new Error(`There is no user ${name}`)
  return user
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

describeInBrowser('user administration', () => {
  beforeAll(async () => {
    site = await aSite()
    // One response is lost on purpose.
    visitor = await aVisitor(site.url, { session: await site.signIn('root'), expected: [/bulk|ERR_FAILED/] })
    await visitor.page.goto('/admin/users')
    await rowOf(visitor.page, 'customer').waitFor()
  }, siteTimeoutMs)
  afterAll(async () => {
    await visitor[Symbol.asyncDispose]()
    await site[Symbol.asyncDispose]()
  })

  test('a new user can sign in and is found again', async () => {
    const { page } = visitor
    await pushPath(page, '/admin/users')
    await page.getByRole('button', { name: 'Add user' }).first().click()
    const drawer = page.getByRole('dialog', { name: 'Add user' })
    await drawer.getByRole('textbox', { name: 'Username' }).fill('bob@home')
    await drawer.getByRole('textbox', { name: 'Display name' }).fill('Bob the Builder')
    await drawer.getByLabel(/^Password/).fill('short')
    await drawer.getByRole('button', { name: 'Add user' }).click()
    await drawer.getByText('Enter 1 to 20 characters without “@”').waitFor()
    await drawer.getByText('Enter 8 to 64 characters').waitFor()
    await drawer.getByRole('textbox', { name: 'Username' }).fill('bob')
    await drawer.getByLabel(/^Password/).fill('bob-password')
    await drawer.getByRole('button', { name: 'Add user' }).click()
    await rowOf(page, 'Bob the Builder').waitFor()
    await signIn(site.url, { username: 'bob', password: 'bob-password' })
    await page.getByRole('textbox', { name: 'Search ID, name or email' }).fill('BUILDER')
    await page.getByText('customer', { exact: true }).waitFor({ state: 'hidden' })
    await rowOf(page, 'Bob the Builder').waitFor()
    expect(page.url()).toContain('keyword=BUILDER')
  })

  test('a bulk change adjusts each balance exactly once', async () => {
    const { page } = visitor
    const before = (await userNamed('customer')).quota
    await pushPath(page, '/admin/users')
    await rowOf(page, 'customer').getByRole('checkbox').check()
    await rowOf(page, 'root').getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Change balance' }).click()
    const drawer = page.getByRole('dialog', { name: 'Change balance' })
    await drawer.getByRole('textbox', { name: 'Quota to add' }).fill('2.5')
    await drawer.getByRole('textbox', { name: 'Reason' }).fill('a birthday')
    // The first response is lost on the way; the retry carries the same operation id.
    let isLost = false
    await page.route('**/api/user/bulk', async (route) => {
      if (isLost) return route.continue()
      isLost = true
      await route.fetch()
      return route.abort()
    })
    const save = drawer.getByRole('button', { name: 'Change 2 users' })
    await save.click()
    await page
      .getByText(/cannot be reached/)
      .first()
      .waitFor()
    await save.click()
    await page.getByText('2 users changed').waitFor()
    expect((await userNamed('customer')).quota).toBe(before + 2.5 * dollar)
  })

  test('viewing as a user shows their log and prices, says so, and is read-only', async () => {
    const { page } = visitor
    const { id, quota } = await userNamed('customer')
    await site.console.call(userRoutes.updateUser, { body: { id, quota: quota + dollar, reason: 'an outage in May' } })
    await pushPath(page, `/admin/users?open=${id}`)
    await page.getByRole('button', { name: 'See as this user' }).click()
    await page.getByText(/as “customer” does/).waitFor()
    await page.getByText('an outage in May').first().waitFor()
    await becomes(() => page.getByRole('link', { name: 'Users' }).count(), 0)
    await pushPath(page, '/pricing')
    await page.getByText(/as “customer” does/).waitFor()
    await pushPath(page, '/app/tokens')
    await page.getByText('Not available while you see the console as another user does.').first().waitFor()
    await page.getByRole('button', { name: 'Back to my own view' }).click()
    await page.getByRole('complementary', { name: 'Details' }).getByText('customer').first().waitFor()
    const { items } = await site.console.call(auditRoutes.listAudit, { query: { action: 'user.view_as' } })
    expect(items[0]).toMatchObject({ username: 'root', target_name: 'customer' })
  })
})
