import { readFileSync } from 'node:fs'

import { conditionalExpects } from './asserts/conditional-expects'
import { momentaryReads } from './asserts/momentary-reads'
import { allTestFiles } from './test/kinds'

/**
 * Finds tests that assert only under a condition: where it does not hold, such a test passes without having looked. What is to hold either
 * way has an `else` that asserts too; what depends on a case belongs to the case. Finds tests of the browser too that look at a page once.
 */
const faults = allTestFiles('.').flatMap((file) => {
  const text = readFileSync(file, 'utf8')
  const inBrowser = file.startsWith('e2e/browser/') ? momentaryReads(text) : []
  return [
    ...conditionalExpects(file, text).map((found) => ({ ...found, fault: 'asserts in one branch only' })),
    ...inBrowser.map((found) => ({ ...found, fault: 'looks at the page once: `becomes` waits' })),
  ].map(({ line, text: code, fault }) => `${file}:${line}: ${code}\n  ${fault}`)
})
for (const fault of faults) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0
