import { afterAll, beforeAll, expect, test } from 'bun:test'

import { becomes } from './becomes'
import { describeInBrowser } from './describe-in-browser'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

let site: Site

describeInBrowser('the price list', () => {
  beforeAll(async () => {
    site = await aSite()
    await site.console.setOptions({
      ModelRatio: { 'gpt-4o': 1.25, 'gpt-4o-mini': 0.075 },
      GroupRatio: { default: 1, vip: 4 },
      UserUsableGroups: { default: 'For all', vip: 'For few' },
    })
    await site.console.addChannel({
      name: 'upstream',
      base_url: site.simulator.url,
      models: 'gpt-4o,gpt-4o-mini,dall-e-3',
      group: 'default,vip',
    })
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  test('a guest compares models and shares the comparison as an address', async () => {
    await using visitor = await aVisitor(site.url)
    const { page } = visitor
    await page.goto('/pricing')
    const row = page.getByRole('row', { name: /^gpt-4o Copy/ })
    await becomes(() => row.textContent(), expect.stringContaining('$2.500$10.000'))
    await becomes(() => page.getByRole('link', { name: /playground/ }).count(), 0)
    await page.getByRole('button', { name: /^vip/ }).click()
    await row.getByText('$40.000').waitFor()
    await page.getByRole('button', { name: /^Per image \d/ }).click()
    await page.getByText('Items 1 - 1 of 1').waitFor()
    const { search } = new URL(page.url())
    expect(Object.fromEntries(new URLSearchParams(search))).toEqual({ group: 'vip', kind: 'image' })
    await page.reload()
    await page.getByText('$0.160').waitFor()
  })
})
