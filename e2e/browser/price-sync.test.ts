import { afterAll, beforeAll, expect, test } from 'bun:test'

import { priceRoutes } from '@tollgate/contract'

import { accessibilityFaults } from './accessibility'
import { describeInBrowser } from './describe-in-browser'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

/** The gateway behind a channel, whose price list has two models, at half price for vips. */
const upstream = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: (request) =>
    new URL(request.url).pathname === '/api/pricing'
      ? Response.json({
          success: true,
          data: [
            { model_name: 'acme-1', quota_type: 0, model_ratio: 2, completion_ratio: 4, enable_groups: ['vip'] },
            { model_name: 'acme-draw', quota_type: 1, model_price: 0.2, enable_groups: ['vip'] },
          ],
          group_ratio: { default: 1, vip: 0.5 },
          usable_group: { vip: 'vip' },
        })
      : new Response(null, { status: 404 }),
})

let site: Site

describeInBrowser('price sync', () => {
  beforeAll(async () => {
    site = await aSite()
    // No test reaches the internet.
    await site.console.setOptions({ PriceSyncLiteLlmUrl: '', PriceSyncModelsDevUrl: '', PriceSyncYuanRateUrl: '' })
    await site.console.addChannel({
      name: 'Wholesale',
      base_url: `http://127.0.0.1:${upstream.port}`,
      models: 'acme-1,acme-draw',
    })
  }, siteTimeoutMs)
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await upstream.stop(true)
  })

  test('prices of the gateway behind a channel are read, one is rejected and the others take effect', async () => {
    await using visitor = await aVisitor(site.url, { session: await site.signIn('root') })
    const { page } = visitor
    await page.goto('/admin/prices/sync')
    await page.getByRole('button', { name: 'Add a channel' }).click()
    await page.getByRole('combobox', { name: /^Channel/ }).click()
    await page.getByRole('option', { name: /Wholesale/ }).click()
    await page.getByRole('combobox', { name: /^Used for/ }).selectOption({ label: 'Proposals of sale prices' })
    await page.getByRole('textbox', { name: /^Your group/ }).fill('vip')
    await page.getByRole('button', { name: 'Save' }).click()
    const sources = page.getByRole('region', { name: 'Sources' })
    await sources.getByText('Sale prices, group vip').waitFor()

    await page.getByRole('button', { name: 'Run now' }).click()
    await sources
      .getByRole('row', { name: /Wholesale/ })
      .getByText('OK')
      .waitFor()
    const proposals = page.getByRole('region', { name: 'Proposals' })
    await proposals.getByText('$0.10', { exact: true }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])

    await proposals
      .getByRole('row', { name: /acme-draw/ })
      .getByRole('checkbox')
      .click({ force: true })
    await page.getByRole('button', { name: 'Reject', exact: true }).click()
    await page.getByText('1 proposal rejected').waitFor()
    await page.getByRole('button', { name: 'Approve all 2' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await page.getByText('2 prices changed').waitFor()
    await page.getByRole('link', { name: 'Applied (2)' }).click()
    await proposals.getByText('acme-1').first().waitFor()

    const { items } = await site.console.call(priceRoutes.listPrices, { query: { keyword: 'acme' } })
    expect(items.map(({ model, own }) => [model, own?.entry.prices, own?.source])).toEqual([
      ['acme-1', { input: 2, output: 8 }, 'sync'],
      ['acme-draw', undefined, undefined],
    ])
  })
})
