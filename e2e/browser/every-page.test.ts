import { beforeAll, expect, test } from 'bun:test'

import type { Page } from 'playwright-core'

import { accessibilityFaults } from './accessibility'
import { coveredFaults } from './covered-faults'
import { describeInBrowser } from './describe-in-browser'
import { drawStepByStep, shiftFaults } from './layout-shifts'
import { outside } from './outside'
import { looks, type Look } from './pages/looks'
import { follow, load, opened, resize, visitorFor } from './pages/open-page'
import { pageVisits } from './pages/page-visits'
import type { Shot } from './pages/shot'
import { theUsedSite, type UsedSite } from './pages/used-site'
import { prefetchFaults, requestsOf } from './requests'
import { siteTimeoutMs } from './site'
import { targetFaults } from './target-faults'
import { makeTransparent, phoneSize, wideSize, type Visitor } from './visitor'

/** With `all`, each page is loaded in every look, otherwise in one, the next page in another. */
const seesAll = process.env['TEST_LOOKS'] === 'all'
const looksFor = (index: number) => looks.filter((_look, position) => seesAll || position === index % looks.length)

/** At most this many requests on a first visit of a page, including the page itself, but not vendors' icons, which nothing waits for. */
const maxRequests = 34
/** Afterwards the console refreshes the permissions of the account and counts for the badges of its menu. */
const visitMs = 5000

/** Drawn step by step, the list comes before the number of unread messages, and is read again with it. */
const inbox = '/api/user/messages?'

let site: UsedSite

describeInBrowser('every page has no faults and no barriers:', () => {
  beforeAll(async () => {
    site = await theUsedSite()
  }, siteTimeoutMs)

  test.each(pageVisits.map(({ name, shots }, index) => [name, shots, looksFor(index)] as const))(
    '%s',
    async (_name, shots, looks) => {
      for (const look of looks) expect(await visit(shots, look)).toEqual([])
    },
  )
})

/**
 * Loads the page once and opens its states from there, as far as what they leave and need allows: one state in the width of the look, the
 * next in the other one. Each is laid out in both. Returns the faults of all.
 */
async function visit(shots: readonly Shot[], look: Look): Promise<string[]> {
  const visitor = await visitorFor(site, shots, look)
  const { page } = visitor
  const width = await aChangingWidth(visitor, look)
  await drawStepByStep(page)
  const found: string[] = []
  const note = ({ name }: Shot, faults: readonly string[]) =>
    found.push(...faults.map((fault) => `${name} ${JSON.stringify({ ...look, isPhone: width.isPhone })}: ${fault}`))
  let last: Shot | undefined
  let noted = 0
  try {
    for (const shot of shots) {
      const isLoaded = !last || shot.isLoaded
      if (!last || shot.isLoaded) await load(page, site, shot)
      else await follow(page, site, shot, last)
      if (isLoaded && !shot.act) note(shot, await shiftFaults(page))
      if (!last && !shot.act) note(shot, await requestFaults(page))
      if (isLoaded) await page.evaluate(makeTransparent)
      // The page behind what opens is a shot of its own.
      note(shot, await accessibilityFaults(page, shot.isOpening ? { within: opened } : {}))
      note(shot, await layoutFaults(page, width))
      await width.change()
      if (shot.isOpening) await page.locator(opened).first().waitFor()
      note(shot, await layoutFaults(page, width))
      note(shot, visitor.faults.slice(noted))
      noted = visitor.faults.length
      last = shot
    }
  } finally {
    await width.detach()
    await visitor.leave()
  }
  if (last) note(last, visitor.faults.slice(noted))
  return found
}

/** Turns the window of an open page into that of a phone and back: layouts differ in nothing else, so neither needs a load of its own. */
async function aChangingWidth({ page, context }: Visitor, look: Look) {
  const tools = await context.newCDPSession(page)
  return {
    isPhone: look.isPhone,
    /** Resolves when the page is laid out anew. */
    async change() {
      this.isPhone = !this.isPhone
      // A phone has a finger anyway. The layout follows both, so what is laid out anew comes last.
      if (!look.isPhone) await tools.send('Emulation.setTouchEmulationEnabled', { enabled: this.isPhone })
      await resize(page, this.isPhone ? phoneSize : wideSize)
    },
    detach: () => tools.detach(),
  }
}

const layoutFaults = async (page: Page, { isPhone }: Pick<Look, 'isPhone'>): Promise<string[]> => [
  ...(await outside(page)),
  ...(await targetFaults(page, isPhone ? 'finger' : 'mouse')),
  ...(await coveredFaults(page)),
]

/** Looks at the page as it opens, with nothing opened on it. */
async function requestFaults(page: Page): Promise<string[]> {
  const requests = (await requestsOf(page, visitMs)).filter((path) => !path.startsWith('/assets/vendor-icons'))
  return [
    ...(requests.length > maxRequests ? [`makes many requests:\n${requests.join('\n')}`] : []),
    ...(await prefetchFaults(page)).filter((fault) => !fault.includes(inbox)),
  ]
}
