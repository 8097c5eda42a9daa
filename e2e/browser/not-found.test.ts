import { afterAll, beforeAll, test } from 'bun:test'

import { describeInBrowser } from './describe-in-browser'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

let site: Site

describeInBrowser('an unknown address', () => {
  beforeAll(async () => {
    site = await aSite()
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  test('an unknown address says so, and leads to the home page', async () => {
    await using visitor = await aVisitor(site.url, { session: await site.signIn('user') })
    const { page } = visitor
    for (const path of ['/no/such/page', '/admin/nothing', '/robots.html']) {
      await page.goto(path)
      await page.getByText('This page does not exist').waitFor()
    }
    await page.getByRole('link', { name: 'Go to the home page' }).click()
    await page.waitForURL(`${site.url}/`)
  })
})
