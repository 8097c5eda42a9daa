/** A file of a build that was split as finely as possible. Each contains the modules that the same entries need. */
export interface Part {
  readonly name: string
  /** Compressed size. */
  readonly bytes: number
  /** Parts that it loads statically. */
  readonly imports: readonly string[]
  /** Parts that it loads on demand. */
  readonly lazyImports: readonly string[]
}

interface PlanOptions {
  /** What every page loads first; it stays as it is. */
  readonly base: string
  /** Whether a part is loaded by an address, rather than by a click. */
  readonly isPage: (part: Part) => boolean
  /** Whether a part is a landing page: unused code in it counts fifteen times. */
  readonly isLanding?: (part: Part) => boolean
  /** Whether a part must not be merged: it is rarely needed, or has many imports. */
  readonly isApart?: (part: Part) => boolean
  /** How many bytes a request is worth to a page with as many requests as a browser has connections. */
  readonly requestBytes: number
  /** Weight of code loaded by a click, relative to that of a page. */
  readonly clickWeight: number
}

/** Something that is loaded as a whole, with all its imports. */
interface Entry {
  readonly part: Part
  readonly weight: number
  readonly reachable: ReadonlySet<string>
}

/** Whether an entry loads a group. `present`: a click finds it already loaded by its page. */
type Use = 'none' | 'loads' | 'present'

/** Parts that become one file. */
interface Group {
  readonly parts: readonly Part[]
  readonly bytes: number
  /** By entry. */
  readonly uses: readonly Use[]
  /** The entries that load it: few of all. */
  readonly loadedBy: readonly number[]
}

const groupOf = (parts: readonly Part[], uses: readonly Use[]): Group => ({
  parts,
  bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
  uses,
  loadedBy: uses.flatMap((use, entry) => (use === 'loads' ? [entry] : [])),
})

/** Groups with their transitive imports. */
type Imports = ReadonlyMap<Group, ReadonlySet<Group>>

/**
 * Merges shared parts into fewer files: two become one wherever the saved requests outweigh the unused code, the most valuable first. What
 * a single entry needs is a file already. Files never import one another in a cycle, so that modules run in dependency order.
 */
export function planChunks(parts: readonly Part[], options: PlanOptions): string[][] {
  const graph = new Map(parts.map((part) => [part.name, part]))
  const entries = entriesOf(graph, options)
  const entryNames = new Set(entries.map(({ part }) => part.name))
  const isShared = ({ parts }: Group) => parts.every((part) => !entryNames.has(part.name) && !options.isApart?.(part))
  let groups = firstGroups(graph, entries, options)
  for (;;) {
    const shared = groups.filter(isShared)
    const imports = importsOf(groups)
    const best = bestMerger(shared, imports, loadsOf(groups, entries, options))
    if (!best) return shared.map((group) => group.parts.map(({ name }) => name))
    groups = merge(groups, imports, best)
  }
}

const landingWeight = 15

function entriesOf(graph: ReadonlyMap<string, Part>, options: PlanOptions): Entry[] {
  const { base, isPage, isLanding, clickWeight } = options
  const weightOf = (part: Part) => (isLanding?.(part) ? landingWeight : isPage(part) ? 1 : clickWeight)
  const loaded = reachableFrom(graph, base)
  const names = new Set([...graph.values()].flatMap(({ lazyImports }) => lazyImports))
  return [...names].flatMap((name) => {
    const part = graph.get(name)
    if (!part || loaded.has(name)) return []
    return { part, weight: weightOf(part), reachable: reachableFrom(graph, name) }
  })
}

/** Returns a part and its transitive imports. */
function reachableFrom(graph: ReadonlyMap<string, Part>, name: string, reachable = new Set<string>()): Set<string> {
  if (reachable.has(name)) return reachable
  reachable.add(name)
  for (const imported of graph.get(name)?.imports ?? []) reachableFrom(graph, imported, reachable)
  return reachable
}

