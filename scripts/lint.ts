import { existsSync, readFileSync } from 'node:fs'

import { changedPaths } from './imports/changed-paths'
import { distancesFrom } from './imports/nearest'
import { SourceTree } from './imports/source-tree'

/**
 * Lints what differs from the main branch and all that imports it: rules look at types, so a change may break one elsewhere. CI, which
 * everything on that branch has passed, lints everything: 35 s of processor time, 8 for a file that no other imports.
 */

/** Their rules, types and versions apply to all files. */
const shared = ['.oxlintrc.json', 'tsconfig.json', 'bun.lock', 'package.json']
const declaration = /^declare (?:module|global)\b/m

const changed = process.env['CI'] === undefined ? await changedPaths('.') : undefined
const affected = changed && affectedBy(changed)

if (affected?.length !== 0) {
  const command = ['oxlint', '--type-aware', '--deny-warnings', '--no-error-on-unmatched-pattern', ...(affected ?? [])]
  process.exitCode = Bun.spawnSync(command, { stdout: 'inherit', stderr: 'inherit' }).exitCode
}

/** Returns the changed files and all that import one of them, directly or not; undefined where that is every file. */
function affectedBy(paths: readonly string[]): string[] | undefined {
  if (paths.some((path) => shared.includes(path) || path.endsWith('.d.ts'))) return undefined
  // Deleted files are found by the types.
  const reached = [...distancesFrom(paths, new SourceTree('.').importers()).keys()].filter(
    (path) => /\.tsx?$/.test(path) && existsSync(path),
  )
  return reached.some((path) => declaration.test(readFileSync(path, 'utf8'))) ? undefined : reached
}
