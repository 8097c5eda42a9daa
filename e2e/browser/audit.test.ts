import { afterAll, beforeAll, expect, test } from 'bun:test'

import { describeInBrowser } from './describe-in-browser'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

let site: Site

describeInBrowser('the audit log', () => {
  beforeAll(async () => {
    site = await aSite()
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  test('the audit log shows who did what and what changed, can be filtered, and is exported as a file', async () => {
    await using visitor = await aVisitor(site.url, { session: await site.signIn('root') })
    const { page } = visitor
    await page.goto('/admin/audit')
    await page.getByRole('heading', { name: 'Audit log' }).waitFor()
    await page.getByRole('combobox', { name: 'Any action' }).fill('users')
    await page.getByRole('option', { name: 'All of: Users' }).click()
    await page.waitForURL(/action=user/)
    const row = page.getByRole('row').filter({ hasText: 'Create a user' }).first()
    await row.waitFor()
    // The previous rows stay until the response arrives.
    await page.getByRole('row').filter({ hasText: 'Sign in' }).first().waitFor({ state: 'detached' })
    await row.click()
    await page.getByRole('region', { name: 'Changes' }).waitFor()
    await page.getByText('user.create', { exact: true }).waitFor()
    await page.getByText('Request ID', { exact: true }).waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^audit-.*\.csv$/)
  })
})
