import { afterAll, beforeAll, expect, test } from 'bun:test'

import { accessibilityFaults } from './accessibility'
import { describeInBrowser } from './describe-in-browser'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

let site: Site

describeInBrowser('an unknown address', () => {
  beforeAll(async () => {
    site = await aSite()
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  test.each(['/no/such/page', '/app/nothing', '/admin/nothing', '/robots.html'])(
    'an unknown address says so: %s',
    async (path) => {
      await using visitor = await aVisitor(site.url, { session: await site.signIn('user') })
      const { page } = visitor
      await page.goto(path)
      await page.getByText('This page does not exist').waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      await page.getByRole('link', { name: 'Go to the home page' }).click()
      await page.waitForURL(`${site.url}/`)
    },
  )

  test('an unknown address says so to guests in their language', async () => {
    await using visitor = await aVisitor(site.url, { language: 'zh' })
    await visitor.page.goto('/no/such/page')
    await visitor.page.getByText('页面不存在').waitFor()
  })
})
