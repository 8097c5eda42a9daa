import { dirname } from 'node:path'

import type { Importers } from './source-tree'

/** Returns the files that import one of these, directly or not, these included, each with the number of imports between them. */
export function distancesFrom(starts: Iterable<string>, importers: Importers): Map<string, number> {
  const distances = new Map([...starts].map((path) => [path, 0]))
  for (const [path, distance] of distances)
    for (const importer of importers.get(path) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1)
  return distances
}

/**
 * Returns the files that reach one of these by their imports, nearest first: those of the same folder, then those of others, each by the
 * number of imports between, then by how much of their folder is the same.
 */
export function nearestFirst(files: readonly string[], starts: readonly string[], importers: Importers): string[] {
  const distances = distancesFrom(starts, importers)
  const folders = starts.map((path) => dirname(path).split('/'))
  const ranked = files.flatMap((file) => {
    const distance = distances.get(file)
    if (distance === undefined) return []
    const own = dirname(file).split('/')
    const isOwn = folders.some((folder) => commonLength(folder, own) === folder.length)
    return [{ file, room: isOwn ? 0 : 1, distance, common: Math.max(...folders.map((it) => commonLength(it, own))) }]
  })
  // Stable: files of one rank stay in their order.
  ranked.sort((one, other) => one.room - other.room || one.distance - other.distance || other.common - one.common)
  return ranked.map(({ file }) => file)
}

function commonLength(one: readonly string[], other: readonly string[]): number {
  const differs = one.findIndex((name, index) => name !== other[index])
  return differs < 0 ? one.length : differs
}
