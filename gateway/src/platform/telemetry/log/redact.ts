/** Replaces a secret. */
export const hidden = '[hidden]'

/**
 * Patterns of secrets in running text, also inside of JSON: no pattern matches a quote or a backslash, so that a line stays valid.
 * Addresses are kept: an operator needs them.
 */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/(?<=[a-z0-9+.-]:\/\/)[^\s\\/"'<>]*@/gi, `${hidden}@`],
  [
    /([?&;](?:key|api[_-]?key|(?:[a-z]+[_-])?token|secret|password|code|signature|sig)=)[^\s\\&"'<>#]+/gi,
    `$1${hidden}`,
  ],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${hidden}`],
  [/\b(?:sk|pk|rk|xai|gsk|ak)-[\w*.-]{5,}[\w*]/gi, hidden],
  [/\bAIza[\w*-]{10,}/g, hidden],
  [/\bAKIA[A-Z0-9]{12,}/g, hidden],
  [/\bgh[a-z]_[\w*]{10,}|\bgithub_pat_[\w*]{10,}/g, hidden],
]

/** Returns the text without what looks like a secret. */
export const redact = (text: string): string =>
  secrets.reduce((shown, [pattern, replacement]) => shown.replace(pattern, replacement), replaceWebTokens(text, hidden))

const secretName =
  /^(?:authorization|proxy-authorization|cookie|set-cookie|keys?|key_sealed|value_sealed|session)$|(?:api[-_]?key|password|passwd|secret|token)$/i

/** Returns whether a field's text is a secret whatever it looks like. */
export const isSecretName = (name: string): boolean => secretName.test(name)

const tokenStart = 'eyJ'
/** Shorter words that begin like one are not tokens. */
const minTokenLength = tokenStart.length + 8
const tokenRun = /[\w-]*/y
const tokenRest = /\.[\w-]+(?:\.[\w-]*)?/y
const isWord = /\w/

/** Returns the text with another in place of each JSON web token (RFC 7519), in time linear in its length. */
export function replaceWebTokens(text: string, replacement: string): string {
  let shown = ''
  let copied = 0
  for (let at = text.indexOf(tokenStart); at >= 0;) {
    if (isWord.test(text.charAt(at - 1))) {
      at = text.indexOf(tokenStart, at + tokenStart.length)
      continue
    }
    // Any other beginning in this run of characters has the same end and is shorter.
    let end = endOf(tokenRun, text, at)
    const restEnd = endOf(tokenRest, text, end)
    if (end - at >= minTokenLength && restEnd > end) {
      shown += text.slice(copied, at) + replacement
      copied = end = restEnd
    }
    at = text.indexOf(tokenStart, end)
  }
  return copied === 0 ? text : shown + text.slice(copied)
}

/** Returns where a match that begins here ends; the same place without one. */
function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : from
}
