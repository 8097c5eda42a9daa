import { afterAll, beforeAll, expect, test } from 'bun:test'

import { userRoutes } from '@tollgate/contract'
import type { Page } from 'playwright-core'

import { becomes } from './becomes'
import { describeInBrowser } from './describe-in-browser'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor, type Visitor } from './visitor'

const dollar = 500_000

let site: Site

const visit = async (): Promise<Visitor> => {
  const visitor = await aVisitor(site.url, { session: await site.signIn('user') })
  await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  return visitor
}

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

/** Returns the gateway's status for a call with this key. */
async function statusOf(key: string, model: string): Promise<number> {
  const reply = await fetch(`${site.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
  })
  await reply.body?.cancel()
  return reply.status
}

async function create(page: Page, name: string): Promise<void> {
  await page.goto('/app/tokens?edit=new')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
}

const submit = (page: Page) =>
  page.getByRole('dialog', { name: 'Create token' }).getByRole('button', { name: 'Create token' }).click()

describeInBrowser('a customer’s tokens', () => {
  beforeAll(async () => {
    site = await aSite()
    await site.console.addChannel({
      name: 'upstream',
      base_url: site.simulator.url,
      models: 'gpt-4o,gpt-4o-mini',
    })
    const { items } = await site.console.call(userRoutes.listUsers, { query: {} })
    const id = items.find(({ username }) => username === 'customer')?.id ?? 0
    await site.console.call(userRoutes.manageUser, { body: { id, action: 'add_quota', value: dollar } })
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  test('tokens enforce their limits', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await create(page, 'Limited')
    await page.getByRole('button', { name: '$10', exact: true }).click()
    await page.getByRole('button', { name: '1 day' }).click()
    await page.getByRole('combobox', { name: 'Allowed models' }).click()
    await page.getByRole('option', { name: 'gpt-4o-mini' }).click()
    await page.keyboard.press('Tab')
    await submit(page)
    const dialog = page.getByRole('dialog', { name: 'Token “Limited” created' })
    await dialog.getByRole('button', { name: 'Copy key' }).click()
    const key = await clipboard(page)
    await dialog.getByRole('button', { name: 'Close' }).last().click()

    const row = page.getByRole('row', { name: /Limited/ })
    await row.getByText('Enabled, limited models').waitFor()
    await becomes(() => row.textContent(), expect.stringContaining('$10.00'))
    expect(await statusOf(key, 'gpt-4o-mini')).toBe(200)
    expect(await statusOf(key, 'gpt-4o')).toBe(403)

    // The page shows the change before the server confirms it.
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
    await row.getByRole('button', { name: 'Disable' }).click()
    await row.getByText('Disabled').waitFor()
    await saved
    expect(await statusOf(key, 'gpt-4o-mini')).toBe(401)
  })
})