function firstGroups(graph: ReadonlyMap<string, Part>, entries: readonly Entry[], options: PlanOptions): Group[] {
  const base = reachableFrom(graph, options.base)
  const present = presentParts(graph, entries, base)
  const useOf = (part: Part, { part: entry, reachable }: Entry): Use => {
    if (present.get(entry.name)?.has(part.name)) return 'present'
    return reachable.has(part.name) ? 'loads' : 'none'
  }
  return [...graph.values()].flatMap((part) =>
    base.has(part.name)
      ? []
      : groupOf(
          [part],
          entries.map((entry) => useOf(part, entry)),
        ),
  )
}

/** Returns what is loaded before each entry, whichever part loads it: a click happens on a page. */
function presentParts(graph: ReadonlyMap<string, Part>, entries: readonly Entry[], base: ReadonlySet<string>) {
  const isLazilyImported = (names: Iterable<string>, name: string) =>
    [...names].some((asker) => graph.get(asker)?.lazyImports.includes(name))
  const present = new Map<string, ReadonlySet<string>>()
  for (const { part } of entries) if (isLazilyImported(base, part.name)) present.set(part.name, new Set())
  for (let isChanged = true; isChanged;) {
    isChanged = false
    for (const { part } of entries) {
      if (present.has(part.name)) continue
      const loaded = entries.flatMap(({ part: asker, reachable }) => {
        const before = present.get(asker.name)
        return before && isLazilyImported(reachable, part.name) ? [new Set([...before, ...reachable])] : []
      })
      const [first] = loaded
      if (!first) continue
      present.set(part.name, new Set([...first].filter((name) => loaded.every((set) => set.has(name)))))
      isChanged = true
    }
  }
  return present
}

function importsOf(groups: readonly Group[]): Imports {
  const groupWith = new Map(groups.flatMap((group) => group.parts.map(({ name }) => [name, group] as const)))
  const direct = (group: Group) =>
    new Set(group.parts.flatMap(({ imports }) => imports.flatMap((name) => groupWith.get(name) ?? [])))
  const all = new Map<Group, Set<Group>>()
  const collect = (group: Group): Set<Group> => {
    const known = all.get(group)
    if (known) return known
    const imports = new Set<Group>()
    all.set(group, imports)
    for (const imported of direct(group)) {
      if (imported === group) continue
      imports.add(imported)
      for (const further of collect(imported)) imports.add(further)
    }
    return imports
  }
  for (const group of groups) collect(group)
  return all
}

function bestMerger(
  groups: readonly Group[],
  imports: Imports,
  loads: readonly Load[],
): readonly [Group, Group] | null {
  let best: readonly [Group, Group] | null = null
  let bestGain = 0
  const added = addedBytes(imports, loads)
  for (const [at, one] of groups.entries()) {
    for (const other of groups.slice(at + 1)) {
      // Most pairs save too little whatever they add, which takes longer to work out.
      if (maxGain(one, other, loads) <= bestGain) continue
      const gain = gainOf(one, other, loads, added)
      if (gain <= bestGain || isCircular(one, other, imports)) continue
      best = [one, other]
      bestGain = gain
    }
  }
  return best
}

/** The cost of one more request for an entry, and the weight of its bytes. */
interface Load {
  readonly weight: number
  readonly requestBytes: number
}

/** Connections of a browser to one server over HTTP/1.1. Further requests wait. */
const connections = 6

function loadsOf(groups: readonly Group[], entries: readonly Entry[], { requestBytes }: PlanOptions): Load[] {
  const requests = entries.map(() => 0)
  for (const { uses } of groups)
    for (const [at, use] of uses.entries()) {
      // A piece of a page queues behind the files of the page; a click comes later.
      const isQueued = use === 'loads' || (use === 'present' && (entries[at]?.weight ?? 0) >= 1)
      if (isQueued) requests[at] = (requests[at] ?? 0) + 1
    }
  return entries.map(({ weight }, at) => ({
    weight,
    requestBytes: (requestBytes * (requests[at] ?? 0)) / connections / Math.max(1, weight),
  }))
}

