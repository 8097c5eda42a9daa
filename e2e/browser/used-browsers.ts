import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

import { theBrowser } from './chromium'

interface UsedBrowser {
  /** The context options it was created with. */
  readonly key: string
  readonly context: BrowserContext
  /** Always open: without any page the browser would discard its processes and their compiled scripts. */
  readonly emptyPage: Page
}

/** Browsers not in use, most recently used last. */
const free: UsedBrowser[] = []
/** Enough for the looks of one site; browsers of closed sites make room. */
const mostFree = 8

/** A browser for one visit; `leave` returns it. */
export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  readonly leave: () => Promise<void>
}

/**
 * Returns a browser without cookies or storage. It may have been used before: the site's files are cached and their scripts compiled, which
 * is half the work of a visit.
 */
export async function aBrowser(options: BrowserContextOptions & { readonly baseURL: string }): Promise<Visit> {
  const key = JSON.stringify(options)
  const used = take(key) ?? (await anUnused(key, options))
  const { context, emptyPage } = used
  const page = await context.newPage()
  return {
    page,
    context,
    async leave() {
      const left = context.pages().filter((open) => open !== emptyPage)
      await Promise.all(left.map((open) => open.close()))
      await forget(used, options.baseURL)
      free.push(used)
      while (free.length > mostFree) await free.shift()?.context.close()
    },
  }
}

function take(key: string): UsedBrowser | undefined {
  const at = free.findLastIndex((one) => one.key === key)
  return at < 0 ? undefined : free.splice(at, 1)[0]
}

async function anUnused(key: string, options: BrowserContextOptions): Promise<UsedBrowser> {
  const context = await (await theBrowser()).newContext(options)
  return { key, context, emptyPage: await context.newPage() }
}

async function forget({ context, emptyPage }: UsedBrowser, origin: string): Promise<void> {
  await context.clearCookies()
  await context.clearPermissions()
  await context.setOffline(false)
  const tools = await context.newCDPSession(emptyPage)
  await tools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb' })
  await tools.detach()
}

/** Returns a browser with an empty cache and no compiled scripts. */
export async function aColdBrowser(options: BrowserContextOptions): Promise<Visit> {
  const context = await (await theBrowser()).newContext(options)
  return { context, page: await context.newPage(), leave: () => context.close() }
}
