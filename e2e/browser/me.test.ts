import { Database, SQLiteError } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import type { Page } from 'playwright-core'

import { until } from '../ledger-view'
import { becomes } from './becomes'
import { describeInBrowser } from './describe-in-browser'
import { pushPath } from './pages/open-page'
import { signIn } from './session'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

const dollar = 500_000
const newPassword = 'another-password'

let site: Site

/** Confirms the password when a call asks for it. */
async function confirmPassword(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm your identity' })
  await dialog.getByRole('textbox').fill(newPassword)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
}

async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Personal settings' }).getByRole('link', { name }).click()
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' })
}

/**
 * Writes the earnings directly: invitations from the same machine earn nothing. The gateway, in the same process, cannot end a transaction
 * while this waits for it.
 */
async function earn(username: string, quota: number): Promise<void> {
  using database = new Database(join(site.gateway.dataDir, 'tollgate.sqlite'))
  const write = async () => {
    try {
      return database.run('update users set aff_quota = ? where username = ?', [quota, username]).changes
    } catch (error) {
      if (error instanceof SQLiteError && error.code === 'SQLITE_BUSY') return 0
      throw error
    }
  }
  expect(await until(write, (changes) => changes === 1)).toBe(1)
}

const selfBy = async (token: string) => {
  const response = await fetch(`${site.url}/api/user/self`, { headers: { authorization: `Bearer ${token}` } })
  return (await response.json()) as { success: boolean; data?: { username: string; quota: number } }
}

describeInBrowser('personal settings', () => {
  beforeAll(async () => {
    site = await aSite()
    await site.console.setOptions({ CheckInEnabled: true, CheckInQuota: dollar, AffEnabled: true })
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  test('a user checks in, transfers earnings, changes the password, creates an access token, and deletes the account', async () => {
    await earn('customer', 2 * dollar)
    await using visitor = await aVisitor(site.url, {
      session: await site.signIn('user'),
      expected: [/^request: POST .*\/access_tokens 403$/, /^request: DELETE .*\/user\/self 403$/],
    })
    const { page } = visitor
    await page.goto('/app/me')
    await page.getByRole('button', { name: 'Check in' }).click()
    await page.getByRole('button', { name: 'Checked in today' }).waitFor()
    await page.getByRole('button', { name: 'Transfer to balance' }).click()
    const transfer = page.getByRole('dialog', { name: 'Transfer to your balance' })
    await transfer.getByRole('button', { name: 'Transfer to balance' }).click()
    await transfer.waitFor({ state: 'hidden' })
    await page.getByRole('region', { name: 'Account' }).getByText('$3.00').waitFor()

    // Where linking an account returns to.
    await pushPath(page, '/admin/settings?linked=true')
    await page.waitForURL('**/app/me?tab=sign-in')
    await page.getByRole('button', { name: 'Change password' }).click()
    const change = page.getByRole('dialog', { name: 'Change password' })
    await change.getByLabel('Current password').fill('customer-password')
    await change.getByLabel('New password', { exact: true }).fill(newPassword)
    await change.getByLabel('New password again').fill(newPassword)
    await change.getByRole('button', { name: 'Change password' }).click()
    await change.waitFor({ state: 'hidden' })

    await openTab(page, 'Access tokens')
    await page.getByRole('button', { name: 'Create access token' }).click()
    const drawer = page.getByRole('dialog', { name: 'Create access token' })
    await drawer.getByRole('textbox', { name: 'Name' }).fill('Backup script')
    await drawer.getByRole('button', { name: 'Create', exact: true }).click()
    await confirmPassword(page)
    const created = page.getByRole('dialog', { name: 'Your new access token' })
    const token = (await created.getByText(/^[\w-]{43}$/).textContent()) ?? ''
    expect((await selfBy(token)).data).toMatchObject({ username: 'customer', quota: 3 * dollar })
    await created.getByRole('button', { name: 'I have saved it' }).click()

    await openTab(page, 'Preferences')
    await page.getByRole('button', { name: 'Delete account' }).click()
    const question = page.getByRole('dialog', { name: 'Delete your account?' })
    await question.getByRole('textbox').fill('customer')
    await question.getByRole('button', { name: 'Delete account' }).click()
    await confirmPassword(page)
    await page.waitForURL('**/login')
    expect((await selfBy(token)).success).toBe(false)
    const again = signIn(site.url, { username: 'customer', password: newPassword })
    expect(await again.catch(() => 'refused')).toBe('refused')
  })

  test('personal settings are read-only for an administrator who views the console as another user', async () => {
    await using visitor = await aVisitor(site.url, { session: await site.signIn('root') })
    const { page } = visitor
    await page.addInitScript(() =>
      sessionStorage.setItem('viewed-user', JSON.stringify({ id: 2, username: 'customer', group: 'default' })),
    )
    await page.goto('/app/me')
    await page.getByRole('heading', { name: 'Personal settings' }).waitFor()
    await page.getByText('Not available while you see the console as another user does.').waitFor()
    await becomes(() => page.getByRole('navigation', { name: 'Personal settings' }).count(), 0)
  })
})
