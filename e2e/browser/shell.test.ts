import { beforeAll, expect, test } from 'bun:test'

import type { Page } from 'playwright-core'

import { becomes } from './becomes'
import { describeInBrowser } from './describe-in-browser'
import { open, resize } from './pages/open-page'
import { shots } from './pages/shots'
import { theUsedSite, type UsedSite } from './pages/used-site'
import { siteTimeoutMs } from './site'
import { wideSize } from './visitor'

let site: UsedSite

const visit = async (name: string, width: number) => {
  const shot = shots.find((one) => one.name === name)
  if (!shot) throw new Error(`no page is called ${name}`)
  // A window of the usual width is open already.
  const visitor = await open(site, shot, {})
  if (width !== wideSize.width) await resize(visitor.page, { ...wideSize, width })
  return visitor
}

/** Returns by how many pixels the page is higher than its window. */
const overflowOf = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight - innerHeight)

describeInBrowser('the frame of a page', () => {
  beforeAll(async () => {
    site = await theUsedSite()
  }, siteTimeoutMs)

  test.each([
    ['tokens', 1440, 200],
    ['no-access', 768, 60],
  ])(
    'the menus, an announcement and the footer of %s fit into a window of %d px without scrolling, the side menu %d px wide',
    async (name, width, menuWidth) => {
      await using visitor = await visit(name, width)
      const { page } = visitor
      await page.getByRole('button', { name: 'Read more' }).waitFor()
      await page.getByRole('button', { name: /^(?:Collapse|Expand)/ }).waitFor()
      expect(await overflowOf(page)).toBe(0)
      const box = await page.getByRole('navigation', { name: 'Main menu' }).boundingBox()
      expect(box?.width).toBe(menuWidth)
    },
  )

  test.each([
    ['about', 1440],
    ['not-found', 768],
  ])('guests see %s in a window of %d px without scrolling and without a side menu', async (name, width) => {
    await using visitor = await visit(name, width)
    const { page } = visitor
    await page.getByRole('button', { name: 'Read more' }).waitFor()
    expect(await overflowOf(page)).toBe(0)
    await becomes(() => page.getByRole('navigation', { name: 'Main menu' }).count(), 0)
  })

  test('a badge that is a button fills the button', async () => {
    await using visitor = await visit('channels', 1440)
    const shifts = await visitor.page.locator('button > .mantine-Badge-root').evaluateAll((badges) =>
      badges.map((badge) => {
        const [inner, outer] = [badge.getBoundingClientRect(), badge.parentElement?.getBoundingClientRect()]
        return [inner.top - (outer?.top ?? 0), inner.height - (outer?.height ?? 0)]
      }),
    )
    expect(shifts.length).toBeGreaterThan(0)
    expect(new Set(shifts.flat())).toEqual(new Set([0]))
  })
})
