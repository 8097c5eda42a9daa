import { DialectError } from './dialect-error'
import { isObject } from './json'

/** The members that an object of a request may have, each with those of what stands below it; null: anything stands below. */
export interface KnownNames {
  readonly members: ReadonlyMap<string, KnownNames | null>
  /** The exact name by what a reader that is lax about names makes of it. */
  readonly byFolded: ReadonlyMap<string, string>
  readonly fold: (name: string) => string
  /** The usual name of each member that has another one beside it. */
  readonly usual: ReadonlyMap<string, string>
}

/** Names with what stands below them; lists are passed over. */
export interface NameTree {
  readonly [name: string]: NameTree | KnownNames | null
}

/** Members below which anything may stand. */
export const leaves = (...names: readonly string[]): NameTree => Object.fromEntries(names.map((name) => [name, null]))

/**
 * Letters as a lax reader compares them: without case. Go's encoding/json, the most common one, also takes `ſ` (U+017F)
 * for `s` and the Kelvin sign (U+212A) for `k`, as one turn through both cases does.
 */
const withoutCase = (name: string): string => name.toUpperCase().toLowerCase()

/** The names of a dialect that knows each member under one name. */
export const knownNames = (tree: NameTree): KnownNames => build(tree, withoutCase, (name) => [name])

const withoutUnderscores = (name: string): string => withoutCase(name).replaceAll('_', '')
const inBothForms = (name: string): string[] => [
  ...new Set([name, name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]),
]

/** The names of a Google dialect, given in camel case: each is known in snake case too. */
export const googleNames = (tree: NameTree): KnownNames => build(tree, withoutUnderscores, inBothForms)

function build(tree: NameTree, fold: (name: string) => string, formsOf: (name: string) => string[]): KnownNames {
  const members = new Map<string, KnownNames | null>()
  const usual = new Map<string, string>()
  for (const [name, below] of Object.entries(tree)) {
    const built = below === null || isBuilt(below) ? below : build(below, fold, formsOf)
    for (const form of formsOf(name)) {
      members.set(form, built)
      if (form !== name) usual.set(form, name)
    }
  }
  return { members, byFolded: new Map(Object.keys(tree).map((name) => [fold(name), name])), fold, usual }
}

const isBuilt = (below: NameTree | KnownNames): below is KnownNames => below['members'] instanceof Map

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
    const meant = known.byFolded.get(known.fold(name))
    if (meant !== undefined) throw ambiguous(name, `did you mean '${meant}'?`)
    return null
  }
  const usual = known.usual.size === 0 ? undefined : known.usual.get(name)
  if (usual !== undefined && usual in object) throw ambiguous(name, `'${usual}' is given as well.`)
  return below
}

const longestName = 64

function ambiguous(name: string, hint: string): DialectError {
  const shown = name.slice(0, longestName)
  return new DialectError(shown, 'ambiguous_parameter', `Ambiguous parameter: '${shown}'; ${hint}`)
}
