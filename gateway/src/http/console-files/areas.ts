/** What handles an address: the relay, the same for calls with a session, the console API, or the console's pages where they exist. */
export type Area = 'relay' | 'playground' | 'api' | 'pages'

/** Beyond `/v1…`: Midjourney's calls, Suno's, OpenAI's billing, and other bases that clients put before `/v1` and `/v2`. */
const relayStarts = [
  '/mj/',
  '/mj-fast/',
  '/mj-relax/',
  '/mj-turbo/',
  '/suno/',
  '/dashboard/billing/',
  '/openai/',
  '/anthropic/v1/',
  '/api/v1/',
  '/v2/',
  '/cohere/',
]

/** The calls of Ollama's clients; the console has none of these routes. */
const ollamaPath = /^(?:chat|generate|embed|embeddings|tags|show|ps|version)\/?(?:\?|$)/

/** Called before every model call, so without parsing the URL, and with the most frequent area first. */
export function areaOf(url: string): Area {
  const at = url.indexOf('/', url.indexOf('//') + 2)
  if (url.startsWith('/v1', at)) return 'relay'
  if (relayStarts.some((start) => url.startsWith(start, at))) return 'relay'
  if (url.startsWith('/api/', at) && ollamaPath.test(url.slice(at + '/api/'.length))) return 'relay'
  if (url.startsWith('/api/', at) || url.startsWith('/health/', at) || url.startsWith('/metrics', at)) return 'api'
  if (url.startsWith('/pg/', at)) return 'playground'
  return 'pages'
}

/** Returns the path of an absolute URL, without its query. */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const mark = url.indexOf('?', start)
  return url.slice(start, mark < 0 ? undefined : mark)
}

const pages = new Set(['/', '/home', '/setup', '/login', '/register', '/reset', '/pricing', '/about', '/playground'])
const pageStarts = ['/app/', '/admin/', '/chat', '/oauth/', '/channel/', '/user/']

/** Addresses that are always the console's; others are when a browser navigates to them. */
export const isPage = (path: string): boolean =>
  pages.has(path) || pageStarts.some((start) => path.startsWith(start)) || path === '/app' || path === '/admin'
