import type { Candidate, PriorityLevel } from './catalog'
import type { ModelList } from './channel-texts'
import type { ListedChannel } from './read-channel'

/**
 * The routes of one group: model as a caller names it -> priority levels. A model's priority levels are computed when first requested, and kept; iterating
 * over all models builds the rest. The channels come in descending priority.
 */
export class GroupRoutes implements ReadonlyMap<string, readonly PriorityLevel[]> {
  readonly #channels: readonly ListedChannel[]
  readonly #found = new Map<string, readonly PriorityLevel[]>()
  #names: ReadonlySet<string> | undefined
  #all: ReadonlyMap<string, readonly PriorityLevel[]> | undefined

  constructor(channels: readonly ListedChannel[]) {
    this.#channels = channels
  }

  get(model: string): readonly PriorityLevel[] | undefined {
    const known = this.#found.get(model)
    if (known) return known
    if (this.#all) return undefined
    const levels = buildLevels(model, this.#channels)
    // Only existing models are kept: a caller who invents names must not fill the memory.
    if (levels.length === 0) return undefined
    this.#found.set(model, levels)
    return levels
  }

  has(model: string): boolean {
    return this.get(model) !== undefined
  }

  get size(): number {
    return this.#allNames().size
  }

  keys() {
    return this.#allNames().keys()
  }

  values() {
    return this.#complete().values()
  }

  entries() {
    return this.#complete().entries()
  }

  [Symbol.iterator]() {
    return this.#complete().entries()
  }

  forEach(
    visit: (
      levels: readonly PriorityLevel[],
      model: string,
      map: ReadonlyMap<string, readonly PriorityLevel[]>,
    ) => void,
  ): void {
    for (const [model, levels] of this.#complete()) visit(levels, model, this)
  }

  /** Channels often share their list, and each list counts once for a prefix. */
  #allNames(): ReadonlySet<string> {
    if (this.#names) return this.#names
    const lists = new Map<string, Set<ModelList>>()
    for (const { channel, list } of this.#channels) {
      const known = lists.get(channel.modelPrefix)
      if (known) known.add(list)
      else lists.set(channel.modelPrefix, new Set([list]))
    }
    const names = new Set<string>()
    for (const [prefix, members] of lists) {
      for (const list of members) for (const model of list.names) names.add(prefix + model)
    }
    return (this.#names = names)
  }

  #complete(): ReadonlyMap<string, readonly PriorityLevel[]> {
    if (this.#all) return this.#all
    const candidates = new Map<string, Candidate[]>()
    for (const { channel, list } of this.#channels) {
      for (const model of list.names) {
        const name = channel.modelPrefix + model
        const candidate = { channel, weight: channel.weight, model }
        const others = candidates.get(name)
        if (others) others.push(candidate)
        else candidates.set(name, [candidate])
      }
    }
    for (const [model, found] of candidates) if (!this.#found.has(model)) this.#found.set(model, groupByPriority(found))
    return (this.#all = this.#found)
  }
}

function buildLevels(model: string, channels: readonly ListedChannel[]): PriorityLevel[] {
  const candidates: Candidate[] = []
  for (const { channel, list } of channels) {
    const prefix = channel.modelPrefix
    if (prefix !== '' && !model.startsWith(prefix)) continue
    const bare = prefix === '' ? model : model.slice(prefix.length)
    if (list.has(bare)) candidates.push({ channel, weight: channel.weight, model: bare })
  }
  return groupByPriority(candidates)
}

/** Groups candidates, which come in descending priority. */
function groupByPriority(candidates: readonly Candidate[]): PriorityLevel[] {
  const levels: { priority: number; candidates: Candidate[] }[] = []
  for (const candidate of candidates) {
    const last = levels.at(-1)
    if (last?.priority === candidate.channel.priority) last.candidates.push(candidate)
    else levels.push({ priority: candidate.channel.priority, candidates: [candidate] })
  }
  return levels
}
