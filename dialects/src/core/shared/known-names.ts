import { DialectError } from '../dialect-error'
import { isObject, type JsonObject } from '../json'
import { holdsSomething } from '../neutral/left-out'

/** The members that an object of a request may have, each with those of what stands below it; null: anything stands below. */
export interface KnownNames {
  readonly members: ReadonlyMap<string, KnownNames | null>
  /** The exact name by what a reader that is lax about names makes of it. */
  readonly byFolded: ReadonlyMap<string, string>
  readonly foldName: (name: string) => string
  /** Members that no other dialect has. */
  readonly foreign: ReadonlySet<string>
  /** The usual name of each member that has another one as well. */
  readonly usual: ReadonlyMap<string, string>
}

/** Names with what stands below them; lists are passed over. */
export interface NameTree {
  readonly [name: string]: NameTree | null | 'foreign'
}

/** Members below which anything may stand. */
export const leaves = (...names: readonly string[]): NameTree => Object.fromEntries(names.map((name) => [name, null]))

/** Members that no other dialect has: what they say is lost in translation. */
export const foreignLeaves = (...names: readonly string[]): NameTree =>
  Object.fromEntries(names.map((name) => [name, 'foreign']))

/**
 * Letters as a lax reader compares them: without case. Go's encoding/json, the most common one, also takes `ſ` (U+017F)
 * for `s` and the Kelvin sign (U+212A) for `k`, as one turn through both cases does.
 */
const withoutCase = (name: string): string => name.toUpperCase().toLowerCase()

/** How a dialect matches member names. */
interface Reading {
  readonly foldName: (name: string) => string
  /** Returns the names of a member, the usual one first. */
  readonly formsOf: (name: string) => readonly string[]
}

/** The names of a dialect that knows each member under one name. */
export const knownNames = (tree: NameTree): KnownNames =>
  new Names(tree, { foldName: withoutCase, formsOf: (name) => [name] })

const withoutUnderscores = (name: string): string => withoutCase(name).replaceAll('_', '')
const inBothForms = (name: string): string[] => [
  ...new Set([name, name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]),
]

/** The names of a Google dialect, given in camel case: each is known in snake case too. */
export const googleNames = (tree: NameTree): KnownNames =>
  new Names(tree, { foldName: withoutUnderscores, formsOf: inBothForms })

/** The members of one object, built when a request first has it: those of all dialects would take a megabyte. */
class Names implements KnownNames {
  #members: Map<string, KnownNames | null> | undefined
  #byFolded: Map<string, string> | undefined
  #usual: Map<string, string> | undefined
  #foreign: Set<string> | undefined

  constructor(
    private readonly tree: NameTree,
    private readonly reading: Reading,
  ) {}

  get foldName() {
    return this.reading.foldName
  }

  get members(): ReadonlyMap<string, KnownNames | null> {
    return (this.#members ??= new Map(
      Object.entries(this.tree).flatMap(([name, below]) => {
        const names = below === null || below === 'foreign' ? null : new Names(below, this.reading)
        return this.reading.formsOf(name).map((form) => [form, names] as const)
      }),
    ))
  }

  get foreign(): ReadonlySet<string> {
    return (this.#foreign ??= new Set(
      Object.entries(this.tree).flatMap(([name, below]) => (below === 'foreign' ? this.reading.formsOf(name) : [])),
    ))
  }

  get byFolded(): ReadonlyMap<string, string> {
    return (this.#byFolded ??= new Map(Object.keys(this.tree).map((name) => [this.foldName(name), name])))
  }

  get usual(): ReadonlyMap<string, string> {
    return (this.#usual ??= new Map(
      Object.keys(this.tree).flatMap((name) =>
        this.reading.formsOf(name).flatMap((form) => (form === name ? [] : [[form, name] as const])),
      ),
    ))
  }
}

/**
 * Counts the members of all objects in a parsed request, and refuses names that some upstreams would take for one they
 * know though this gateway does not: `Max_Tokens` would pass every limit on `max_tokens`.
 * @throws DialectError `ambiguous_parameter`.
 */
export function checkNames(value: unknown, known: KnownNames | null): number {
  if (Array.isArray(value)) {
    let count = 0
    for (const item of value) if (typeof item === 'object' && item !== null) count += checkNames(item, known)
    return count
  }
  return isObject(value) ? checkObject(value, known) : 0
}

function checkObject(object: Record<string, unknown>, known: KnownNames | null): number {
  let count = 0
  for (const name in object) {
    count += 1
    const below = known === null ? null : belowName(object, name, known)
    const part = object[name]
    if (typeof part === 'object' && part !== null) count += checkNames(part, below)
  }
  return count
}

function belowName(object: Record<string, unknown>, name: string, known: KnownNames): KnownNames | null {
  const below = known.members.get(name)
  if (below === undefined) {
    const meant = known.byFolded.get(known.foldName(name))
    if (meant !== undefined) throw ambiguous(name, `did you mean '${meant}'?`)
    return null
  }
  const usual = known.usual.size === 0 ? undefined : known.usual.get(name)
  if (usual !== undefined && usual in object) throw ambiguous(name, `'${usual}' is given as well.`)
  return below
}

const maxNameLength = 64

function ambiguous(name: string, hint: string): DialectError {
  const shown = name.slice(0, maxNameLength)
  return new DialectError(shown, 'ambiguous_parameter', `Ambiguous parameter: '${shown}'; ${hint}`)
}

/** A client may invent any number of them. */
const maxUnknown = 32

/** Returns the members of a request, below its own, that have a value and that no other dialect has, each with what it belongs to. */
export function foreignMembers(body: JsonObject, known: KnownNames): ReadonlySet<string> {
  const unknown = new Set<string>()
  for (const name in body) {
    const below = known.members.get(name)
    if (below) addUnknown(body[name], below, name, unknown)
  }
  return unknown
}

function addUnknown(value: unknown, known: KnownNames, place: string, unknown: Set<string>): void {
  if (typeof value !== 'object' || value === null || unknown.size >= maxUnknown) return
  if (Array.isArray(value)) {
    for (const item of value) addUnknown(item, known, place, unknown)
    return
  }
  if (!isObject(value)) return
  for (const name in value) {
    const below = known.members.get(name)
    if (below) addUnknown(value[name], below, `${place}.${name}`, unknown)
    else if ((below === undefined || known.foreign.has(name)) && holdsSomething(value[name]))
      unknown.add(`${place}.${name.slice(0, maxNameLength)}`)
  }
}
