import type { RE2JS } from 're2js'

/** A pattern takes about five milliseconds for this many characters. */
export const windowLength = 32 * 1024
/** What stands at the end of one window stands at the beginning of the next one too, so that no match is cut. */
const overlap = 16 * 1024

/** A part of a text that is searched at once. */
export interface TextWindow {
  readonly text: string
  readonly isFirst: boolean
  /** It is the whole text. */
  readonly isOnly: boolean
  /** Returns whether a pattern matches here as it would in the whole text. */
  holdsMatch(pattern: RE2JS): boolean
}

/**
 * Yields overlapping windows of texts, each text on lines of its own: everything up to 16,384 characters long is whole in one of them. The
 * texts are never put together as a whole.
 */
export function* textWindows(texts: Iterable<string>): Generator<TextWindow> {
  let text = ''
  let isFirst = true
  for (const line of separateByNewlines(texts)) {
    for (let at = 0; at < line.length;) {
      if (text.length === windowLength) {
        yield windowOf(text, isFirst, false)
        text = text.slice(windowLength - overlap)
        isFirst = false
      }
      const piece = line.slice(at, at + windowLength - text.length)
      text += piece
      at += piece.length
    }
  }
  yield windowOf(text, isFirst, true)
}

function* separateByNewlines(texts: Iterable<string>): Generator<string> {
  let isFirst = true
  for (const text of texts) {
    if (!isFirst) yield '\n'
    yield text
    isFirst = false
  }
}

const windowOf = (text: string, isFirst: boolean, isLast: boolean): TextWindow => ({
  text,
  isFirst,
  isOnly: isFirst && isLast,
  holdsMatch(pattern) {
    const matcher = pattern.matcher(text)
    while (matcher.find()) {
      // At an edge a pattern may take the end of the window for that of the text; the neighbouring window has more to see.
      const isInside = (isFirst || matcher.start() > 0) && (isLast || matcher.end() < text.length)
      if (isInside) return true
    }
    return false
  },
})
