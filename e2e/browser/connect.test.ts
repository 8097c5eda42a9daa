import { afterAll, beforeAll, expect, test } from 'bun:test'

import { userRoutes } from '@tollgate/contract'

import { describeInBrowser } from './describe-in-browser'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

const dollar = 500_000

let site: Site

describeInBrowser('the page that connects tools', () => {
  beforeAll(async () => {
    site = await aSite()
    await site.console.addChannel({ name: 'upstream', base_url: site.simulator.url, models: 'gpt-4o,gpt-4o-mini' })
    const { items } = await site.console.call(userRoutes.listUsers, { query: {} })
    const id = items.find(({ username }) => username === 'customer')?.id ?? 0
    await site.console.call(userRoutes.manageUser, { body: { id, action: 'add_quota', value: dollar } })
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  test('a customer makes a key for a tool, tests it, and takes lines along that work', async () => {
    await using visitor = await aVisitor(site.url, { session: await site.signIn('user') })
    const { page } = visitor
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/app/dashboard')
    await page.getByRole('navigation', { name: 'Main menu' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('o')
    await page.getByRole('heading', { name: 'Connect', exact: true }).waitFor()
    await page.getByRole('link', { name: 'curl' }).click()
    await page.getByRole('button', { name: 'Create a key for curl' }).click()
    await page.getByText('Token “curl” created. It may spend your whole balance.').waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText(/^Done in .* for \$/).waitFor()
    await page.getByRole('log').getByText('the quick brown fox').waitFor()
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    const line = await page.evaluate(() => navigator.clipboard.readText())
    const run = Bun.spawn(['bash', '-c', line.replace('curl', 'curl -s')])
    expect(JSON.parse(await new Response(run.stdout).text()).choices[0].message.content).toContain('quick brown fox')
    // The key is forgotten with the page.
    await page.reload()
    await page.getByRole('button', { name: 'Create a key for curl' }).waitFor()
    expect(
      await page.evaluate(() =>
        JSON.stringify([localStorage, sessionStorage].map((storage) => Object.entries(storage))),
      ),
    ).not.toContain(/sk-(\w+)/.exec(line)?.[1] ?? '?')
  })
})
