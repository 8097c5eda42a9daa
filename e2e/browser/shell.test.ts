import { beforeAll, expect, test } from 'bun:test'

import { describeInBrowser } from './describe-in-browser'
import { open } from './pages/open-page'
import { shots } from './pages/shots'
import { theUsedSite, type UsedSite } from './pages/used-site'
import { siteTimeoutMs } from './site'

let site: UsedSite

const visit = async (name: string, width: number) => {
  const shot = shots.find((one) => one.name === name)
  if (!shot) throw new Error(`no page is called ${name}`)
  return open(site, shot, { width })
}

describeInBrowser('the frame of a page', () => {
  beforeAll(async () => {
    site = await theUsedSite()
  }, siteTimeoutMs)

  test.each([
    ['about', 1440, 200],
    ['tokens', 1440, 200],
    ['not-found', 768, 60],
  ])(
    'the menus, an announcement and the footer of %s fit into a window of %d px without scrolling, the side menu %d px wide',
    async (name, width, menuWidth) => {
      await using visitor = await visit(name, width)
      const { page } = visitor
      await page.getByRole('button', { name: 'Read more' }).waitFor()
      await page.getByRole('button', { name: /^(?:Collapse|Expand)/ }).waitFor()
      const heights = await page.evaluate(() => [document.documentElement.scrollHeight, innerHeight])
      expect(heights[0]).toBe(heights[1])
      const box = await page.getByRole('navigation', { name: 'Main menu' }).boundingBox()
      expect(box?.width).toBe(menuWidth)
    },
  )

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
