/** Models that belong together by their names. */
export interface Family {
  /** Empty: those that stand alone. */
  readonly name: string
  readonly models: readonly string[]
}

/**
 * Group models by what their names begin with: the maker before a slash, else the first word. A name that no other
 * shares goes to the last, nameless family. Nothing is known of any vendor here.
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
  /** Offered, and not in the channel. */
  readonly added: readonly string[]
  readonly kept: readonly string[]
  /** In the channel, and not offered any more. */
  readonly missing: readonly string[]
}

export function differenceOf(current: readonly string[], offered: readonly string[]): ModelDifference {
  const mine = new Set(current)
  const theirs = new Set(offered)
  return {
    added: [...theirs].filter((model) => !mine.has(model)),
    kept: current.filter((model) => theirs.has(model)),
    missing: current.filter((model) => !theirs.has(model)),
  }
}

/** The channel's list after a choice: what stays keeps its place, what is new follows. */
export const chosenModels = (
  current: readonly string[],
  offered: readonly string[],
  chosen: ReadonlySet<string>,
): string[] => [...new Set([...current, ...offered])].filter((model) => chosen.has(model))
