import { readFileSync } from 'node:fs'

import { conditionalExpects } from './asserts/conditional-expects'
import { allTestFiles } from './test/kinds'

/**
 * Finds tests that assert only under a condition: where it does not hold, such a test passes without having looked. What is to hold either
 * way has an `else` that asserts too; what depends on a case belongs to the case.
 */
const faults = allTestFiles('.').flatMap((file) =>
  conditionalExpects(file, readFileSync(file, 'utf8')).map(({ line, text }) => `${file}:${line}: ${text}`),
)
for (const fault of faults) console.error(`${fault}\n  asserts in one branch only`)
process.exitCode = faults.length > 0 ? 1 : 0
