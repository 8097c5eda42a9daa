import type { DialectId, Mode } from '@tollgate/dialects'

/** A public endpoint that calls a model. */
export interface Endpoint {
  readonly mode: Mode
  /** What the caller speaks. */
  readonly dialect: DialectId
  /** `key`: an API key. `session`: a signed-in user of the console. */
  readonly caller: 'key' | 'session'
}

const chat = { mode: 'chat', dialect: 'openai-chat', caller: 'key' } as const
const embeddings = { mode: 'embeddings', dialect: 'openai-embeddings', caller: 'key' } as const

/** All public endpoints that call a model, by path; the method is POST. */
const endpoints: Readonly<Record<string, Endpoint>> = {
  '/v1/chat/completions': chat,
  '/pg/chat/completions': { ...chat, caller: 'session' },
  '/v1/completions': { mode: 'completions', dialect: 'openai-completions', caller: 'key' },
  '/v1/embeddings': embeddings,
  '/v1/engines/{model}/embeddings': embeddings,
  '/v1/moderations': {
    mode: 'moderation',
    dialect: 'openai-moderations',
    caller: 'key',
  },
}

const byPath = new Map(Object.entries(endpoints))
const engineStart = '/v1/engines/'
const engineEnd = '/embeddings'

/** The endpoint at this path, without query and trailing slash; undefined when there is none. */
export const endpointAt = (path: string): Endpoint | undefined =>
  byPath.get(path) ?? (engineOf(path) === '' ? undefined : byPath.get('/v1/engines/{model}/embeddings'))

/** The model named in an engine's path, or an empty text. */
export function engineOf(path: string): string {
  if (!path.startsWith(engineStart) || !path.endsWith(engineEnd)) return ''
  const name = path.slice(engineStart.length, -engineEnd.length)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Calls of OpenAI's API that no channel can serve. */
export function isUnsupported(method: string, path: string): boolean {
  if (path === '/v1/images/variations' || path === '/v1/files' || path === '/v1/fine-tunes') return true
  if (path.startsWith('/v1/files/') || path.startsWith('/v1/fine-tunes/')) return true
  return method === 'DELETE' && path.startsWith('/v1/models/')
}
