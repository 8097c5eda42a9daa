import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import type { Page } from 'playwright-core'

import { open } from '../pages/open-page'
import type { Shot } from '../pages/shot'
import { shots } from '../pages/shots'
import { aUsedSite } from '../pages/used-site'

/** All looks of a page. */
const languages = ['zh', 'en'] as const
const themes = ['light', 'dark'] as const
const allWidths = [1440, 1024, 768, 390]
const looksAt = (widths: readonly number[]) =>
  languages.flatMap((language) => themes.flatMap((theme) => widths.map((width) => ({ language, theme, width }))))

const calls = 400
const minHeight = 900
const maxRounds = 3

/**
 * Takes a screenshot of each of these pages (default: all) in every look: `<page>.<language>.<theme>.<width>.png`. Numbers among the names
 * select widths. Returns what went wrong on the pages, a line each.
 * @throws Error for an unknown page.
 */
export async function takeScreenshots(folder: string, pages: readonly string[]): Promise<string[]> {
  const widths = pages.map(Number).filter((width) => width > 0)
  const chosen = chosenShots(pages.filter((name) => !(Number(name) > 0)))
  const looks = looksAt(widths.length === 0 ? allWidths : widths)
  mkdirSync(folder, { recursive: true })
  await using site = await aUsedSite(calls)
  const faults: string[] = []
  for (const shot of chosen) {
    for (const look of looks) {
      const name = `${shot.name}.${look.language}.${look.theme}.${look.width}`
      const visitor = await open(site, shot, look)
      await showAll(visitor.page, look.width)
      await visitor.page.screenshot({ path: join(folder, `${name}.png`) })
      await visitor.leave()
      faults.push(...visitor.faults.map((fault) => `${name}: ${fault}`))
    }
  }
  return faults
}

/**
 * Makes the screen as high as the page. A full-page screenshot is assembled from parts, in which charts that measure themselves overflow
 * their cards and the sticky menu is cut off.
 */
async function showAll(page: Page, width: number): Promise<void> {
  let height = 0
  // Content that fills the window or measures itself may grow the page once more.
  for (let round = 0; round < maxRounds; round += 1) {
    const neededHeight = Math.max(await page.evaluate(() => document.documentElement.scrollHeight), minHeight)
    if (neededHeight === height) return
    height = neededHeight
    await page.setViewportSize({ width, height })
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  }
}

function chosenShots(names: readonly string[]): readonly Shot[] {
  if (names.length === 0) return shots
  return names.map((name) => {
    const shot = shots.find((shot) => shot.name === name)
    if (!shot) throw new Error(`No page is called ${name}; there are: ${shots.map(({ name }) => name).join(', ')}`)
    return shot
  })
}