type AddedBytes = (group: Group, entry: number) => number

/** Returns what a group costs an entry that does without it, with its imports; worked out once for all pairs. */
function addedBytes(imports: Imports, loads: readonly Load[]): AddedBytes {
  const known = new Map<Group, number[]>()
  return (group, entry) => {
    const byEntry = known.get(group) ?? []
    known.set(group, byEntry)
    return (byEntry[entry] ??= bytesWithImports(group, entry, imports, loads[entry]?.requestBytes ?? 0))
  }
}

function bytesWithImports(group: Group, entry: number, imports: Imports, requestBytes: number): number {
  let bytes = group.bytes
  for (const imported of imports.get(group) ?? [])
    if (imported.uses[entry] === 'none') bytes += imported.bytes + requestBytes
  return bytes
}

/** Returns the most that two groups in one file save all entries, weighted: as if nothing of it was unused. */
function maxGain(one: Group, other: Group, loads: readonly Load[]): number {
  let gain = 0
  for (const entry of one.loadedBy) {
    const otherUse = other.uses[entry]
    if (otherUse === 'none') continue
    const { weight, requestBytes } = loads[entry] ?? emptyLoad
    gain += weight * (otherUse === 'loads' ? requestBytes : one.bytes + requestBytes)
  }
  for (const entry of other.loadedBy) {
    if (one.uses[entry] !== 'present') continue
    const { weight, requestBytes } = loads[entry] ?? emptyLoad
    gain += weight * (other.bytes + requestBytes)
  }
  return gain
}

/** Returns the weighted saving of all entries when two groups are one file. */
function gainOf(one: Group, other: Group, loads: readonly Load[], added: AddedBytes): number {
  let gain = 0
  for (const entry of one.loadedBy) {
    const { weight, requestBytes } = loads[entry] ?? emptyLoad
    const otherUse = other.uses[entry]
    if (otherUse === 'loads') gain += weight * requestBytes
    else if (otherUse === 'none') gain -= weight * added(other, entry)
    else gain += weight * (one.bytes + requestBytes)
  }
  for (const entry of other.loadedBy) {
    const { weight, requestBytes } = loads[entry] ?? emptyLoad
    const use = one.uses[entry]
    if (use === 'none') gain -= weight * added(one, entry)
    else if (use === 'present') gain += weight * (other.bytes + requestBytes)
  }
  return gain
}

const emptyLoad: Load = { weight: 0, requestBytes: 0 }

/** Whether one of the two imports the other through a third. */
function isCircular(one: Group, other: Group, imports: Imports): boolean {
  const leads = (from: Group, to: Group) =>
    [...(imports.get(from) ?? [])].some((group) => group !== to && imports.get(group)?.has(to))
  return leads(one, other) || leads(other, one)
}

function merge(groups: readonly Group[], imports: Imports, [one, other]: readonly [Group, Group]): Group[] {
  const merged = groupOf(
    [...one.parts, ...other.parts],
    one.uses.map((use, at) => unite(use, other.uses[at])),
  )
  const imported = new Set([...(imports.get(one) ?? []), ...(imports.get(other) ?? [])])
  const others = groups.filter((group) => group !== one && group !== other)
  // Loading the file also loads its imports.
  const loaded = others.map((group) =>
    imported.has(group)
      ? groupOf(
          group.parts,
          group.uses.map((use, at) => (use === 'none' ? (merged.uses[at] ?? use) : use)),
        )
      : group,
  )
  return [...loaded, merged]
}

/** A group loaded by a page is present with all of its parts. */
function unite(one: Use, other: Use = 'none'): Use {
  if (one === 'present' || other === 'present') return 'present'
  return one === 'loads' || other === 'loads' ? 'loads' : 'none'
}
