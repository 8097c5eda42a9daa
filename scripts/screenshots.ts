import { join } from 'node:path'

import { theBrowser } from '../e2e/browser/chromium'
import { takeMailPictures } from '../e2e/browser/pages/mail-pictures'
import { takePictures } from '../e2e/browser/pages/take-pictures'

/**
 * Pictures of the console's pages, in a furnished gateway, and of all mails: `bun run screenshots [page…|mails]`, into `screenshots/`.
 */
const folder = join(import.meta.dir, '../screenshots')
const asked = process.argv.slice(2)
const pages = asked.filter((name) => name !== 'mails')
if (asked.length === 0 || pages.length < asked.length) await takeMailPictures(folder)
const faults = asked.length === 0 || pages.length > 0 ? await takePictures(folder, pages) : []
await (await theBrowser()).close()
for (const fault of faults) console.log(fault)
console.log(`Pictures are in ${folder}; ${faults.length} faults`)
process.exit(faults.length > 0 ? 1 : 0)
