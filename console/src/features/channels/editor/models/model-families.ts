/** A group of models with related names. */
export interface Family {
  /** Empty for models without a family. */
  readonly name: string
  readonly models: readonly string[]
}

/**
 * Groups models by the beginning of their names: the maker before a slash, or else the first word. Names without relatives form the last,
 * nameless family. Independent of any vendor.
 */
export function familiesOf(models: readonly string[]): Family[] {
  const families = Map.groupBy(models, beginningOf)
  const alone = [...families.values()].filter((list) => list.length === 1).flat()
  const named = [...families]
    .filter(([name, list]) => list.length > 1 && name !== '')
    .map(([name, list]) => ({ name, models: list.toSorted(compare) }))
    .toSorted((a, b) => compare(a.name, b.name))
  const nameless = [...alone, ...((families.get('')?.length ?? 0) > 1 ? (families.get('') ?? []) : [])]
  return nameless.length === 0 ? named : [...named, { name: '', models: nameless.toSorted(compare) }]
}

function beginningOf(model: string): string {
  const slash = model.indexOf('/')
  const beginning = slash > 0 ? model.slice(0, slash) : (/^\d*\p{L}+/u.exec(model)?.[0] ?? '')
  return beginning.toLowerCase()
}

const compare = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true })

/** How a vendor's list differs from a channel's. */
export interface ModelDifference {
  /** Offered, but not in the channel. */
  readonly added: readonly string[]
  readonly remaining: readonly string[]
  /** In the channel, but no longer offered. */
  readonly missing: readonly string[]
}

export function differenceOf(current: readonly string[], offered: readonly string[]): ModelDifference {
  const mine = new Set(current)
  const theirs = new Set(offered)
  return {
    added: [...theirs].filter((model) => !mine.has(model)),
    remaining: current.filter((model) => theirs.has(model)),
    missing: current.filter((model) => !theirs.has(model)),
  }
}

/** Returns the channel's list after a selection: kept models keep their order, new ones follow. */
export const chosenModels = (
  current: readonly string[],
  offered: readonly string[],
  chosen: ReadonlySet<string>,
): string[] => [...new Set([...current, ...offered])].filter((model) => chosen.has(model))
