import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import type { Page } from 'playwright-core'

import { builtFiles, tooHeavy, weigh } from '../../scripts/console/budget'
import { describeInBrowser } from './describe-in-browser'
import { shots } from './pages/shots'
import { aUsedSite, open, type UsedSite } from './pages/used-site'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

const built = join(import.meta.dir, '../../console/dist')

/** A first visit of a page makes so many requests at the most, that of the page itself among them. */
const mostRequests = 25

/** Those that show a page, rather than what opens on it. */
const pages = shots.filter(
  ({ path, act, isAlike }) =>
    !act && !isAlike && !(typeof path === 'string' && /[?&](?:edit|open)=/.test(path)) && typeof path === 'string',
)

let site: UsedSite

describeInBrowser('a first visit', () => {
  beforeAll(async () => {
    site = await aUsedSite(20)
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  test.each(pages.map((shot) => [shot.name, shot] as const))('of %s makes few requests', async (_, shot) => {
    await using visitor = await open(site, shot, { language: 'en', theme: 'light' })
    const asked = await requestsOf(visitor.page)
    expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(mostRequests)
  })
})

describeInBrowser('what a browser really loads', () => {
  let young: Site

  beforeAll(async () => {
    young = await aSite()
  }, siteTimeoutMs)
  afterAll(() => young[Symbol.asyncDispose]())

  test.each(['/login', '/app/tokens'])('for %s is light', async (path) => {
    const session = path === '/login' ? undefined : await young.signIn('user')
    await using visitor = await aVisitor(young.url, { session })
    await visitor.page.goto(path, { waitUntil: 'networkidle' })
    const names = (await requestsOf(visitor.page)).map((path) => path.slice(1))
    const weight = weigh(
      builtFiles(built),
      names.filter((name) => name.startsWith('assets/')),
    )
    expect(weight.script).toBeGreaterThan(50_000)
    expect(tooHeavy(path, weight)).toBeNull()
  })
})

/** The page and everything it has asked for so far, each once. */
const requestsOf = async (page: Page): Promise<string[]> => {
  const loaded = await page.evaluate(() =>
    performance
      .getEntries()
      .flatMap(({ entryType, name }) => (/^(?:navigation|resource)$/.test(entryType) ? name : [])),
  )
  return [...new Set(loaded.map((address) => new URL(address)).map(({ pathname, search }) => pathname + search))]
}
