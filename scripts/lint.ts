import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { $, Glob } from 'bun'

/**
 * Lints what differs from the main branch and all that imports it: rules look at types, so a change may break one elsewhere. CI, which
 * everything on that branch has passed, lints everything: 35 s of processor time, 8 for a file that no other imports.
 */

const source = new Glob(
  '{contract,models,dialects,providers,gateway,console,simulator,bench,e2e,scripts}/**/*.{ts,tsx,json}',
)
/** Their rules, types and versions apply to all files. */
const shared = ['.oxlintrc.json', 'tsconfig.json', 'bun.lock', 'package.json']
const declaration = /^declare (?:module|global)\b/m
const imported = /\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g
const extensions = ['', '.ts', '.tsx', '/index.ts']

const changed = process.env['CI'] === undefined ? await changedPaths() : undefined
const affected = changed && affectedBy(changed)

if (affected?.length !== 0) {
  const command = ['oxlint', '--type-aware', '--deny-warnings', '--no-error-on-unmatched-pattern', ...(affected ?? [])]
  process.exitCode = Bun.spawnSync(command, { stdout: 'inherit', stderr: 'inherit' }).exitCode
}

/** Returns the paths that differ from where this branch left the main one; undefined outside of a clone. */
async function changedPaths(): Promise<string[] | undefined> {
  const fork = await $`git merge-base HEAD origin/HEAD`.nothrow().quiet()
  const start = fork.exitCode === 0 ? fork.text().trim() : 'HEAD'
  const different = await $`git diff --name-only --relative ${start}`.nothrow().quiet()
  const added = await $`git ls-files --others --exclude-standard`.nothrow().quiet()
  if (different.exitCode !== 0 || added.exitCode !== 0) return undefined
  return (different.text() + added.text()).split('\n').filter((path) => path !== '')
}

/** Returns the changed files and all that import one of them, directly or not; undefined where that is every file. */
function affectedBy(paths: readonly string[]): string[] | undefined {
  if (paths.some((path) => shared.includes(path) || path.endsWith('.d.ts'))) return undefined
  const importers = readImporters()
  const reached = new Set(paths)
  for (const path of reached) {
    if (existsSync(path) && declaration.test(readFileSync(path, 'utf8'))) return undefined
    for (const importer of importers.get(path) ?? []) reached.add(importer)
  }
  return [...reached].filter((path) => /\.tsx?$/.test(path) && existsSync(path))
}

/** A package of ours is imported as a whole; others are in the lock file. Deleted files are found by the types. */
function readImporters(): Map<string, ReadonlySet<string>> {
  const texts = new Map(
    [...source.scanSync('.')]
      .filter((path) => !path.includes('node_modules') && !path.includes('/dist/'))
      .map((path) => [path, path.endsWith('.json') ? '' : readFileSync(path, 'utf8')]),
  )
  const packageFiles = Map.groupBy(
    [...texts.keys()].filter((path) => !/\.test\.|\/test\//.test(path)),
    (path) => path.slice(0, path.indexOf('/')),
  )
  const importers = new Map([...texts.keys()].map((path) => [path, new Set<string>()]))
  for (const [path, text] of texts)
    for (const [, name = ''] of text.matchAll(imported))
      for (const target of targets(path, name)) importers.get(target)?.add(path)
  return importers

  function targets(path: string, name: string): string[] {
    if (name.startsWith('@tollgate/')) return packageFiles.get(name.split('/')[1] ?? '') ?? []
    if (!name.startsWith('.')) return []
    const target = join(dirname(path), name)
    return extensions.map((extension) => target + extension).filter((found) => texts.has(found))
  }
}
