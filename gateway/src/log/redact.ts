/** Replaces a secret. */
export const hidden = '[hidden]'

/**
 * Patterns of secrets in running text, also inside of JSON: no pattern matches a quote or a backslash, so that a line stays valid.
 * Addresses are kept: an operator needs them.
 */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s\\/"'<>]*@/gi, `$1${hidden}@`],
  [
    /([?&;](?:key|api[_-]?key|(?:[a-z]+[_-])?token|secret|password|code|signature|sig)=)[^\s\\&"'<>#]+/gi,
    `$1${hidden}`,
  ],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${hidden}`],
  [/\b(?:sk|pk|rk|xai|gsk|ak)-[\w*.-]{5,}[\w*]/gi, hidden],
  [/\bAIza[\w*-]{10,}/g, hidden],
  [/\bAKIA[A-Z0-9]{12,}/g, hidden],
  [/\bgh[a-z]_[\w*]{10,}|\bgithub_pat_[\w*]{10,}/g, hidden],
  [/\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g, hidden],
]

/** Returns the text without what looks like a secret. */
export const redacted = (text: string): string =>
  secrets.reduce((shown, [pattern, replacement]) => shown.replace(pattern, replacement), text)

const secretName =
  /^(?:authorization|proxy-authorization|cookie|set-cookie|.*api[-_]?key|key|keys|key_sealed|value_sealed|mj-api-secret|.*password|.*passwd|.*secret|.*token|session)$/i

/** Returns whether a field's text is a secret whatever it looks like. */
export const isSecretName = (name: string): boolean => secretName.test(name)
