import type { Page } from 'playwright-core'

import { startGateway } from '../../gateway'
import { leftOpen } from '../../../gateway/test/left-open'
import { signIn, type Session } from '../session'
import { anEmptySite } from '../site'
import { aVisitor, type Visitor, type VisitorOptions } from '../visitor'
import { furnish, root, user, type Furniture } from './furnish'
import { age, type Past } from './past'
import type { Shot } from './shot'

/** A gateway that has been in use for a week, and one before its setup. */
export interface UsedSite extends Furniture, Past, AsyncDisposable {
  readonly url: string
  readonly emptyUrl: string
  readonly sessions: Readonly<Record<'root' | 'user', Session>>
}

const quietMs = 5000

/** Placeholders of a page or a part of it. */
const placeholders = '#start, .mantine-Skeleton-root, [aria-busy="true"]'

/** Loaded after the page itself: a drawer, and the panel beside a list. */
const opened = '[role="dialog"], aside[aria-label]'

/** Log entries of the shared site: more than a page of fifty. */
const sharedCalls = 80
let shared: Promise<UsedSite> | undefined

/** Returns the site that all tests of a run share; they may only add data under names of their own. */
export function theUsedSite(): Promise<UsedSite> {
  shared ??= aUsedSite(sharedCalls).then((site) => {
    leftOpen.push(async () => site[Symbol.asyncDispose]())
    return site
  })
  return shared
}

/** Creates a site with this many calls in its log. */
export async function aUsedSite(calls: number): Promise<UsedSite> {
  const empty = await anEmptySite()
  const young = await startGateway()
  const furniture = await furnish(young, empty.simulator.url, calls)
  await young.stop()
  const past = age(young.dataDir, furniture.userId)
  const gateway = await startGateway({ dataDir: young.dataDir })
  return {
    ...furniture,
    ...past,
    url: gateway.url,
    emptyUrl: empty.url,
    sessions: { root: await signIn(gateway.url, root), user: await signIn(gateway.url, user) },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await empty[Symbol.asyncDispose]()
    },
  }
}

/** Opens a page as the account it is for, and waits until it is complete. */
export async function open(site: UsedSite, shot: Shot, look: VisitorOptions): Promise<Visitor> {
  const session = shot.as && site.sessions[shot.as]
  const visitor = await aVisitor(shot.isFirstVisit ? site.emptyUrl : site.url, {
    ...look,
    session,
    expected: shot.expected,
  })
  const { page } = visitor
  // A page that never settles, such as a live list, is taken as it is.
  const untilQuiet = () => page.waitForLoadState('networkidle', { timeout: quietMs }).catch(() => {})
  await shot.prepare?.(page)
  await page.goto(typeof shot.path === 'string' ? shot.path : shot.path(site))
  await untilDrawn(page)
  await untilQuiet()
  if (shot.isOpening) await page.locator(opened).first().waitFor()
  await shot.act?.(page)
  if (shot.act) await untilQuiet()
  await untilDrawn(page)
  return visitor
}

/**
 * Resolves when the page has its heading and no placeholder is left. A quiet network says little: on a busy machine a page computes for
 * longer than the browser waits for the next request.
 */
async function untilDrawn(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await page.locator(placeholders).first().waitFor({ state: 'detached' })
}
