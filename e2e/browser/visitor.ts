import type { BrowserContext, Page } from 'playwright-core'

import { watchFaults } from './faults'
import { addCookies, type Session } from './session'
import { aBrowser, aColdBrowser } from './used-browsers'

export interface VisitorOptions {
  /** Signed in before the first page. */
  readonly session?: Session
  /** As stored by an earlier visit; null: the browser's preference decides. */
  readonly language?: 'zh' | 'en' | null
  readonly theme?: 'light' | 'dark' | null
  /** The browser's preferred language. */
  readonly locale?: string
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
  /** A small touch screen. */
  readonly isPhone?: boolean
  /** With an empty cache, for measurements. */
  readonly isCold?: boolean
  /** Turns off the content security policy, so that what the page lets through runs. */
  readonly hasNoPolicy?: boolean
  /** Pages are painted as visitors see them, for pictures and what moves while loading; otherwise they are transparent. */
  readonly isDrawn?: boolean
  /** Faults that the journey expects. */
  readonly expected?: readonly RegExp[]
}

/** A browser of one visitor. Disposal fails when a page had faults. */
export interface Visitor extends AsyncDisposable {
  readonly page: Page
  readonly context: BrowserContext
  readonly faults: readonly string[]
  /** Leaves without checking for faults. */
  readonly leave: () => Promise<void>
}

export const wideSize = { width: 1440, height: 900 }
export const phoneSize = { width: 390, height: 844 }
const phone = { viewport: phoneSize, hasTouch: true, isMobile: true }

/** Opens a browser for a site. Pages are given by their path. */
export async function aVisitor(url: string, options: VisitorOptions = {}): Promise<Visitor> {
  const { locale = 'en-US', colorScheme = 'light', width = wideSize.width } = options
  const { page, context, leave } = await (options.isCold ? aColdBrowser : aBrowser)({
    baseURL: url,
    locale,
    colorScheme,
    viewport: { ...wideSize, width },
    reducedMotion: 'reduce',
    bypassCSP: options.hasNoPolicy ?? false,
    ...(options.isPhone && phone),
  })
  if (options.session) await addCookies(context, url, options.session)
  if (!options.isDrawn && !options.isCold) await page.addInitScript(makeTransparent)
  await remember(page, memoriesOf(options))
  const { faults } = watchFaults(page, options.expected)
  return {
    page,
    context,
    faults,
    leave,
    async [Symbol.asyncDispose]() {
      await leave()
      if (faults.length > 0) throw new Error(`The pages have faults:\n${faults.join('\n')}`)
    },
  }
}

/** Runs in the page, which has its layout, frames, focus and clicks as ever, but nothing to paint: a fifth of the browser's time. */
export function makeTransparent(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('html { opacity: 0 !important }')
  document.adoptedStyleSheets.push(sheet)
}

function memoriesOf({ session, language = 'en', theme = 'light' }: VisitorOptions): Record<string, string> {
  return {
    ...(language && { i18nextLng: language }),
    ...(theme && { 'theme-mode': theme }),
    ...(session && { user: session.user }),
  }
}

/** Seeds storage only once, so that a page's later changes survive. */
async function remember(page: Page, memories: Record<string, string>): Promise<void> {
  await page.addInitScript((entries) => {
    if (localStorage.getItem('is-known-visitor')) return
    localStorage.setItem('is-known-visitor', 'true')
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
  }, memories)
}
