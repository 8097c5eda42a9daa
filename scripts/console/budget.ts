import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { ConsoleFileList, listName, type ConsoleFile } from '../../gateway/src/http/console-files/console-build'

/** The most that the first load of a page may weigh, in bytes of gzip. */
export const budget = { script: 220 * 1000, style: 45 * 1000 } as const

/** Bytes in gzip. */
export interface Weight {
  readonly script: number
  readonly style: number
  /** The heaviest first. */
  readonly parts: readonly { readonly name: string; readonly bytes: number }[]
}

/** The files of the build in this folder. */
export const builtFiles = (folder: string): ConsoleFile[] =>
  ConsoleFileList.parse(JSON.parse(readFileSync(join(folder, listName), 'utf8')))

/** Returns the weight of these files of a build. @throws Error for a name that the build does not have. */
export function weigh(files: readonly ConsoleFile[], names: Iterable<string>): Weight {
  const parts = [...new Set(names)].map((name) => ({ name, bytes: gzipBytes(files, name) }))
  const sum = (end: string) =>
    parts.filter(({ name }) => name.endsWith(end)).reduce((total, { bytes }) => total + bytes, 0)
  return { script: sum('.js'), style: sum('.css'), parts: parts.sort((one, other) => other.bytes - one.bytes) }
}

function gzipBytes(files: readonly ConsoleFile[], name: string): number {
  const file = files.find((file) => file.name === name)
  if (!file) throw new Error(`The build has no ${name}`)
  return file.encoded.gzip ?? file.bytes
}

const listed = 12
const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1)

/** One line for people: what a page weighs. */
export const weightLine = (page: string, { script, style }: Weight): string =>
  `First load of ${page}: ${kilobytes(script)} KB of script, ${kilobytes(style)} KB of style (gzip)`

/** Why a page is too heavy, with its heaviest parts; null when it is not. */
export function tooHeavy(page: string, weight: Weight): string | null {
  if (weight.script <= budget.script && weight.style <= budget.style) return null
  const heaviest = weight.parts.slice(0, listed).map(({ name, bytes }) => `  ${kilobytes(bytes).padStart(7)}  ${name}`)
  const allowed = `allowed are ${kilobytes(budget.script)} and ${kilobytes(budget.style)}; the heaviest parts:`
  return [`${weightLine(page, weight)}; ${allowed}`, ...heaviest].join('\n')
}
