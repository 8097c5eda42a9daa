import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { Glob } from 'bun'

import { at, entriesOf } from '../parsed-values'
import { exportsIn, importsIn } from './read-imports'

/** That one file imports another. */
export interface Edge {
  readonly target: string
  readonly isType: boolean
  readonly isLazy: boolean
}

/** For each file the files that import it. */
export type Importers = ReadonlyMap<string, ReadonlySet<string>>

const extensions = ['', '.ts', '.tsx', '/index.ts']
const isOther = /(?:^|\/)(?:node_modules|dist)\//

/**
 * The sources below a folder and what they import of one another, by paths from there. A package of ours exports the names of its files by an
 * `index.ts`: who imports a name from it imports the file that declares the name, and the index for itself.
 */
export class SourceTree {
  readonly #texts = new Map<string, string>()
  /** The index of each of our packages, by how it is imported. */
  readonly #packages = new Map<string, string>()
  readonly #exports = new Map<string, Map<string, string>>()
  readonly #indexes: ReadonlySet<string>

  constructor(root: string) {
    const folders = readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !isOther.test(`${entry.name}/`) && !entry.name.startsWith('.'))
      .map(({ name }) => name)
    const paths = folders.flatMap((folder) =>
      Array.from(new Glob('**/*.{ts,tsx,json}').scanSync({ cwd: join(root, folder) }), (path) => join(folder, path)),
    )
    for (const path of paths.sort()) if (!isOther.test(path)) this.#read(root, path)
    this.#indexes = new Set(this.#packages.values())
  }

  #read(root: string, path: string): void {
    const isCode = /\.tsx?$/.test(path)
    const isPackage = /^[^/]+\/package\.json$/.test(path)
    const text = isCode || isPackage ? readFileSync(join(root, path), 'utf8') : ''
    this.#texts.set(path, isCode ? text : '')
    if (!isPackage) return
    const description: unknown = JSON.parse(text)
    for (const [name, file] of entriesOf(at(description, 'exports')))
      this.#packages.set(join(String(at(description, 'name')), name), join(dirname(path), String(file)))
  }

  has(path: string): boolean {
    return this.#texts.has(path)
  }

  get paths(): string[] {
    return [...this.#texts.keys()]
  }

  textOf(path: string): string {
    return this.#texts.get(path) ?? ''
  }

  /** Returns the file that an import names; undefined where it is not one of these. */
  resolve(from: string, specifier: string): string | undefined {
    if (!specifier.startsWith('.')) return this.#packages.get(specifier)
    const target = join(dirname(from), specifier)
    return extensions.map((extension) => target + extension).find((path) => this.#texts.has(path))
  }

  /** Returns what a file imports of these files. What an index exports of others is imported by those who name it. */
  edgesOf(path: string): Edge[] {
    const isIndex = this.#indexes.has(path)
    return importsIn(this.textOf(path)).flatMap(({ specifier, names, isType, isLazy, isExport }) => {
      const index = this.resolve(path, specifier)
      if (index === undefined || (isIndex && isExport)) return []
      return [...new Set([index, ...this.#filesBehind(index, names)])].map((target) => ({ target, isType, isLazy }))
    })
  }

  #filesBehind(index: string, names: readonly string[] | 'all'): Iterable<string> {
    if (!this.#indexes.has(index)) return []
    const files = this.#exportsOf(index)
    return names === 'all' ? files.values() : names.map((name) => files.get(name) ?? index)
  }

  /** Returns the names that a file exports, each with the file that declares it. */
  #exportsOf(path: string): Map<string, string> {
    const known = this.#exports.get(path)
    if (known) return known
    const found = new Map<string, string>()
    // Before the others are asked: indexes may export one another.
    this.#exports.set(path, found)
    const { names, everythingOf } = exportsIn(this.textOf(path))
    for (const specifier of everythingOf) {
      const target = this.resolve(path, specifier)
      if (target !== undefined) for (const [name, file] of this.#exportsOf(target)) found.set(name, file)
    }
    for (const { name, from } of names) {
      const target = from ? this.resolve(path, from.specifier) : path
      if (target !== undefined) found.set(name, (from && this.#exportsOf(target).get(from.name)) ?? target)
    }
    return found
  }

  /** Returns who imports each file, by the imports that count. */
  importers(counts: (edge: Edge) => boolean = () => true): Importers {
    const importers = new Map(this.paths.map((path) => [path, new Set<string>()]))
    for (const path of this.paths)
      for (const edge of this.edgesOf(path)) if (counts(edge)) importers.get(edge.target)?.add(path)
    return importers
  }
}
