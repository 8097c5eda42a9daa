import { chromium, type Browser } from 'playwright-core'

import { leftOpen } from '../../gateway/test/left-open'

const names = ['chromium', 'chromium-browser', 'google-chrome']

/** Nothing of it may reach the network by itself, and it runs in containers. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The browser of this machine, or the one `CHROMIUM_PATH` names; null where there is none. */
export const chromiumPath: string | null =
  process.env['CHROMIUM_PATH'] || (names.map((name) => Bun.which(name)).find(Boolean) ?? null)

let browser: Promise<Browser> | undefined

/** One browser for the whole run, with a profile of its own in a temporary folder. Tests end it through `end.ts`, others close it. */
export function theBrowser(): Promise<Browser> {
  if (!chromiumPath) throw new Error('No Chromium is installed: scripts/install-services.sh installs one.')
  if (!browser) {
    const launched = chromium.launch({ executablePath: chromiumPath, args, headless: true })
    browser = launched
    leftOpen.push(async () => (await launched).close())
  }
  return browser
}
