import { DialectError } from '../dialect-error'
import { parseAnswer, parseNested } from '../json-text'
import { isObject, type JsonObject } from '../json'

/** Loose readers for unchecked members: what is not of the kind counts as absent. Pure. */

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** JSON text, for which some hosts write the object itself. */
export const jsonTextOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : textOf(value)

export const numberOrNull = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

/** A number moved to the nearest one that the vendor takes; absent where there is none. */
export const clamp = (value: number | null, min: number, max: number): number | undefined =>
  value === null ? undefined : Math.min(Math.max(value, min), max)

export const flagOrNull = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null)

export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : noMembers)

const noMembers: JsonObject = Object.freeze({})

export function objectsOf(value: unknown): readonly JsonObject[] {
  if (!Array.isArray(value)) return noObjects
  return value.every(isObject) ? value : value.filter(isObject)
}

const noObjects: readonly JsonObject[] = []

/**
 * The parts of what a client sends as content. Some send texts among them, or one part without a list around it; an object that says not what
 * it is, as the result of a tool, is read as its JSON. @throws DialectError for what is neither.
 */
export function partsOf(content: unknown): readonly JsonObject[] {
  if (Array.isArray(content))
    return content.every(isObject)
      ? content
      : content.flatMap((part: unknown) => (typeof part === 'string' ? [textPart(part)] : isObject(part) ? [part] : []))
  if (content === undefined || content === null) return noObjects
  if (!isObject(content))
    throw new DialectError(
      'content',
      'invalid_type',
      "Invalid type for 'content': expected a text, or a list of parts.",
    )
  return [typeof content['type'] === 'string' ? content : textPart(JSON.stringify(content))]
}

const textPart = (text: string): JsonObject => ({ type: 'text', text })

export const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string') : []

/** A record of texts, as metadata is; numbers and flags become texts. */
export function textRecordOf(value: unknown): Readonly<Record<string, string>> | null {
  if (!isObject(value)) return null
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      typeof member === 'string' || typeof member === 'number' || typeof member === 'boolean'
        ? [[name, String(member)]]
        : [],
    ),
  )
}

/** The elements of a list, or the one that stands in its place, as Google's APIs take it; none where nothing stands there. */
export const elementsOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? noObjects : [value]

/** The object that a JSON text holds; null for anything else. */
export const parsedObject = (text: string): JsonObject | null => objectIn(text, parseAnswer)

/** Does the same for a text within a request or an answer, as the arguments of a call are; null also where it has more structure than a call. */
export const nestedObject = (text: string): JsonObject | null => objectIn(text, parseNested)

function objectIn(text: string, parse: (text: string) => unknown): JsonObject | null {
  try {
    const value = parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** An object without the members that are undefined, so that what is written holds nothing empty. */
export const omitUndefined = (members: Readonly<Record<string, unknown>>): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

const dataUrl = /^data:([^;,]*)((?:;[^;,]*)*),/

/** The kind and the base64 text of a data URL; null for any other address. */
export function readDataUrl(url: string): { readonly mime: string; readonly data: string } | null {
  const match = dataUrl.exec(url)
  if (!match) return null
  const rest = url.slice(match[0].length)
  const mime = match[1] || 'text/plain'
  if (match[2]?.includes('base64')) return { mime, data: rest }
  return { mime, data: Buffer.from(decodePercentEncoding(rest), 'utf8').toString('base64') }
}

function decodePercentEncoding(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
