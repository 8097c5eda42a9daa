import { chromium, type Browser } from 'playwright-core'

import { leftOpen } from '../../gateway/test/left-open'

const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/** Chromium must make no network requests of its own, and must run in containers. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The optimizing compilers take a quarter of the browser's time, for pages that are over before their code is worth it. */
const unoptimized = '--js-flags=--no-opt --no-maglev'

/** Path of the browser of this machine, or `CHROMIUM_PATH`; null where there is none. */
export const chromiumPath: string | null =
  process.env['CHROMIUM_PATH'] || (names.map((name) => Bun.which(name)).find(Boolean) ?? null)

let browser: Promise<Browser> | undefined

interface BrowserOptions {
  /** Runs scripts as the browsers of visitors do, for measurements. The first call of a run decides. */
  readonly isOptimized?: boolean
}

/** Returns the one browser of the run, which has its own profile in a temporary folder. Tests close it through `end.ts`. */
export function theBrowser({ isOptimized = false }: BrowserOptions = {}): Promise<Browser> {
  if (!chromiumPath) throw new Error('No Chromium is installed: scripts/install-services.sh installs one.')
  if (!browser) {
    const launched = chromium.launch({
      executablePath: chromiumPath,
      args: isOptimized ? args : [...args, unoptimized],
      headless: true,
    })
    browser = launched
    leftOpen.push(async () => (await launched).close())
  }
  return browser
}
