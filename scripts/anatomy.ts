import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'

import { Glob } from 'bun'

import budget from './anatomy/budget.json'
import { listPageFaults } from './anatomy/list-pages'
import { oneReaderFiles } from './anatomy/one-reader'
import { SourceTree } from './imports/source-tree'

/*
 * A dialect is a file of its name, or a folder whose `dialect.ts` is what the gateway needs of it, its codec included. Those in which clients
 * chat have the same parts under the same names, so that knowing one is knowing them all:
 *
 *   dialect.ts                            what the gateway needs of it
 *   request, prompt, errors, observe      what dialect.ts is made of; its own, or those of core/shared/
 *   codec.ts, read/, write/               to and from the neutral form
 */
const root = 'dialects/src'
/** The folders of dialects, by what these carry. */
const kinds = ['chat', 'images', 'vectors', 'audio', 'realtime'] as const
/** What lies beside dialects without being one. */
const common: ReadonlySet<string> = new Set(['chat/vendor-objects'])
const folders: ReadonlySet<string> = new Set(['read', 'write', 'test'])
const parts = ['request', 'prompt', 'errors', 'observe']

/** What several dialects have a file for, and concepts worth looking up: they have a file however short it is. */
const named: ReadonlySet<string> = new Set([
  ...parts,
  'dialect',
  'response',
  'codec',
  'usage',
  'known-names',
  'models',
  'embedding-translation',
])
const faults: string[] = []
const sources = new Map<string, string>()
for (const path of new Glob('{dialects,providers}/src/**/*.ts').scanSync('.'))
  if (!/\.test\.ts$|\/test\/|fixture/.test(path)) sources.set(path, await Bun.file(path).text())

for (const kind of kinds) {
  for (const { name } of readdirSync(`${root}/${kind}`, { withFileTypes: true }).filter((entry) => entry.isDirectory()))
    if (!common.has(`${kind}/${name}`)) checkDialect(`${kind}/${name}`)
}
checkShortFiles()
faults.push(...listPageFaults(new SourceTree('.')))

if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exit(1)
}

function checkDialect(name: string): void {
  const folder = `${root}/${name}`
  const dialect = sources.get(`${folder}/dialect.ts`)
  if (dialect === undefined) return void faults.push(`${folder} has no dialect.ts`)
  const inside = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  for (const { name: other } of inside)
    if (!folders.has(other)) faults.push(`${folder}/${other}: a dialect has the folders ${[...folders].join(', ')}`)
  const [reads, writes] = ['read', 'write'].map((side) => inside.some((entry) => entry.name === side))
  const needed = [
    ...(reads || writes ? ['read/response', 'write/call'] : []),
    ...(sources.has(`${folder}/read/call.ts`) ? ['codec', 'write/response'] : []),
  ]
  for (const part of needed) if (!sources.has(`${folder}/${part}.ts`)) faults.push(`${folder} has no ${part}.ts`)
  if (!sources.has(`${folder}/read/call.ts`)) return
  for (const part of parts)
    if (!dialect.includes(`'./${part}'`) && !dialect.includes(`'../../core/shared/${part}'`))
      faults.push(`${folder}/dialect.ts takes no ${part} from ./${part} or core/shared/${part}`)
}

/**
 * A short file that one file reads lives with that reader. Those of before are counted by package in `anatomy/budget.json`, which only falls:
 * `--exact`, as `check` calls it, fails where less is left, and `--lower` writes down what is left.
 */
function checkShortFiles(): void {
  const readme = (folder: string) => {
    const path = `${folder}/README.md`
    return existsSync(path) ? readFileSync(path, 'utf8') : ''
  }
  const found = oneReaderFiles(new SourceTree('.'), readme).filter(
    ({ path, reason }) => reason === undefined && !(path.startsWith(`${root}/`) && named.has(basename(path, '.ts'))),
  )
  const left = Map.groupBy(found, ({ path }) => path.split('/', 1)[0] ?? '')
  const lowered: Record<string, number> = {}
  for (const name of new Set([...left.keys(), ...Object.keys(budget)])) {
    const files = left.get(name) ?? []
    const allowed = new Map<string, number>(Object.entries(budget)).get(name) ?? 0
    if (Math.min(files.length, allowed) > 0) lowered[name] = Math.min(files.length, allowed)
    if (files.length > allowed) {
      for (const { path, reader } of files)
        faults.push(`${path} is short and read by ${reader} alone: it belongs there`)
      faults.push(`${name}: ${files.length} such files, and ${allowed} are left of before`)
    }
    if (files.length < allowed && process.argv.includes('--exact'))
      faults.push(`${name}: ${files.length} short files with one reader are left, the budget has ${allowed}: lower it`)
  }
  if (process.argv.includes('--list'))
    for (const { path, reader, mergedLines } of found) console.log(`${path} -> ${reader} (${mergedLines})`)
  if (process.argv.includes('--lower'))
    writeFileSync(`${import.meta.dir}/anatomy/budget.json`, `${JSON.stringify(lowered, null, 2)}\n`)
}
