import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

import { theBrowser } from './chromium'

/** A window with one empty page, which is never left: without any the browser would put away its processes with their scripts. */
interface UsedBrowser {
  readonly context: BrowserContext
  readonly emptyPage: Page
}

/** Nobody is in front of these, by how they were made. */
const free = new Map<string, UsedBrowser[]>()

/** A browser for one visit, to be left when that is over. */
export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  readonly leave: () => Promise<void>
}

/**
 * A browser that knows nobody. It may have been used before: then the files of the site are there and their scripts compiled,
 * which is half the work of a visit, and all else is forgotten.
 */
export async function aBrowser(options: BrowserContextOptions & { readonly baseURL: string }): Promise<Visit> {
  const key = JSON.stringify(options)
  const used = free.get(key)?.pop() ?? (await anUnused(options))
  const { context, emptyPage } = used
  const page = await context.newPage()
  return {
    page,
    context,
    async leave() {
      const left = context.pages().filter((open) => open !== emptyPage)
      await Promise.all(left.map((open) => open.close()))
      await forget(used, options.baseURL)
      free.set(key, [...(free.get(key) ?? []), used])
    },
  }
}

async function anUnused(options: BrowserContextOptions): Promise<UsedBrowser> {
  const context = await (await theBrowser()).newContext(options)
  return { context, emptyPage: await context.newPage() }
}

async function forget({ context, emptyPage }: UsedBrowser, origin: string): Promise<void> {
  await context.clearCookies()
  await context.clearPermissions()
  const tools = await context.newCDPSession(emptyPage)
  await tools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb' })
  await tools.detach()
}
