import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { Glob } from 'bun'

/**
 * Lints every file that has changed since it last had no faults, or that imports a changed one, directly or not. Without a record, as on a
 * clean checkout, these are all files: 63 s of processor time; a file that no other imports takes 8, and finding that none changed 2.
 */

const record = 'node_modules/.cache/lint'
const source = new Glob(
  '{contract,models,dialects,providers,gateway,console,simulator,bench,e2e,scripts}/**/*.{ts,tsx,json}',
)
/** Their rules, types and versions apply everywhere. */
const everywhere = ['.oxlintrc.json', 'tsconfig.json', 'bun.lock', 'package.json']
const isEverywhere = (path: string, text: string) =>
  path.endsWith('.d.ts') || /^declare (?:module|global)\b/m.test(text)
const imported = /\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g
const extensions = ['', '.ts', '.tsx', '/index.ts']

const files = new Map<string, string>()
for (const path of source.scanSync('.'))
  if (!path.includes('node_modules') && !path.includes('/dist/')) files.set(path, readFileSync(path, 'utf8'))

const shared = [
  ...everywhere.map((path) => readFileSync(path, 'utf8')),
  ...[...files].flatMap(([path, text]) => (isEverywhere(path, text) ? [text] : [])),
]
const base = hashOf(shared)
const hashes = new Map([...files].map(([path, text]) => [path, hashOf([path, text])]))
const imports = new Map([...files].map(([path, text]) => [path, importsOf(path, text)]))

const stamps = new Map([...files.keys()].filter((path) => !path.endsWith('.json')).map((path) => [path, stampOf(path)]))
const clean = new Set(existsSync(record) ? readFileSync(record, 'utf8').split('\n') : [])
const changed = [...stamps].flatMap(([path, stamp]) => (clean.has(stamp) ? [] : [path]))

if (changed.length > 0) {
  const paths = changed.length === stamps.size ? [] : changed
  const command = ['oxlint', '--type-aware', '--deny-warnings', '--no-error-on-unmatched-pattern', ...paths]
  const { exitCode } = Bun.spawnSync(command, { stdout: 'inherit', stderr: 'inherit' })
  if (exitCode !== 0) process.exit(exitCode)
  await Bun.write(record, [...stamps.values()].join('\n'))
}

function hashOf(texts: readonly string[]): string {
  const hash = new Bun.CryptoHasher('sha256')
  for (const text of texts) hash.update(text).update('\0')
  return hash.digest('hex')
}

/** A package of ours counts as a whole; others are in the lock file. */
function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(imported)].flatMap(([, name = '']) => {
    if (name.startsWith('@tollgate/')) return packageFiles(name.split('/')[1] ?? '')
    if (!name.startsWith('.')) return []
    const target = join(dirname(path), name)
    return extensions.map((extension) => target + extension).filter((found) => files.has(found))
  })
}

function packageFiles(name: string): string[] {
  return [...files.keys()].filter((path) => path.startsWith(`${name}/`) && !/\.test\.|\/test\//.test(path))
}

/** Changes with the file and with all that it imports, directly or not. */
function stampOf(path: string): string {
  const reached = new Set([path])
  for (const file of reached) for (const next of imports.get(file) ?? []) reached.add(next)
  return hashOf([base, path, ...[...reached].map((file) => hashes.get(file) ?? '').sort()])
}
