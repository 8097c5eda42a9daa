import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { Glob } from 'bun'

import { lineCount, oneReaderFiles, sourceFiles } from './anatomy/one-reader'
import { SourceTree } from './imports/source-tree'
import { faultyNames } from './words/identifiers'

/**
 * Prints how large the tree is and how much of it a reader has to open: `bun scripts/figures.ts`, or with the folder of another checkout, to
 * compare two commits by the same rules.
 */
const root = process.argv[2] ?? '.'
const tree = new SourceTree(root)

printSources()
printListings()
printWalks()
await printNames()

function printSources(): void {
  const readme = (folder: string) => textOf(`${folder}/README.md`)
  const packageOf = (path: string) => path.split('/', 1)[0] ?? ''
  const oneReader = Map.groupBy(oneReaderFiles(tree, readme), ({ path }) => packageOf(path))
  const rows = [...Map.groupBy(sourceFiles(tree), packageOf)].map(([name, paths]) => {
    const lines = paths.map((path) => lineCount(tree.textOf(path)))
    return {
      package: name,
      files: paths.length,
      lines: sumOf(lines),
      'up to 40 lines': lines.filter((count) => count <= 40).length,
      'of these one reader': oneReader.get(name)?.length ?? 0,
      'not lazy, no list, no route': oneReader.get(name)?.filter(({ reason }) => reason === undefined).length ?? 0,
    }
  })
  const total = (key: Exclude<keyof (typeof rows)[number], 'package'>) => sumOf(rows.map((row) => row[key]))
  const files = total('files')
  const share = (count: number) => `${count} (${((count / files) * 100).toFixed(1)} %)`
  console.log('Source files, without tests and what is generated')
  console.table(rows)
  console.log(`${files} files, ${total('lines')} lines`)
  console.log(
    `${share(total('of these one reader'))} of at most 40 lines have one reader, ${share(total('not lazy, no list, no route'))} for no reason that the rule knows\n`,
  )
}

function printListings(): void {
  const folders = ['.', 'gateway/src', 'console/src', 'console/src/features', 'contract/src', 'dialects/src', 'e2e']
  console.log('Entries of first listings (folders + files, without tests)')
  for (const folder of folders) {
    const entries = readdirSync(join(root, folder), { withFileTypes: true }).filter(
      ({ name }) => !/^\.|\.test\.tsx?$|^(?:node_modules|dist|data|screenshots)$/.test(name),
    )
    const inner = entries.filter((entry) => entry.isDirectory()).length
    console.log(`  ${folder}: ${inner} + ${entries.length - inner}`)
  }
  console.log()
}

/** The walks of docs/walks.md: files in the order in which a reader opens them. */
function printWalks(): void {
  const [, ...walks] = textOf('docs/walks.md').split(/^## /m)
  if (walks.length > 0) console.log('Walks of docs/walks.md')
  for (const walk of walks) {
    const [title = ''] = walk.split('\n', 1)
    const named = Array.from(walk.matchAll(/`([\w./$-]+\.tsx?)`/g), ([, path = '']) => path)
    const paths = [...new Set(named)]
    const missing = paths.filter((path) => !tree.has(path))
    const lines = sumOf(paths.map((path) => lineCount(tree.textOf(path))))
    const folders = new Set(paths.map((path) => path.slice(0, path.lastIndexOf('/'))))
    console.log(`  ${title}: ${paths.length} files, ${lines} lines, ${folders.size} folders`)
    if (missing.length > 0) console.log(`    not there: ${missing.join(', ')}`)
  }
  console.log()
}

async function printNames(): Promise<void> {
  const places =
    '{contract,models,dialects,providers,http-client,gateway,console,simulator,bench,e2e,scripts}/**/*.{ts,tsx}'
  const counts = new Map<string, number>()
  for (const path of new Glob(places).scanSync(root)) {
    if (/node_modules|\/dist\/|\.gen\.ts$|\/fixtures\//.test(path)) continue
    for (const { kind } of faultyNames(path, await Bun.file(join(root, path)).text()))
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  console.log(`Names that the word list would have otherwise: ${JSON.stringify(Object.fromEntries(counts))}`)
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function textOf(path: string): string {
  const file = join(root, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
