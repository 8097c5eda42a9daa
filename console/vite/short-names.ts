import { createHash } from 'node:crypto'
import { relative } from 'node:path'

const letters = 'abcdefghijklmnopqrstuvwxyz'
const prefixLength = 3

/**
 * Returns a namer for the classes of CSS modules: letters for the file, a number for the class. Every first load contains the names of all
 * classes; without the source name and a line number they take 2 KB less.
 */
export function shortNames(root: string): (name: string, file: string) => string {
  const prefixes = new Map<string, string>()
  const names = new Map<string, Map<string, string>>()
  const fileOf = new Map<string, string>()

  function prefixOf(file: string): string {
    const known = prefixes.get(file)
    if (known) return known
    for (let round = 0; ; round += 1) {
      const digest = createHash('sha256')
        .update(`${relative(root, file)}${round}`)
        .digest()
      const prefix = [...digest.subarray(0, prefixLength)].map((byte) => letters.charAt(byte % letters.length)).join('')
      if (fileOf.has(prefix)) continue
      fileOf.set(prefix, file)
      prefixes.set(file, prefix)
      return prefix
    }
  }

  return (name, fileWithQuery) => {
    const file = fileWithQuery.replace(/\?.*$/, '')
    const ofFile = names.get(file) ?? new Map<string, string>()
    names.set(file, ofFile)
    const short = ofFile.get(name) ?? `${prefixOf(file)}${ofFile.size}`
    ofFile.set(name, short)
    return short
  }
}
