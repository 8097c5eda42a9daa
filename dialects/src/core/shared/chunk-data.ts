import { parseAnswer } from '../json-text'
import { isObject, type JsonObject } from '../json'

/** The data of an event, given as Latin-1, in its own characters; empty when it has none. */
function dataOf(event: string): string {
  const lines: string[] = []
  for (const line of event.split(/\r\n|\n|\r/)) {
    if (!line.startsWith('data:')) continue
    lines.push(line.slice(line.charCodeAt(5) === 0x20 ? 6 : 5))
  }
  return Buffer.from(lines.join('\n'), 'latin1').toString('utf8')
}

/** The object in an event's data; null when there is none. */
export function objectOf(event: string): JsonObject | null {
  try {
    const value: unknown = parseAnswer(dataOf(event))
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

const encoder = new TextEncoder()

/** An event with this object as its data. */
export const eventOf = (chunk: JsonObject): Uint8Array => encoder.encode(`data: ${JSON.stringify(chunk)}\n\n`)
