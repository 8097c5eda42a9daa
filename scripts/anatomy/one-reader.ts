import { dirname } from 'node:path'

import type { SourceTree } from '../imports/source-tree'

/** A short source file that one file reads. */
export interface OneReaderFile {
  readonly path: string
  readonly lines: number
  readonly reader: string
  /** The lines of both files. */
  readonly mergedLines: number
  /** Why it stays a file of its own; undefined where it belongs to its reader. */
  readonly reason?: string
}

const maxLines = 40
const maxMergedLines = 260
const packages = ['contract', 'models', 'dialects', 'providers', 'http-client', 'gateway', 'console', 'simulator']
const isOther = /\.test\.tsx?$|\/test\/|\/fixtures?\/|fixture|\.gen\.ts$/
/** Files that a framework finds by their place, one a step, a language or an address. */
const isPlaced = /\/migrations\/|\/locales\/|^console\/src\/routes\//

const isList = /\/(?:index|dialects|codecs)\.ts$/

/** Returns the source files of the packages; tests and what is generated are left out. */
export const sourceFiles = (tree: SourceTree): string[] =>
  tree.paths.filter((path) => isSource(path) && packages.includes(path.split('/', 1)[0] ?? ''))

const isSource = (path: string) => /^[\w-]+\/src\/.*\.tsx?$/.test(path) && !isOther.test(path)

export const lineCount = (text: string): number => text.split('\n').length

/**
 * Returns the short files that one source file reads, with the reason of those that stay. A README lists those that are looked up by themselves
 * after `Concepts of their own:`.
 */
export function oneReaderFiles(tree: SourceTree, readme: (folder: string) => string): OneReaderFile[] {
  const sources = sourceFiles(tree)
  const readers = new Map<string, Set<string>>()
  const lazy = new Set<string>()
  for (const reader of sources) {
    for (const { target, isLazy } of tree.edgesOf(reader)) {
      readers.set(target, (readers.get(target) ?? new Set()).add(reader))
      if (isLazy) lazy.add(target)
    }
  }
  return sources.flatMap((path) => {
    const [reader, ...others] = readers.get(path) ?? []
    const lines = lineCount(tree.textOf(path))
    if (lines > maxLines || reader === undefined || others.length > 0) return []
    const mergedLines = lines + lineCount(tree.textOf(reader))
    const reason = reasonToStay()
    return [{ path, lines, reader, mergedLines, ...(reason !== undefined && { reason }) }]

    function reasonToStay(): string | undefined {
      if (lazy.has(path)) return 'loaded lazily'
      if (isPlaced.test(path)) return 'found by its place'
      if (isList.test(reader ?? '')) return 'an entry of a list'
      if (reader?.startsWith('console/src/routes/')) return 'the page of an address'
      if (path.split('/', 1)[0] !== reader?.split('/', 1)[0]) return 'read by another package'
      if (mergedLines > maxMergedLines) return `${reader} would have ${mergedLines} lines`
      if (isConcept(readme, path)) return 'a concept of its README'
      return undefined
    }
  })
}

const conceptLine = /^Concepts of their own: (.*)$/m

/** Whether the README of its folder, or of one around it, lists a file among the concepts that are looked up. */
function isConcept(readme: (folder: string) => string, path: string): boolean {
  for (let folder = dirname(path); folder.includes('/'); folder = dirname(folder)) {
    const [, list = ''] = conceptLine.exec(readme(folder)) ?? []
    if (list.includes(`\`${path.slice(folder.length + 1)}\``)) return true
  }
  return false
}
