import { beforeAll, expect, test } from 'bun:test'

import { accessibilityFaults } from './accessibility'
import { describeInBrowser } from './describe-in-browser'
import { fingerFaults } from './finger-faults'
import { outside } from './outside'
import type { Shot } from './pages/shot'
import { shots } from './pages/shots'
import { open, theUsedSite, type UsedSite } from './pages/used-site'
import { requestsOf } from './requests'
import { siteTimeoutMs } from './site'

const looks = [
  { language: 'zh', theme: 'light' },
  // English is the longer of the two.
  { language: 'en', theme: 'dark', isPhone: true },
] as const

/** A first visit of a page in a wide window makes so many requests at the most, that of the page itself among them. */
const mostRequests = 25
/** Later the console asks again what the account may do, and counts for the badges of its menu. */
const visitMs = 5000

/** It shows a page, rather than what opens on it. */
const isFirstVisit = ({ path, act, isOpening }: Shot) => !act && !isOpening && typeof path === 'string'

let site: UsedSite

describeInBrowser('without faults, and nobody kept out:', () => {
  beforeAll(async () => {
    site = await theUsedSite()
  }, siteTimeoutMs)

  test.each(shots.filter(({ isAlike }) => !isAlike).map((shot) => [shot.name, shot] as const))(
    '%s',
    async (_name, shot) => {
      const found = await Promise.all(looks.slice(shot.isVariant ? 1 : 0).map((look) => inspect(shot, look)))
      expect(found.flat()).toEqual([])
    },
  )
})

async function inspect(shot: Shot, look: (typeof looks)[number]): Promise<string[]> {
  await using visitor = await open(site, shot, look)
  const asked = await requestsOf(visitor.page, visitMs)
  const faults = [...(await outside(visitor.page)), ...(await accessibilityFaults(visitor.page))]
  if ('isPhone' in look) faults.push(...(await fingerFaults(visitor.page)))
  else if (isFirstVisit(shot) && asked.length > mostRequests) faults.push(`makes many requests:\n${asked.join('\n')}`)
  return faults.map((fault) => `${JSON.stringify(look)}: ${fault}`)
}
