import { afterAll, beforeAll, expect, test } from 'bun:test'

import { userRoutes } from '@tollgate/contract'
import type { Page } from 'playwright-core'

import { accessibilityFaults } from './accessibility'
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

  test('the first token is created, copied, and tried from the same page', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await page.goto('/app/tokens')
    await page.getByText('No tokens yet').waitFor()
    await page.getByRole('button', { name: 'Create token' }).last().click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('My first')
    await submit(page)

    const dialog = page.getByRole('dialog', { name: 'Token “My first” created' })
    await dialog.getByRole('button', { name: 'Copy key' }).click()
    const key = await clipboard(page)
    expect(key).toMatch(/^sk-[0-9A-Za-z]{48}$/)
    await becomes(() => dialog.textContent(), expect.not.stringContaining(key))
    await dialog.getByRole('tab', { name: 'Code' }).click()
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
    expect(await clipboard(page)).toContain(`curl ${site.url}/v1/chat/completions`)

    await dialog.getByRole('tab', { name: 'Try it' }).click()
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByText(/^Done in/).waitFor()
    await becomes(() => dialog.getByRole('log').textContent(), expect.stringMatching(/.{11}/))
    expect(await accessibilityFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('row', { name: /My first/ }).waitFor()
  })

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

  test('a token gets a new key and the old one stops working', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await create(page, 'Rotated')
    await submit(page)
    const created = page.getByRole('dialog', { name: 'Token “Rotated” created' })
    await created.getByRole('button', { name: 'Copy key' }).click()
    const old = await clipboard(page)
    await created.getByRole('button', { name: 'Close' }).last().click()
    expect(await statusOf(old, 'gpt-4o-mini')).toBe(200)

    await page.getByRole('button', { name: 'More for “Rotated”' }).click()
    await page.getByRole('menuitem', { name: 'Rotate key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rotate the key of “Rotated”' })
    await dialog.getByRole('radio', { name: 'Stops working immediately' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Rotate key' }).click()
    const rotated = page.getByRole('dialog', { name: 'New key for “Rotated”' })
    await rotated.getByRole('button', { name: 'Copy key' }).click()
    const fresh = await clipboard(page)
    expect(fresh).not.toBe(old)
    expect([await statusOf(old, 'gpt-4o-mini'), await statusOf(fresh, 'gpt-4o-mini')]).toEqual([401, 200])
  })

  test('tokens are created and deleted in batches', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await create(page, 'batch')
    await page.getByRole('button', { name: 'Create several' }).click()
    await page.getByRole('button', { name: '10', exact: true }).click()
    await page.getByRole('button', { name: 'Create 10 tokens' }).click()
    const dialog = page.getByRole('dialog', { name: '10 tokens created' })
    await dialog.getByRole('button', { name: 'Copy all keys' }).click()
    expect(new Set((await clipboard(page)).split('\n')).size).toBe(10)
    await dialog.getByRole('button', { name: 'Close' }).last().click()

    await page.goto('/app/tokens?keyword=batch')
    await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Delete 10 tokens?' })
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No results match your filters').waitFor()
  })

  test('a refused form keeps what was typed', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await create(page, 'x'.repeat(60))
    await submit(page)
    await page.getByText('The name is too long: at most 50 characters').waitFor()
    await page.getByRole('textbox', { name: 'Allowed addresses' }).fill('10.0.0')
    await page.getByText('“10.0.0” is not an IP address or CIDR range').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await becomes(() => page.getByRole('textbox', { name: 'Name', exact: true }).inputValue(), 'x'.repeat(60))
  })
})
