import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

import { theBrowser } from './chromium'
import { restingPath } from './resting-path'
import { undoScripts } from './undo-scripts'

interface SiteOptions extends BrowserContextOptions {
  readonly baseURL: string
}

/** Default of every wait: pages are slow on a busy machine. The runner's own timeout is longer. */
const timeoutMs = 60_000

interface UsedBrowser {
  /** The context options it was created with. */
  readonly key: string
  readonly context: BrowserContext
  /** Between visits it stays on the site, so that its process keeps the site's compiled scripts. */
  readonly page: Page
  readonly undoScripts: () => Promise<void>
}

/** Browsers not in use, most recently used last. */
const free: UsedBrowser[] = []
/** Enough for the looks of one site; browsers of closed sites make room. */
const maxFree = 8

/** A browser for one visit; `leave` returns it. */
export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  readonly leave: () => Promise<void>
}

/**
 * Returns a browser without cookies or storage. It may have been used before: then its page is open, the site's files are cached and their
 * scripts compiled, which is more than half the work of a visit.
 */
export async function aBrowser(options: SiteOptions): Promise<Visit> {
  const key = JSON.stringify(options)
  const used = take(key) ?? (await withPage(key, await newContext(options)))
  const { context, page } = used
  return {
    page,
    context,
    async leave() {
      free.push(await forget(used, options))
      while (free.length > maxFree) await free.shift()?.context.close()
    },
  }
}

async function newContext(options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await (await theBrowser()).newContext(options)
  context.setDefaultTimeout(timeoutMs)
  return context
}

function take(key: string): UsedBrowser | undefined {
  const at = free.findLastIndex((one) => one.key === key)
  return at < 0 ? undefined : free.splice(at, 1)[0]
}

async function withPage(key: string, context: BrowserContext): Promise<UsedBrowser> {
  const page = await context.newPage()
  return { key, context, page, undoScripts: undoScripts(page) }
}

/** Returns the browser without anything of the visit, with a new page if the old one cannot be reset. */
async function forget(used: UsedBrowser, options: SiteOptions): Promise<UsedBrowser> {
  const { key, context, page } = used
  const others = context.pages().filter((open) => open !== page)
  await Promise.all(others.map((open) => open.close()))
  await context.setOffline(false)
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  const isReset = await resetPage(used, options)
  const ready = isReset ? used : await withPage(key, context)
  if (!isReset) await page.close()
  await context.clearCookies()
  await context.clearPermissions()
  const tools = await context.newCDPSession(ready.page)
  // A page that was reset has cleared its own: its process keeps a copy.
  const storageTypes = isReset ? 'indexeddb' : 'local_storage,indexeddb'
  await tools.send('Storage.clearDataForOrigin', { origin: options.baseURL, storageTypes })
  await tools.detach()
  return ready
}

/** Removes scripts, listeners and storage of the visit from its page. Resolves with false if the page cannot be reset. */
async function resetPage({ page, undoScripts }: UsedBrowser, { viewport }: SiteOptions): Promise<boolean> {
  try {
    // A test's listener may dismiss the dialog that asks whether to leave.
    page.removeAllListeners('dialog')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await undoScripts()
    await page.goto(restingPath)
    page.removeAllListeners()
    if (viewport && !Bun.deepEquals(page.viewportSize(), viewport)) await page.setViewportSize(viewport)
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    })
    return true
  } catch {
    return false
  }
}

/** Returns a browser with an empty cache and no compiled scripts. */
export async function aColdBrowser(options: BrowserContextOptions): Promise<Visit> {
  const context = await newContext(options)
  return { context, page: await context.newPage(), leave: () => context.close() }
}
