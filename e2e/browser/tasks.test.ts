import { beforeAll, expect, test } from 'bun:test'

import { becomes } from './becomes'
import { describeInBrowser } from './describe-in-browser'
import { pushPath } from './pages/open-page'
import { withImages } from './pages/past-tasks'
import { theUsedSite, type UsedSite } from './pages/used-site'
import { siteTimeoutMs } from './site'
import { aVisitor } from './visitor'

let site: UsedSite

describeInBrowser('drawing and task logs', () => {
  beforeAll(async () => {
    site = await theUsedSite()
  }, siteTimeoutMs)

  test('drawings and songs are found, read and listened to with the keyboard', async () => {
    await using visitor = await aVisitor(site.url, { session: site.sessions.user })
    const { page } = visitor
    await withImages(page)
    await page.goto('/app/logs/drawing')
    const list = page.getByRole('region', { name: 'Drawing log' })
    await list.getByText('Not started').waitFor()
    await becomes(() => list.getByRole('progressbar').getAttribute('aria-valuenow'), '62')

    const panel = page.getByRole('complementary', { name: 'Details' })
    await list.getByRole('row').filter({ hasText: 'Banned prompt' }).focus()
    await page.keyboard.press('Enter')
    await panel.getByText(/describe the person instead of naming them\.$/).waitFor()
    await page.keyboard.press('k')
    await panel.getByRole('img', { name: 'Image 1' }).waitFor()
    expect(
      await panel.getByRole('img', { name: 'Image 1' }).evaluate((image: HTMLImageElement) => image.naturalWidth),
    ).toBeGreaterThan(0)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })

    await pushPath(page, '/app/logs/tasks?range=week')
    await page.getByRole('link', { name: 'Music', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/platform=suno/)
    const songs = page.getByRole('region', { name: 'Task log' })
    await songs.getByText('gulls take off from a roof').waitFor({ state: 'detached' })
    await songs.getByRole('row').filter({ hasText: 'A shanty about ice' }).focus()
    await page.keyboard.press('Enter')
    await panel.getByLabel('Harbour of Ice').first().waitFor()
    await becomes(() => panel.locator('audio').getAttribute('preload'), 'none')
    await becomes(() => panel.getByText('[Verse]').count(), 1)
  })
})
