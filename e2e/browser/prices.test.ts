import { afterAll, beforeAll, expect, test } from 'bun:test'

import { logRoutes } from '@tollgate/contract'

import { call } from '../call'
import { describeInBrowser } from './describe-in-browser'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

let site: Site
let key: string

/** Returns the charge of a call with a thousand input tokens and two hundred output tokens. */
async function chargedQuota(): Promise<number | undefined> {
  const { requestId } = await call(site, key, { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }] })
  const { items } = await site.console.call(logRoutes.listLogs, { query: { request_id: requestId } })
  return items[0]?.quota
}

describeInBrowser('the page of prices', () => {
  beforeAll(async () => {
    site = await aSite()
    await site.console.addChannel({
      name: 'upstream',
      base_url: site.simulator.url,
      key: 'sim:tokens=200;prompt=1000',
      models: 'gpt-4o-mini',
    })
    key = await site.console.addToken({ name: 'caller' })
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  test('a price edited in place applies to calls, and resetting it restores the list price', async () => {
    const listQuota = await chargedQuota()
    expect(listQuota).toBe(135)
    await using visitor = await aVisitor(site.url, { session: await site.signIn('root') })
    const { page } = visitor
    await page.goto('/admin/prices')
    const input = page.getByRole('textbox', { name: 'Input price of gpt-4o-mini' })
    // Ten times the list price: the output price follows in proportion.
    await input.fill('1.5')
    await input.press('Enter')
    await page.getByText('Price of gpt-4o-mini saved').waitFor()
    const output = page.getByRole('textbox', { name: 'Output price of gpt-4o-mini' })
    await page.waitForFunction(
      (field) => field instanceof HTMLInputElement && field.value === '$6.000',
      await output.elementHandle(),
    )
    expect(await chargedQuota()).toBe(1350)
    await page.getByRole('button', { name: 'Sell gpt-4o-mini at the list price' }).click()
    await page.getByText('gpt-4o-mini is sold at the list price again').waitFor()
    expect(await chargedQuota()).toBe(listQuota)
  })
})
