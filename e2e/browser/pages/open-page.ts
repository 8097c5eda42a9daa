import type { Page, Request } from 'playwright-core'

import type { AppRouter } from '../../../console/src/app/router'
import { aVisitor, type Visitor, type VisitorOptions } from '../visitor'
import type { Shot } from './shot'
import type { UsedSite } from './used-site'

const quietMs = 5000

/** Placeholders of a page or a part of it. */
const placeholders = '#start, .mantine-Skeleton-root, [aria-busy="true"]'

/** Loaded after the page itself: a drawer, and the panel beside a list. */
export const opened = '[role="dialog"], aside[aria-label]'

/** A page that requests nothing. */
const nowhere = '/between/two/pages'

/** Returns a browser of the account that these shots are for; they all have the same. */
export function visitorFor(site: UsedSite, shots: readonly Shot[], look: VisitorOptions): Promise<Visitor> {
  const [first] = shots
  return aVisitor(first?.isFirstVisit ? site.emptyUrl : site.url, {
    ...look,
    isDrawn: true,
    session: first?.as && site.sessions[first.as],
    expected: shots.flatMap(({ expected = [] }) => expected),
  })
}

/** Opens a page as the account it is for, and waits until it is complete. */
export async function open(site: UsedSite, shot: Shot, look: VisitorOptions): Promise<Visitor> {
  const visitor = await visitorFor(site, [shot], look)
  await load(visitor.page, site, shot)
  return visitor
}

/** Loads a page, and waits until it is complete. */
export async function load(page: Page, site: UsedSite, shot: Shot): Promise<void> {
  await shot.prepare?.(page)
  await page.goto(pathOf(shot, site))
  await untilDrawn(page)
  // A page that never settles, such as a live list, is taken as it is.
  await page.waitForLoadState('networkidle', { timeout: quietMs }).catch(() => {})
  await act(page, shot)
}

/** Opens a page from the one that is open, as a link does: nothing is loaded again. What was opened or done there is gone before. */
export async function follow(page: Page, site: UsedSite, shot: Shot, last: Shot): Promise<void> {
  await shot.prepare?.(page)
  const path = pathOf(shot, site)
  if (last.act) await navigateTo(page, nowhere)
  else if (last.isOpening) {
    await navigateTo(page, path.split('?', 1)[0] ?? '')
    await page.locator(opened).first().waitFor({ state: 'detached' })
  }
  await navigateTo(page, path)
  await act(page, shot)
}

/** Navigates within the console. Resolves when the page is complete. */
export async function navigateTo(page: Page, path: string): Promise<void> {
  const untilQuiet = watchRequests(page)
  await pushPath(page, path)
  await untilDrawn(page)
  await untilQuiet()
}

/** Navigates within the console. Resolves when the page is there, with or without what it reads. */
export async function pushPath(page: Page, path: string): Promise<void> {
  await page.evaluate(pushAddress, path).catch(async (error: unknown) => {
    // The playground has a policy of its own: the console loads it, and the page after it, anew.
    if (!String(error).includes('Execution context was destroyed')) throw error
    await page.waitForLoadState()
  })
}

/** Runs in the page: resolves when the router has rendered the address. */
const pushAddress = (path: string) =>
  new Promise<void>((resolve) => {
    // As the router offers itself to its developer tools.
    const { __TSR_ROUTER__: router } = window as unknown as { __TSR_ROUTER__: AppRouter }
    const stop = router.subscribe('onResolved', () => {
      stop()
      resolve()
    })
    history.pushState(null, '', path)
  })

/** Tables and bars measure themselves, and leave out what does not fit in the frame after. */
const framesAtWidth = 3

/** Runs in the page: resolves when its width stays the same for this many frames. */
const untilWidthStands = (frames: number): Promise<void> =>
  new Promise((resolve) => {
    let width = 0
    let same = 0
    const look = () => {
      const now = document.documentElement.scrollWidth
      same = now === width ? same + 1 : 0
      width = now
      if (same < frames) requestAnimationFrame(look)
      else resolve()
    }
    requestAnimationFrame(look)
  })

/** Gives an open page another size. Resolves when it is laid out anew. */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size)
  await page.evaluate(untilWidthStands, framesAtWidth)
  await page.locator(placeholders).first().waitFor({ state: 'detached' })
}

/** Returns a function that resolves when the page has rendered the responses to all its requests since then. */
function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<Request>()
  let onEnd = () => {}
  const begin = (request: Request) => void open.add(request)
  const end = (request: Request) => {
    open.delete(request)
    onEnd()
  }
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end)
  return async () => {
    while (open.size > 0) await new Promise<void>((resolve) => (onEnd = resolve))
    page.off('request', begin).off('requestfinished', end).off('requestfailed', end)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    await untilDrawn(page)
  }
}

async function act(page: Page, shot: Shot): Promise<void> {
  if (shot.isOpening) await page.locator(opened).first().waitFor()
  await shot.act?.(page)
  await untilDrawn(page)
}

function pathOf({ path }: Shot, site: UsedSite): string {
  const ids = new Map<string, unknown>(Object.entries(site))
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids.get(name)
    if (typeof id !== 'number') throw new Error(`The used site has no ${name}`)
    return String(id)
  })
}

/**
 * Resolves when the page has its heading and no placeholder is left. A quiet network says little: on a busy machine a page computes for
 * longer than the browser waits for the next request.
 */
async function untilDrawn(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await page.locator(placeholders).first().waitFor({ state: 'detached' })
}
