import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { shots, type Shot } from './shots'
import { aUsedSite, open } from './used-site'

/** The ways a page is looked at. */
const languages = ['zh', 'en'] as const
const themes = ['light', 'dark'] as const
const widths = [1440, 390]
const looks = languages.flatMap((language) =>
  themes.flatMap((theme) => widths.map((width) => ({ language, theme, width }))),
)

const calls = 400

/**
 * Take a picture of each of these pages (default: all) in every look, as `<page>.<language>.<theme>.<width>.png`.
 * Answers what went wrong on the pages, a line each. @throws Error for the name of a page that is not in the list.
 */
export async function takePictures(folder: string, names: readonly string[]): Promise<string[]> {
  const chosen = chosenShots(names)
  mkdirSync(folder, { recursive: true })
  await using site = await aUsedSite(calls)
  const faults: string[] = []
  for (const shot of chosen) {
    for (const look of looks) {
      const name = `${shot.name}.${look.language}.${look.theme}.${look.width}`
      const visitor = await open(site, shot, look)
      await visitor.page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
      await visitor.leave()
      faults.push(...visitor.faults.map((fault) => `${name}: ${fault}`))
    }
  }
  return faults
}

function chosenShots(names: readonly string[]): readonly Shot[] {
  if (names.length === 0) return shots
  return names.map((name) => {
    const shot = shots.find((shot) => shot.name === name)
    if (!shot) throw new Error(`No page is called ${name}; there are: ${shots.map(({ name }) => name).join(', ')}`)
    return shot
  })
}
