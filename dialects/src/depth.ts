import { DialectError } from './dialect-error'

const open = 0x5b // [
const close = 0x5d // ]
const quote = 0x22
const backslash = 0x5c
/** What the braces and brackets have in common once this bit is cleared: `{` is `[` with it, `}` is `]`. */
const braceBit = 0x20

/**
 * Refuse a JSON text that is nested deeper than `limit`, before a parser walks into it.
 * @throws DialectError `nesting_too_deep`.
 */
export function checkDepth(text: string, limit = 128): void {
  if (isDeeper(text, limit))
    throw new DialectError(null, 'nesting_too_deep', `The body is nested deeper than ${limit} levels.`)
}

/** No answer is nested so deeply. A parser takes that many levels in no time; of a million it holds up everybody for half a second. */
const deepestAnswer = 1000

/** Whether what an upstream sent, one JSON text or events full of them, is nested deeper than any answer is. */
export const isTooDeep = (text: string): boolean => text.length > deepestAnswer && isDeeper(text, deepestAnswer)

/**
 * Parse what an upstream sent.
 * @throws SyntaxError also for what is nested too deeply.
 */
export function parseAnswer(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError(`Nested deeper than ${deepestAnswer} levels`)
  return JSON.parse(text)
}

/** A text with too few opening brackets to be that deep costs a few native searches and no walk. */
function isDeeper(text: string, limit: number): boolean {
  if (!hasMore(text, limit)) return false
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if ((code & ~braceBit) === open) {
      depth += 1
      if (depth > limit) return true
    } else if ((code & ~braceBit) === close) depth -= 1
  }
  return false
}

function hasMore(text: string, limit: number): boolean {
  let count = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      count += 1
      if (count > limit) return true
    }
  }
  return false
}

/** The place of the quote that closes the string opened at `start`; the end of the text when none does. */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1
    while (text.charCodeAt(before) === backslash) before -= 1
    if ((at - before) % 2 === 1) return at
  }
  return text.length
}
