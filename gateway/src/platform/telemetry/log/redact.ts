import { replaceWebTokens } from './web-tokens'

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
