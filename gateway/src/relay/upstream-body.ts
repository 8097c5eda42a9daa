import type { JsonObject } from '@tollgate/dialects'

/*
 * The body that goes upstream is the client's own text wherever possible: unknown fields, key order, spacing and long
 * numbers stay what they are. One member's value is spliced in the text; anything more is written anew from the parsed body.
 */

/** Members that decide what a call costs or says. Two of one name might be read differently upstream than here. */
const guarded = [
  'model',
  'stream',
  'stream_options',
  'messages',
  'prompt',
  'input',
  'n',
  'max_tokens',
  'max_completion_tokens',
  'tools',
] as const

/** An escape that can hide a letter of a member's name. */
const letterEscapes = ['\\u006', '\\u007', '\\u005'] as const

/** Whether the text may name a guarded member twice, openly or with escapes. Some harmless texts are suspected too. */
export function mayRepeatMembers(text: string, body: JsonObject): boolean {
  if (text.includes('\\u00') && letterEscapes.some((escape) => text.includes(escape))) return true
  return guarded.some((name) => name in body && isRepeated(text, `"${name}"`))
}

function isRepeated(text: string, quoted: string): boolean {
  const first = text.indexOf(quoted)
  return first >= 0 && text.includes(quoted, first + quoted.length)
}

/** The text with another model; null when its place is not certain. The member must occur once, see `mayRepeatMembers`. */
export function withOtherModel(text: string, from: string, to: string): string | null {
  const name = '"model"'
  const start = text.indexOf(name)
  if (start < 0) return null
  const colon = skipSpace(text, start + name.length)
  if (text[colon] !== ':') return null
  const value = skipSpace(text, colon + 1)
  const written = JSON.stringify(from)
  if (!text.startsWith(written, value)) return null
  return text.slice(0, value) + JSON.stringify(to) + text.slice(value + written.length)
}

/** The text with one more member at the end. The object must not be empty and must not have the member yet. */
export function withAddedMember(text: string, name: string, value: unknown): string {
  const end = text.lastIndexOf('}')
  return `${text.slice(0, end)},${JSON.stringify(name)}:${JSON.stringify(value)}${text.slice(end)}`
}

function skipSpace(text: string, from: number): number {
  let index = from
  while (isSpace(text.charCodeAt(index))) index += 1
  return index
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
