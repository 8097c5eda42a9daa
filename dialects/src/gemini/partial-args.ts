import { isObject, type JsonObject } from '../json'
import { textOf } from '../neutral/read'
import { readJsonPath, type PathStep } from './json-path'
import { member, memberList } from './members'

type Scalar = string | number | boolean | null

/** A place among the arguments. Items of a list stand under their index, which an upstream may choose freely. */
type Place = { readonly kind: 'value'; readonly value: unknown } | Container

interface Container {
  readonly kind: 'object' | 'list'
  readonly parts: Map<PathStep, Place>
}

/**
 * The arguments of one call, told value by value with the path of each; long texts come in several pieces.
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling#streaming-fc
 */
export class PartialArgs {
  readonly #root: Container = { kind: 'object', parts: new Map() }
  /** The path whose text goes on with its next piece. */
  #openPath: string | null = null

  /** Take what one part of the call says. Values that are not told as the protocol says are left out. */
  take(call: JsonObject): void {
    const { args } = call
    if (isObject(args))
      for (const [name, value] of Object.entries(args)) this.#root.parts.set(name, { kind: 'value', value })
    for (const partial of memberList(call, 'partialArgs')) this.#takeOne(partial)
  }

  /** A text was begun and goes on. */
  get isOpen(): boolean {
    return this.#openPath !== null
  }

  /** The arguments as an object. */
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

/** The parts of the object or list at a step; made where there is none, or something else. */
function containerAt(parts: Map<PathStep, Place>, step: PathStep, next: PathStep | undefined): Map<PathStep, Place> {
  const kind = typeof next === 'number' ? 'list' : 'object'
  const found = parts.get(step)
  if (found && found.kind !== 'value' && found.kind === kind) return found.parts
  const made: Container = { kind, parts: found?.kind === 'value' ? partsOf(found.value, kind) : new Map() }
  parts.set(step, made)
  return made.parts
}

/** What a value that was told whole holds, so that more can be told of it. */
function partsOf(value: unknown, kind: 'list' | 'object'): Map<PathStep, Place> {
  const place = (part: unknown): Place => ({ kind: 'value', value: part })
  if (kind === 'list') return new Map(Array.isArray(value) ? value.map((item, index) => [index, place(item)]) : [])
  return new Map(isObject(value) ? Object.entries(value).map(([name, part]) => [name, place(part)]) : [])
}

function valueOf(place: Place): unknown {
  if (place.kind === 'value') return place.value
  if (place.kind === 'object')
    return Object.fromEntries([...place.parts].map(([name, part]) => [String(name), valueOf(part)]))
  // Without gaps: an index as large as an upstream likes makes the list no longer.
  return [...place.parts].sort(([one], [other]) => Number(one) - Number(other)).map(([, part]) => valueOf(part))
}

/** Returns the values that a part tells, to be counted. Their paths repeat names, so those are left out. */
export const partialTexts = (call: JsonObject): string[] =>
  memberList(call, 'partialArgs').flatMap((partial) => {
    const value = scalarOf(partial)
    return value === undefined ? [] : [String(value)]
  })

/** The one value a partial argument tells; undefined when it tells none. */
function scalarOf(partial: JsonObject): Scalar | undefined {
  const text = member(partial, 'stringValue')
  if (typeof text === 'string') return text
  const number = member(partial, 'numberValue')
  if (typeof number === 'number') return number
  const flag = member(partial, 'boolValue')
  if (typeof flag === 'boolean') return flag
  return 'nullValue' in partial || 'null_value' in partial ? null : undefined
}
