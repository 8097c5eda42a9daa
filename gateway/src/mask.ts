/** What must not reach a client in an upstream's words: keys, addresses, hosts. */
const masks: readonly (readonly [RegExp, string])[] = [
  [/\b(?:https?|wss?|socks5):\/\/[^\s"'<>)\]}]+/gi, '[address]'],
  [/\b(?:Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, '[key]'],
  [/\b(?:sk|pk|rk|xai|gsk|key|ak|org|proj)-[\w*.-]{5,}[\w*]/gi, '[key]'],
  [/\bAIza[\w*-]{10,}/g, '[key]'],
  [/\bgh[a-z]_[\w*]{10,}|\bgithub_pat_[\w*]{10,}/g, '[key]'],
  [/\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g, '[key]'],
  [/(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?![\d.])/g, '[address]'],
  [/(?<![\w:])\[?(?:[\da-f]{1,4}:){7}[\da-f]{1,4}\]?(?::\d{1,5})?/gi, '[address]'],
  [
    /(?<![\w:])\[?(?:[\da-f]{1,4}(?::[\da-f]{1,4}){0,6})?::(?:[\da-f]{1,4}:){0,6}[\da-f]{1,4}\]?(?::\d{1,5})?/gi,
    '[address]',
  ],
  [/\blocalhost(?::\d{1,5})?/gi, '[address]'],
  [/\b[a-z0-9-]+(?:\.[a-z0-9-]+)+:\d{2,5}\b/gi, '[address]'],
]

const longestMessage = 2000

/** An upstream's message as a client may see it: shortened, without keys, addresses and the given secrets. */
export function mask(message: string, secrets: readonly string[] = []): string {
  let text = message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message
  text = text.replaceAll('\0', '')
  for (const secret of secrets) if (secret.length >= 4) text = text.replaceAll(secret, '[key]')
  for (const [pattern, replacement] of masks) text = text.replace(pattern, replacement)
  return text
}
