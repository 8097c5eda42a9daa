import { inBody, type PathContext, type DialectId, type Mode } from '@tollgate/dialects'

import type { ParsedBody } from '../../channels/calls/parsed-body'

/** A public endpoint that calls a model. */
export interface Endpoint {
  readonly mode: Mode
  /** The caller's dialect. */
  readonly dialect: DialectId
  /** `key`: an API key. `session`: a signed-in user of the console. */
  readonly auth: 'key' | 'session'
  /** How the body is read. `recording`: a form whose file has a length. */
  readonly body: 'json' | 'form' | 'form-or-json' | 'recording'
  /**
   * `compact`: shortens a conversation. `count`: counts the tokens of the prompt; `describe`: says what the model can do. Nothing is generated and nothing is charged
   * by the last two.
   */
  readonly kind: 'call' | 'compact' | 'count' | 'describe'
  /** The member of the body by which a client asks for an id at once and the answer later; null: it cannot. */
  readonly deferredBy: 'async' | 'background' | null
}

/** An endpoint with what the address tells about the call. */
export interface AddressedEndpoint {
  readonly endpoint: Endpoint
  readonly pathContext: PathContext
}

const byKey = (mode: Mode, dialect: DialectId): Endpoint => ({
  mode,
  dialect,
  auth: 'key',
  body: 'json',
  kind: 'call',
  deferredBy: null,
})

const chat = byKey('chat', 'openai-chat')
const messages = byKey('chat', 'anthropic-messages')
const responses = byKey('chat', 'openai-responses')
const images: Endpoint = { ...byKey('images', 'openai-images'), deferredBy: 'async' }
const embeddings = byKey('embeddings', 'openai-embeddings')
const transcriptions: Endpoint = { ...byKey('transcription', 'openai-transcriptions'), body: 'recording' }
const imageEdits: Endpoint = {
  ...byKey('image-edits', 'openai-image-edits'),
  body: 'form-or-json',
  deferredBy: 'async',
}
const rerank = byKey('rerank', 'rerank')
const ollamaChat = byKey('chat', 'ollama-chat')
const generate = byKey('chat', 'gemini')
const embed = byKey('embeddings', 'gemini-embeddings')

/** All public endpoints that call a model and name it in the body, by path; the method is POST. */
const endpoints: Readonly<Record<string, Endpoint>> = {
  '/v1/chat/completions': chat,
  '/pg/chat/completions': { ...chat, auth: 'session' },
  '/v1/responses': { ...responses, deferredBy: 'background' },
  '/v1/responses/compact': { ...responses, kind: 'compact' },
  '/v1/responses/input_tokens': { ...responses, kind: 'count' },
  '/v1/messages': messages,
  '/v1/messages/count_tokens': { ...messages, kind: 'count' },
  '/v1/completions': byKey('completions', 'openai-completions'),
  '/v1/embeddings': embeddings,
  '/v1/images/generations': images,
  '/pg/images/generations': { ...images, auth: 'session', deferredBy: null },
  '/v1/images/edits': imageEdits,
  '/v1/images/variations': { ...imageEdits, mode: 'image-variations', deferredBy: null },
  '/v1/moderations': byKey('moderation', 'openai-moderations'),
  '/v1/rerank': rerank,
  '/v2/rerank': rerank,
  '/v1/fim/completions': byKey('fim', 'mistral-fim'),
  '/v1/ocr': byKey('ocr', 'mistral-ocr'),
  '/v2/chat': byKey('chat', 'cohere-chat'),
  '/v1/chat': byKey('chat', 'cohere-chat-v1'),
  '/v2/embed': byKey('embeddings', 'cohere-embeddings'),
  '/v1/embed': byKey('embeddings', 'cohere-embeddings-v1'),
  '/api/chat': ollamaChat,
  '/api/generate': byKey('chat', 'ollama-generate'),
  '/api/embed': byKey('embeddings', 'ollama-embeddings'),
  '/api/embeddings': byKey('embeddings', 'ollama-embedding'),
  '/api/show': { ...ollamaChat, kind: 'describe' },
  '/v1/audio/speech': byKey('speech', 'openai-speech'),
  '/v1/audio/transcriptions': transcriptions,
  '/v1/audio/translations': { ...transcriptions, mode: 'translation' },
}

