import type { JsonObject } from '../json'
import type { Warn } from './codec'
import type { AnswerEvent } from './events'
import type { OwnPart, Part, ShownPart, VendorTool } from './call'
import { textOf } from './read'

const maxValueLength = 64

/** How the log and the client are told of what a vendor's dialect cannot express: by its own type and name. */

/** Names a tool that the vendor runs itself. */
export const toolLabel = ({ own, tool }: VendorTool): string => ownToolLabel(own.value, tool)

/** Names such a tool by its object in a request. */
export const ownToolLabel = (tool: JsonObject, kind = ''): string => `the built-in tool ${labelOf(tool) || kind}`

/** Names a part or an item that only its own dialect understands. */
export const partLabel = ({ dialect, value }: OwnPart): string => `the part ${labelOf(value) || dialect}`

/** The type, and the name where it has another one. Google's have neither: their one member names them. */
function labelOf(value: JsonObject): string {
  const type = textOf(value['type']).slice(0, maxValueLength)
  if (type === '')
    return (Object.keys(value).find((name) => !name.startsWith('thought')) ?? '').slice(0, maxValueLength)
  const name = (textOf(value['name']) || textOf(value['server_label'])).slice(0, maxValueLength)
  return name === '' || name === type ? type : `${type} ${name}`
}

/** Returns the parts that a tool may give back, and adds the names of all others to what is left out. */
export function shownParts(parts: readonly Part[], leftOut: string[]): ShownPart[] {
  return parts.flatMap((part) => {
    if (part.kind === 'text' || part.kind === 'image' || part.kind === 'file') return [part]
    leftOut.push(part.kind === 'own' ? partLabel(part) : `${part.kind} in the result of a tool`)
    return []
  })
}

/** Adds a value to what is left out by which the client asks for something that no reader knows. `what`: as the log and the client are told. */
export function noteUnknown(leftOut: string[], what: string, value: unknown, known: readonly string[]): void {
  if (typeof value === 'string' && value !== '' && !known.includes(value))
    leftOut.push(`the ${what} ${value.slice(0, maxValueLength)}`)
}

/** Adds the members of tools that no other dialect has, each once. */
export function noteMembers(leftOut: string[], tools: readonly JsonObject[], known: ReadonlySet<string>): void {
  const names = new Set(
    tools.flatMap((tool) => Object.keys(tool).filter((name) => !known.has(name) && tool[name] !== null)),
  )
  for (const name of names) leftOut.push(`tools.${name.slice(0, maxValueLength)}`)
}

/** Returns the names of members with a value that are not known, at most 32. `of`: what they belong to. */
export function unknownMembers(value: JsonObject, known: ReadonlySet<string>, of: string): readonly string[] {
  let names = noNames
  for (const name in value) {
    if (names.length === maxNames) break
    if (!known.has(name) && holdsSomething(value[name])) names = [...names, `${of}.${name.slice(0, maxValueLength)}`]
  }
  return names
}

const noNames: readonly string[] = []
/** Anybody may invent any number of them. */
const maxNames = 32

/** Warns of members with a value that the target has no word for. `of`: what they belong to. */
export function warnOfMembers(value: JsonObject, known: ReadonlySet<string>, of: string, warn: Warn): void {
  for (const name of unknownMembers(value, known, of)) warn(name)
}

/** What a reader of answers has no word for, as events: each name once. */
export class LeftOutEvents {
  readonly #names = new Set<string>()

  name(what: string): AnswerEvent[] {
    if (this.#names.has(what) || this.#names.size >= maxNames) return []
    this.#names.add(what)
    return [{ type: 'left-out', what }]
  }

  part(value: JsonObject, dialect: string): AnswerEvent[] {
    return this.name(partLabel({ kind: 'own', dialect, value }))
  }

  /** Names members with a value that are not known. `of`: what they belong to. */
  members(value: JsonObject, known: ReadonlySet<string>, of: string): AnswerEvent[] {
    const names = unknownMembers(value, known, of)
    return names.length === 0 ? noEvents : names.flatMap((name) => this.name(name))
  }
}

const noEvents: AnswerEvent[] = []

/** Neither empty nor a refusal. */
export function holdsSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false || value === 0) return false
  if (Array.isArray(value)) return value.length > 0
  return typeof value !== 'object' || Object.keys(value).length > 0
}
