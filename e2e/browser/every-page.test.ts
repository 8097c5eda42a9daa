import { afterAll, beforeAll, expect, test } from 'bun:test'

import type { Page } from 'playwright-core'

import { accessibilityFaults } from './accessibility'
import { describeInBrowser } from './describe-in-browser'
import { shots } from './pages/shots'
import { aUsedSite, open, type UsedSite } from './pages/used-site'
import { siteTimeoutMs } from './site'

const looks = [
  { language: 'en', theme: 'light', width: 1440 },
  { language: 'zh', theme: 'dark', width: 390 },
] as const

let site: UsedSite

/** Pixels by which the page is wider than its window. */
const sidewaysScroll = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

describeInBrowser('without faults, and nobody kept out:', () => {
  beforeAll(async () => {
    site = await aUsedSite(60)
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  test.each(shots.flatMap((shot) => looks.map((look) => [shot.name, look.language, look.width, shot, look] as const)))(
    '%s (%s, %i)',
    async (_name, _language, _width, shot, look) => {
      await using visitor = await open(site, shot, look)
      expect(await accessibilityFaults(visitor.page)).toEqual([])
      expect(await sidewaysScroll(visitor.page)).toBe(0)
    },
  )
})
