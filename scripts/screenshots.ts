import { join } from 'node:path'

import { theBrowser } from '../e2e/browser/chromium'
import { takePictures } from '../e2e/browser/pages/take-pictures'

/** Pictures of the console's pages, in a furnished gateway: `bun run screenshots [page…]`, into `screenshots/`. */
const folder = join(import.meta.dir, '../screenshots')
const faults = await takePictures(folder, process.argv.slice(2))
await (await theBrowser()).close()
for (const fault of faults) console.log(fault)
console.log(`Pictures are in ${folder}; ${faults.length} faults`)
process.exit(faults.length > 0 ? 1 : 0)
