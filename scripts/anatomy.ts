import { readdirSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'

import { Glob } from 'bun'

/*
 * Every dialect has the same parts under the same names, so that knowing one is knowing them all:
 *
 *   dialect.ts                                     what the gateway needs of it
 *   request, prompt, response, errors, observe     what dialect.ts is made of; its own, or those of core/shared/
 *   codec.ts, read/, write/                        to and from the neutral form, where it can be translated
 */
const root = 'dialects/src'
/** The folders of dialects, by what these carry. */
const kinds = ['chat', 'images', 'vectors', 'audio', 'realtime'] as const
/** What lies beside dialects without being one. */
const common: ReadonlySet<string> = new Set(['chat/vendor-objects'])
const folders: ReadonlySet<string> = new Set(['read', 'write', 'test'])
const parts = ['request', 'prompt', 'response', 'errors', 'observe', 'edit']

/** What several dialects have a file for, and concepts worth looking up: they have a file however short it is. */
const named: ReadonlySet<string> = new Set([
  ...parts,
  'dialect',
  'codec',
  'usage',
  'known-names',
  'models',
  'call',
  'tools',
  'thinking',
  'citations',
  'codecs',
  'embedding-translation',
  'json-array-form',
  'json-path',
])
/** A file of fewer lines that has one reader lives with that reader. */
const shortest = 40

const faults: string[] = []
const sources = new Map<string, string>()
for (const path of new Glob('{dialects,providers}/src/**/*.ts').scanSync('.'))
  if (!/\.test\.ts$|\/test\/|fixture/.test(path)) sources.set(path, await Bun.file(path).text())

for (const kind of kinds) {
  for (const { name } of readdirSync(`${root}/${kind}`, { withFileTypes: true }).filter((entry) => entry.isDirectory()))
    if (!common.has(`${kind}/${name}`)) checkDialect(`${kind}/${name}`)
}
checkShortFiles()

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
    ...(reads || writes ? ['codec', 'read/response', 'write/call'] : []),
    ...(sources.has(`${folder}/read/call.ts`) ? ['write/response'] : []),
  ]
  for (const part of needed) if (!sources.has(`${folder}/${part}.ts`)) faults.push(`${folder} has no ${part}.ts`)
  if (!sources.has(`${folder}/read/call.ts`)) return
  for (const part of parts)
    if (!dialect.includes(`'./${part}'`) && !dialect.includes(`'../../core/shared/${part}'`))
      faults.push(`${folder}/dialect.ts takes no ${part} from ./${part} or core/shared/${part}`)
}

function checkShortFiles(): void {
  const readers = new Map<string, Set<string>>()
  for (const [path, text] of sources) {
    for (const [, specifier = ''] of text.matchAll(/from '(\.[^']+)'/g)) {
      const target = `${normalize(join(dirname(path), specifier))}.ts`
      readers.set(target, (readers.get(target) ?? new Set()).add(path))
    }
  }
  for (const [path, text] of sources) {
    const [reader, ...others] = readers.get(path) ?? []
    const isShort = text.split('\n').length <= shortest
    if (!isShort || reader === undefined || others.length > 0 || named.has(basename(path, '.ts'))) continue
    if (/\/(?:index|dialects)\.ts$/.test(reader)) continue
    faults.push(`${path} is short and read by ${reader} alone: it belongs there`)
  }
}
