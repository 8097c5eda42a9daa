const start = 'eyJ'
/** Shorter words that begin like one are not tokens. */
const minLength = start.length + 8
const run = /[\w-]*/y
const rest = /\.[\w-]+(?:\.[\w-]*)?/y
const isWord = /\w/

/** Returns the text with another in place of each JSON web token (RFC 7519), in time linear in its length. */
export function replaceWebTokens(text: string, replacement: string): string {
  let shown = ''
  let copied = 0
  for (let at = text.indexOf(start); at >= 0;) {
    if (isWord.test(text.charAt(at - 1))) {
      at = text.indexOf(start, at + start.length)
      continue
    }
    // Any other beginning in this run of characters has the same end and is shorter.
    let end = endOf(run, text, at)
    const restEnd = endOf(rest, text, end)
    if (end - at >= minLength && restEnd > end) {
      shown += text.slice(copied, at) + replacement
      copied = end = restEnd
    }
    at = text.indexOf(start, end)
  }
  return copied === 0 ? text : shown + text.slice(copied)
}

/** Returns where a match that begins here ends; the same place without one. */
function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : from
}
