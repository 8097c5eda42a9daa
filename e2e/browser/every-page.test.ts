import { beforeAll, expect, test } from 'bun:test'

import type { Page } from 'playwright-core'

import { accessibilityFaults } from './accessibility'
import { describeInBrowser } from './describe-in-browser'
import { fingerFaults } from './finger-faults'
import { drawStepByStep, shiftFaults } from './layout-shifts'
import { outside } from './outside'
import { pairsOfLooks, type Look } from './pages/looks'
import { follow, load, opened, visitorFor } from './pages/open-page'
import { pageVisits } from './pages/page-visits'
import type { Shot } from './pages/shot'
import { theUsedSite, type UsedSite } from './pages/used-site'
import { requestsOf } from './requests'
import { siteTimeoutMs } from './site'

/** With `all`, each page is seen in every look, otherwise in a pair of opposite ones, the next page in another pair. */
const seesAll = process.env['TEST_LOOKS'] === 'all'
const pairsFor = (index: number) =>
  pairsOfLooks.filter((_pair, position) => seesAll || position === index % pairsOfLooks.length)

/** At most this many requests on a first visit of a page in a wide window, including the page itself, but not vendors' icons, which nothing waits for. */
const maxRequests = 32
/** Afterwards the console refreshes the permissions of the account and counts for the badges of its menu. */
const visitMs = 5000

let site: UsedSite

describeInBrowser('every page has no faults and no barriers:', () => {
  beforeAll(async () => {
    site = await theUsedSite()
  }, siteTimeoutMs)

  test.each(pageVisits.map(({ name, shots }, index) => [name, shots, pairsFor(index)] as const))(
    '%s',
    async (_name, shots, pairs) => {
      for (const pair of pairs) {
        const found = await Promise.all(pair.map((look) => visit(shots, look)))
        expect(found.flat()).toEqual([])
      }
    },
  )
})

/** Loads the page once and opens its states from there, as far as what they leave and need allows. Returns the faults of all. */
async function visit(states: readonly Shot[], look: Look): Promise<string[]> {
  const shots = states.filter(({ isVariant }) => look.isPhone || !isVariant)
  if (shots.length === 0) return []
  const visitor = await visitorFor(site, shots, look)
  await drawStepByStep(visitor.page)
  const found: string[] = []
  const note = ({ name }: Shot, faults: readonly string[]) =>
    found.push(...faults.map((fault) => `${name} ${JSON.stringify(look)}: ${fault}`))
  let last: Shot | undefined
  let noted = 0
  try {
    for (const shot of shots) {
      const isLoaded = !last || last.act || shot.isLoaded
      await (isLoaded ? load : follow)(visitor.page, site, shot)
      if (isLoaded && !shot.act) note(shot, await shiftFaults(visitor.page))
      note(shot, await faultsOf(visitor.page, shot, { look, isFirst: !last && !shot.act }))
      note(shot, visitor.faults.slice(noted))
      noted = visitor.faults.length
      last = shot
    }
  } finally {
    await visitor.leave()
  }
  if (last) note(last, visitor.faults.slice(noted))
  return found
}

interface Visited {
  readonly look: Look
  /** The page as it opens, with nothing opened on it. */
  readonly isFirst: boolean
}

async function faultsOf(page: Page, shot: Shot, { look, isFirst }: Visited): Promise<string[]> {
  const all = isFirst && !look.isPhone ? await requestsOf(page, visitMs) : []
  const requests = all.filter((path) => !path.startsWith('/assets/vendor-icons'))
  return [
    ...(requests.length > maxRequests ? [`makes many requests:\n${requests.join('\n')}`] : []),
    ...(await outside(page)),
    // The page behind is a shot of its own.
    ...(await accessibilityFaults(page, shot.isOpening ? opened : undefined)),
    ...(look.isPhone ? await fingerFaults(page) : []),
  ]
}
