import { catalogText } from './catalog.gen'
import { readEntry, type ModelEntry, type ModelLimits } from './model-entry'
import { modelKeys } from './model-key'

/** Names come from clients, so what is remembered is bounded. */
const mostRemembered = 5000

const remembered = new Map<string, ModelEntry | null>()

/** Each entry's line by its name; made when first asked for. */
let lines: ReadonlyMap<string, string> | null = null

/**
 * Returns what is known of a model under any of its names: with a host's path, prefix or variant, with or without the
 * date of a snapshot. Null when the catalog does not know it.
 */
export function modelOf(name: string): ModelEntry | null {
  const found = remembered.get(name)
  if (found !== undefined) return found
  if (remembered.size >= mostRemembered) remembered.clear()
  const entry = lookUp(name)
  remembered.set(name, entry)
  return entry
}

/** Returns how many tokens a model takes and gives; null when the catalog does not know it. */
export const limitsOf = (name: string): ModelLimits | null => modelOf(name)

/** Returns the names of all models in the catalog. */
export const catalogedModels = (): readonly string[] => [...linesByName().keys()]

function lookUp(name: string): ModelEntry | null {
  for (const key of modelKeys(name)) {
    const line = linesByName().get(key)
    if (line !== undefined) return readEntry(line)
  }
  return null
}

function linesByName(): ReadonlyMap<string, string> {
  lines ??= new Map(catalogText.split('\n').map((line) => [line.slice(0, line.indexOf(' ')), line]))
  return lines
}
