import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import { builtFiles, tooHeavy, weigh } from '../../scripts/console/budget'
import { describeInBrowser } from './describe-in-browser'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

const built = join(import.meta.dir, '../../console/dist')

let site: Site

describeInBrowser('what a browser really loads', () => {
  beforeAll(async () => {
    site = await aSite()
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  test.each(['/login', '/app/tokens'])('for %s is light', async (path) => {
    await using visitor = await aVisitor(site.url, {
      session: path === '/login' ? undefined : await site.signIn('user'),
    })
    const { page } = visitor
    await page.goto(path, { waitUntil: 'networkidle' })
    const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    const names = loaded
      .map((address) => new URL(address).pathname.slice(1))
      .filter((name) => name.startsWith('assets/'))
    const weight = weigh(builtFiles(built), names)
    expect(weight.script).toBeGreaterThan(50_000)
    expect(tooHeavy(path, weight)).toBeNull()
  })
})