/** Google's: `/v1beta/models/{model}:{action}`. */
const actions: Readonly<Record<string, Endpoint>> = {
  generateContent: generate,
  streamGenerateContent: generate,
  countTokens: { ...generate, kind: 'count' },
  embedContent: embed,
  batchEmbedContents: embed,
  predict: byKey('images', 'imagen'),
}

/** What calls a model by its path, and by the action behind its model. */
export const endpointNames: readonly string[] = [...Object.keys(endpoints), ...Object.keys(actions)]

const byPath = new Map<string, AddressedEndpoint>(
  Object.entries(endpoints).map(([path, endpoint]) => [path, { endpoint, pathContext: inBody }]),
)

/** Returns the endpoint at this path, without query and trailing slash; undefined when there is none. */
export const endpointAt = (path: string): AddressedEndpoint | undefined =>
  byPath.get(path) ?? actionAt(path) ?? deploymentAt(path)

/** Google's SDKs for Vertex AI name the publisher, and the project unless they use a key. */
const actionPath =
  /^\/v1(?:beta1?|alpha)?\/(?:(?:projects\/[^/]+\/locations\/[^/]+\/)?publishers\/[^/]+\/)?models\/(.+):([A-Za-z]+)$/

function actionAt(path: string): AddressedEndpoint | undefined {
  const [, model = '', action = ''] = actionPath.exec(path) ?? []
  const endpoint = Object.hasOwn(actions, action) ? actions[action] : undefined
  return (
    endpoint && {
      endpoint,
      pathContext: { model: decodePathPart(model), isStream: action === 'streamGenerateContent' },
    }
  )
}

/** Azure's, and the form of OpenAI's first clients: the call behind the name of its model. */
const deploymentPath = /^\/(?:openai\/deployments|v1\/engines)\/(.+?)\/((?:audio|chat|images)\/[a-z]+|[a-z]+)$/

function deploymentAt(path: string): AddressedEndpoint | undefined {
  const [, model = '', call = ''] = deploymentPath.exec(path) ?? []
  const endpoint = byPath.get(`/v1/${call}`)?.endpoint
  return endpoint && { endpoint, pathContext: { model: decodePathPart(model), isStream: false } }
}

/** Returns a part of a path decoded; unchanged where its escapes are broken. */
export function decodePathPart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns whether the client wants an id at once and the answer later. */
export function isDeferred({ deferredBy }: Endpoint, { json }: ParsedBody): boolean {
  if (deferredBy === null) return false
  const value = json[deferredBy]
  // In a form everything is a text.
  return value === true || (value === 'true' && deferredBy === 'async')
}

/** Google's sessions: those of the Gemini API, and of clients for Vertex AI. */
export const isLivePath = (path: string): boolean => path.startsWith(livePaths) && /[./]BidiGenerateContent$/.test(path)
const livePaths = '/ws/google.'

/** Returns the dialect of a caller whose address does not tell: by a path of Google's, or the headers that an SDK sends. */
export function dialectOf(path: string, headers: Headers): DialectId {
  if (path.startsWith('/api/')) return 'ollama-chat'
  if (path.startsWith('/v2/')) return 'cohere-chat'
  if (['/v1beta/', '/upload/v1beta/', livePaths].some((start) => path.startsWith(start))) return 'gemini'
  if (path.startsWith('/v1/messages') || headers.has('anthropic-version')) return 'anthropic-messages'
  return headers.has('x-goog-api-key') ? 'gemini' : 'openai-chat'
}
