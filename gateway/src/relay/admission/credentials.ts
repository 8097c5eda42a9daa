/** The parts of an API key as a client sends it: `sk-<48 characters>-<channel id>`. */
export interface PresentedKey {
  /** The part that is looked up: without the prefix and the channel. */
  readonly secret: string
  /** What follows the second dash, verbatim; null when there is none. */
  readonly channel: string | null
}

const prefix = 'sk-'

/** Returns the key of a call, from any of the headers or parameters that SDKs put it in; null when there is none. */
export function presentedKey(headers: Headers, query: string): PresentedKey | null {
  const text =
    bearerOf(headers.get('authorization')) ||
    headers.get('x-api-key') ||
    headers.get('x-goog-api-key') ||
    headers.get('api-key') ||
    headers.get('mj-api-secret') ||
    keyIn(query) ||
    keyInProtocols(headers)
  return text ? partsOf(text.trim()) : null
}

/** What clients of midjourney-proxy send beside their secret, which is in a header of its own. */
const noKey = 'midjourney-proxy'

function bearerOf(authorization: string | null): string {
  if (!authorization || authorization === noKey) return ''
  return /^bearer\s/i.test(authorization) ? authorization.slice('bearer '.length).trim() : authorization.trim()
}

/** Google's clients, and those of Azure in browsers. */
function keyIn(query: string): string | null {
  if (!query.includes('key=')) return null
  const parameters = new URLSearchParams(query)
  return parameters.get('key') ?? parameters.get('api-key')
}

const protocolPrefix = 'openai-insecure-api-key.'

/** Browsers can set no header of a WebSocket but the protocols that it may speak. */
function keyInProtocols(headers: Headers): string | null {
  const protocols = headers.get('sec-websocket-protocol')?.split(',') ?? []
  const named = protocols.map((name) => name.trim()).find((name) => name.startsWith(protocolPrefix))
  return named?.slice(protocolPrefix.length) ?? null
}

function partsOf(text: string): PresentedKey {
  const bare = text.startsWith(prefix) ? text.slice(prefix.length) : text
  const dash = bare.indexOf('-')
  if (dash < 0) return { secret: bare, channel: null }
  return { secret: bare.slice(0, dash), channel: bare.slice(dash + 1) }
}
