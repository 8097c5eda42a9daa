import { catalogText } from './catalog.gen'
import { readEntry, type ModelEntry, type ModelLimits } from './model-entry'
import { modelKeys } from './model-key'
import { namedLines, remembering } from './named-lines'

const linesByName = namedLines(catalogText)

/**
 * Returns what is known of a model under any of its names: with a host's path, prefix or variant, with or without the
 * date of a snapshot. Null when the catalog does not know it.
 */
export const modelOf: (name: string) => ModelEntry | null = remembering((name) => {
  for (const key of modelKeys(name)) {
    const line = linesByName().get(key)
    if (line !== undefined) return readEntry(line)
  }
  return null
})

/** Returns how many tokens a model takes and gives; null when the catalog does not know it. */
export const limitsOf = (name: string): ModelLimits | null => modelOf(name)

/** Returns the names of all models in the catalog. */
export const catalogedModels = (): readonly string[] => [...linesByName().keys()]
