const quote = 0x22
const backslash = 0x5c
/** All below are control characters, which cannot stand in a JSON string as they are. */
const firstPlain = 0x20

/**
 * The form of an event that brings a piece of text. Most events of a stream differ from the one before them in nothing but
 * that text, and what such an event says is known without reading it again. Looks at bytes and makes nothing of them, for it
 * runs for every frame.
 */
export class TextEvent {
  readonly #event: Uint8Array
  readonly #start: number
  readonly #fromEnd: number

  /** The event's text stands in a JSON string between two places. */
  constructor(event: Uint8Array, start: number, end: number) {
    this.#event = event
    this.#start = start
    this.#fromEnd = event.length - end
  }

  /** Whether these bytes are an event that differs from this one in its text alone, and that text has no escapes and is not empty. */
  isLike(bytes: Uint8Array, from: number, to: number): boolean {
    const event = this.#event
    const start = this.startIn(from)
    const end = this.endIn(to)
    if (end <= start) return false
    for (let at = from; at < start; at += 1) if (bytes[at] !== event[at - from]) return false
    for (let at = end, shift = event.length - to; at < to; at += 1) if (bytes[at] !== event[at + shift]) return false
    for (let at = start; at < end; at += 1) if (!isPlain(bytes[at] ?? quote)) return false
    return true
  }

  /** Where the text starts in an event like this one. */
  startIn(from: number): number {
    return from + this.#start
  }

  /** Where the text ends in an event like this one. */
  endIn(to: number): number {
    return to - this.#fromEnd
  }
}

const isPlain = (byte: number): boolean => byte >= firstPlain && byte !== quote && byte !== backslash

/**
 * The form of an event of which is known that it says this text and nothing else; null where its place is not beyond doubt.
 * In an event without escapes the text stands as it is, so if it stands there once, there it comes from.
 */
export function textEventOf(event: Uint8Array, text: string): TextEvent | null {
  const bytes = Buffer.from(event.buffer, event.byteOffset, event.byteLength)
  if (text === '' || bytes.includes(backslash)) return null
  const quoted = Buffer.from(`"${text}"`)
  const at = bytes.indexOf(quoted)
  if (at < 0 || bytes.includes(quoted, at + 1)) return null
  return new TextEvent(event, at + 1, at + quoted.length - 1)
}
