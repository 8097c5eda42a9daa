import { afterAll, beforeAll, expect, test } from 'bun:test'

import { accessibilityFaults } from './accessibility'
import { describeInBrowser } from './describe-in-browser'
import { fingerFaults } from './finger-faults'
import { outside } from './outside'
import type { Shot } from './pages/shot'
import { shots } from './pages/shots'
import { aUsedSite, open, type UsedSite } from './pages/used-site'
import { siteTimeoutMs } from './site'

const looks = [
  { language: 'zh', theme: 'light' },
  // English is the longer of the two.
  { language: 'en', theme: 'dark', isPhone: true },
] as const

let site: UsedSite

describeInBrowser('without faults, and nobody kept out:', () => {
  beforeAll(async () => {
    site = await aUsedSite(60)
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  test.each(shots.filter(({ isAlike }) => !isAlike).map((shot) => [shot.name, shot] as const))(
    '%s',
    async (_name, shot) => {
      const found = await Promise.all(looks.map((look) => inspect(shot, look)))
      expect(found.flat()).toEqual([])
    },
  )
})

async function inspect(shot: Shot, look: (typeof looks)[number]): Promise<string[]> {
  await using visitor = await open(site, shot, look)
  const faults = [...(await outside(visitor.page)), ...(await accessibilityFaults(visitor.page))]
  if ('isPhone' in look) faults.push(...(await fingerFaults(visitor.page)))
  return faults.map((fault) => `${JSON.stringify(look)}: ${fault}`)
}
