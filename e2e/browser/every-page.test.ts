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
  // English texts are the longer ones.
  { language: 'en', theme: 'dark', isPhone: true },
] as const

/** At most this many requests on a first visit of a page in a wide window, including the page itself. */
const mostRequests = 25
/** Afterwards the console refreshes the permissions of the account and counts for the badges of its menu. */
const visitMs = 5000

/** The shot shows a page as it opens, with nothing opened on it. */
const isFirstVisit = ({ path, act, isOpening }: Shot) => !act && !isOpening && typeof path === 'string'

let site: UsedSite

describeInBrowser('every page has no faults and no barriers:', () => {
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
