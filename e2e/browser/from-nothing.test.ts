import { afterAll, beforeAll, expect, test } from 'bun:test'

import { describeInBrowser } from './describe-in-browser'
import { aSite, anEmptySite, siteTimeoutMs, type EmptySite, type Site } from './site'
import { aVisitor } from './visitor'

let empty: EmptySite
let site: Site

describeInBrowser('a first visit', () => {
  beforeAll(async () => {
    ;[empty, site] = [await anEmptySite(), await aSite()]
  }, siteTimeoutMs)
  afterAll(async () => {
    await empty[Symbol.asyncDispose]()
    await site[Symbol.asyncDispose]()
  })

  test.each(['/', '/app/tokens'])('%s redirects to the setup while there is no account', async (path) => {
    await using visitor = await aVisitor(empty.url)
    await visitor.page.goto(path)
    await visitor.page.waitForURL(`${empty.url}/setup`)
  })

  test('a guest signs in before a page that requires it and returns there', async () => {
    await using visitor = await aVisitor(site.url)
    const { page } = visitor
    await page.goto('/app/tokens?keyword=shop')
    await page.waitForURL((url) => url.pathname === '/login')
    expect(new URL(page.url()).searchParams.get('returnTo')).toBe('/app/tokens?keyword=shop')
  })
})
