/** A quote, a backslash or a control character: what cannot stand in a JSON string as it is. */
const special = /[^ !#-[\]-\uffff]/

/**
 * The form of an event that brings a piece of text. Most events of a stream differ from the one before them in nothing but
 * that text, and what such an event says is known without reading it again. All is Latin-1: character n is byte n.
 */
export class TextEvent {
  readonly #before: string
  readonly #behind: string

  /** The event's text stands in a JSON string between two places. */
  constructor(event: string, start: number, end: number) {
    this.#before = event.slice(0, start)
    this.#behind = event.slice(end)
  }

  /** What another event says; null when it differs in more than its text, or has none, or one with escapes. */
  textIn(event: string): string | null {
    if (!event.startsWith(this.#before) || !event.endsWith(this.#behind)) return null
    const text = event.slice(this.#before.length, event.length - this.#behind.length)
    return text === '' || special.test(text) ? null : text
  }
}

/**
 * The form of an event of which is known that it says this text and nothing else; null where its place is not beyond doubt.
 * In an event without escapes the text stands as it is, so if it stands there once, there it comes from.
 */
export function textEventOf(event: string, text: string): TextEvent | null {
  if (text === '' || event.includes('\\')) return null
  const quoted = `"${text}"`
  const at = event.indexOf(quoted)
  if (at < 0 || event.includes(quoted, at + 1)) return null
  return new TextEvent(event, at + 1, at + 1 + text.length)
}
