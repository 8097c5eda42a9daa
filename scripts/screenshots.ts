import { join } from 'node:path'

import { theBrowser } from '../e2e/browser/chromium'
import { takeMailScreenshots } from '../e2e/browser/screenshots/mail-screenshots'
import { takeScreenshots } from '../e2e/browser/screenshots/take-screenshots'

/**
 * Pictures of the console's pages, in a furnished gateway, and of all mails: `bun run screenshots [page…|mails]`, into `screenshots/`.
 */
const folder = join(import.meta.dir, '../screenshots')
const selected = process.argv.slice(2)
const pages = selected.filter((name) => name !== 'mails')
if (selected.length === 0 || pages.length < selected.length) await takeMailScreenshots(folder)
const faults = selected.length === 0 || pages.length > 0 ? await takeScreenshots(folder, pages) : []
await (await theBrowser()).close()
for (const fault of faults) console.log(fault)
console.log(`Pictures are in ${folder}; ${faults.length} faults`)
process.exit(faults.length > 0 ? 1 : 0)
