import { isObject, type JsonObject } from '../../core/json'
import { textOf } from '../../core/neutral/read'
import { member, memberList } from '../../core/shared/google-members'

type Scalar = string | number | boolean | null

/** A node of the arguments. Items of a list are kept by index, which an upstream may choose freely. */
type Place = { readonly kind: 'value'; readonly value: unknown } | Container

interface Container {
  readonly kind: 'object' | 'list'
  readonly parts: Map<PathStep, Place>
}

/**
 * The arguments of one call, streamed value by value, each with its path; long texts arrive in several pieces.
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling#streaming-fc
 */
export class PartialArgs {
  readonly #root: Container = { kind: 'object', parts: new Map() }
  /** The path whose text continues in the next piece. */
  #openPath: string | null = null

  /** Adds the values of one part. Values that do not follow the protocol are ignored. */
  take(call: JsonObject): void {
    const { args } = call
    if (isObject(args))
      for (const [name, value] of Object.entries(args)) this.#root.parts.set(name, { kind: 'value', value })
    for (const partial of memberList(call, 'partialArgs')) this.#takeOne(partial)
  }

  /** A text has begun and continues. */
  get isOpen(): boolean {
    return this.#openPath !== null
  }

  /** Returns the arguments received so far. */
  value(): JsonObject {
    return Object.fromEntries([...this.#root.parts].map(([name, place]) => [String(name), valueOf(place)]))
  }

  #takeOne(partial: JsonObject): void {
    const path = textOf(member(partial, 'jsonPath'))
    const goesOn = this.#openPath === path
    this.#openPath = member(partial, 'willContinue') === true ? path : null
    const value = scalarOf(partial)
    const steps = readJsonPath(path)
    if (value !== undefined && steps !== null) this.#set(steps, value, goesOn)
  }

  #set(steps: readonly PathStep[], value: Scalar, goesOn: boolean): void {
    const last = steps.at(-1)
    if (last === undefined) return
    let parts = this.#root.parts
    for (const [at, step] of steps.slice(0, -1).entries()) parts = containerAt(parts, step, steps[at + 1])
    const before = goesOn ? parts.get(last) : undefined
    const isMore = typeof value === 'string' && before?.kind === 'value' && typeof before.value === 'string'
    parts.set(last, { kind: 'value', value: isMore ? before.value + value : value })
  }
}

/** Returns the parts of the object or list at a step; creates it where there is none, or something else. */
function containerAt(parts: Map<PathStep, Place>, step: PathStep, next: PathStep | undefined): Map<PathStep, Place> {
  const kind = typeof next === 'number' ? 'list' : 'object'
  const found = parts.get(step)
  if (found && found.kind !== 'value' && found.kind === kind) return found.parts
  const container: Container = { kind, parts: found?.kind === 'value' ? partsOf(found.value, kind) : new Map() }
  parts.set(step, container)
  return container.parts
}

/** Returns the parts of a value that arrived whole, so that more can be added. */
function partsOf(value: unknown, kind: 'list' | 'object'): Map<PathStep, Place> {
  const place = (part: unknown): Place => ({ kind: 'value', value: part })
  if (kind === 'list') return new Map(Array.isArray(value) ? value.map((item, index) => [index, place(item)]) : [])
  return new Map(isObject(value) ? Object.entries(value).map(([name, part]) => [name, place(part)]) : [])
}

function valueOf(place: Place): unknown {
  if (place.kind === 'value') return place.value
  if (place.kind === 'object')
    return Object.fromEntries([...place.parts].map(([name, part]) => [String(name), valueOf(part)]))
  // Without gaps: a huge index does not make a huge list.
  return [...place.parts].sort(([one], [other]) => Number(one) - Number(other)).map(([, part]) => valueOf(part))
}

/** Returns the values of a part as texts to count. Their paths repeat names and are left out. */
export const partialTexts = (call: JsonObject): string[] =>
  memberList(call, 'partialArgs').flatMap((partial) => {
    const value = scalarOf(partial)
    return value === undefined ? [] : [String(value)]
  })

/** Returns the value of a partial argument; undefined when it has none. */
function scalarOf(partial: JsonObject): Scalar | undefined {
  const text = member(partial, 'stringValue')
  if (typeof text === 'string') return text
  const number = member(partial, 'numberValue')
  if (typeof number === 'number') return number
  const flag = member(partial, 'boolValue')
  if (typeof flag === 'boolean') return flag
  return 'nullValue' in partial || 'null_value' in partial ? null : undefined
}

/** A member's name, or an index of a list. */
type PathStep = string | number

/** Deeper than the arguments of any call. */
const maxSteps = 128

/** Matches `.name` up to the next step, `['name']`, `["name"]` or `[0]`. */
const step = /\.([^.[\]]+)|\[\s*(?:(\d+)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*\]/suy

/**
 * Returns the steps of a path to a single value (RFC 9535, 2.3.1 and 2.3.3), such as `$.items[0]['a b']`. Names after a dot may
 * hold more than the standard allows. Null for any other path.
 */
export function readJsonPath(path: string): PathStep[] | null {
  if (!path.startsWith('$')) return null
  const steps: PathStep[] = []
  let at = 1
  while (at < path.length) {
    step.lastIndex = at
    const match = step.exec(path)
    if (match === null || steps.length === maxSteps) return null
    const [whole, name, index, single, double] = match
    const quoted = single ?? double
    if (index !== undefined) steps.push(Number(index))
    else if (name !== undefined) steps.push(name)
    else if (quoted !== undefined) steps.push(unescapeText(quoted))
    at += whole.length
  }
  return steps
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

const unescapeText = (text: string): string =>
  text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gsu, (_, code: string | undefined, letter: string | undefined) =>
    code === undefined ? (escapes[letter ?? ''] ?? letter ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
  )
