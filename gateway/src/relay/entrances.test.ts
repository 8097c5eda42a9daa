import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { RealtimeUpstream } from '@tollgate/simulator'

import { connectRealtime } from '../../test/realtime-client'
import { createRelayWorld, type RelayWorld } from '../../test/relay-world'
import { endpointNames } from './stages/endpoint'

// The first count of tokens reads a vocabulary.
setDefaultTimeout(120_000)

/** What an entrance refuses. */
interface Refused {
  readonly status: number
  readonly text: string
}

/** A way in: its body around a prompt, with more members at its end, and where it goes. */
interface Entrance {
  readonly path: string
  readonly body: (prompt: string, members: string) => BodyInit
  readonly isForm?: true
  /** No prompt: nothing is sent to a model. */
  readonly hasNoPrompt?: true
}

const json =
  (members: (prompt: string) => string) =>
  (prompt: string, more: string): string =>
    `{${members(JSON.stringify(prompt))}${more}}`

const form =
  (fields: Readonly<Record<string, string>>, file: string | null) =>
  (prompt: string): FormData => {
    const data = new FormData()
    for (const [name, value] of Object.entries({ ...fields, prompt })) data.set(name, value)
    if (file !== null) data.set(file, new File([new Uint8Array(100)], 'a.png', { type: 'image/png' }))
    return data
  }

const chat = json((prompt) => `"model":"gpt-4o","messages":[{"role":"user","content":${prompt}}]`)
const messages = json(
  (prompt) => `"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":${prompt}}]`,
)
const ids = json((prompt) => `"ids":[${prompt}]`)

/** Every way in by which a key sends a body. */
const entrances: Readonly<Record<string, Entrance>> = {
  'chat completions': { path: '/v1/chat/completions', body: chat },
  "chat completions of Azure's clients": {
    path: '/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21',
    body: json((prompt) => `"messages":[{"role":"user","content":${prompt}}]`),
  },
  'chat completions without a version': { path: '/chat/completions', body: chat },
  'messages under another base': { path: '/anthropic/v1/messages', body: messages },
  completions: {
    path: '/v1/completions',
    body: json((prompt) => `"model":"gpt-3.5-turbo-instruct","prompt":${prompt}`),
  },
  'fill in the middle': {
    path: '/v1/fim/completions',
    body: json((prompt) => `"model":"codestral-latest","prompt":${prompt}`),
  },
  'documents to be read': {
    path: '/v1/ocr',
    body: json(
      (prompt) =>
        `"model":"mistral-ocr-latest","document_annotation_prompt":${prompt},"document":{"type":"image_url","image_url":"https://img.example/a.png"}`,
    ),
  },
  responses: { path: '/v1/responses', body: json((prompt) => `"model":"gpt-4o","input":${prompt}`) },
  'responses in the background': {
    path: '/v1/responses',
    body: json((prompt) => `"model":"gpt-4o","background":true,"input":${prompt}`),
  },
  compactions: { path: '/v1/responses/compact', body: json((prompt) => `"model":"gpt-4o","input":${prompt}`) },
  'responses that are counted': {
    path: '/v1/responses/input_tokens',
    body: json((prompt) => `"model":"gpt-4o","input":${prompt}`),
    hasNoPrompt: true,
  },
  messages: { path: '/v1/messages', body: messages },
  'counted messages': { path: '/v1/messages/count_tokens', body: messages, hasNoPrompt: true },
  gemini: {
    path: '/v1beta/models/gemini-2.0-flash:generateContent',
    body: json((prompt) => `"contents":[{"role":"user","parts":[{"text":${prompt}}]}]`),
  },
  'contents that are counted': {
    path: '/v1beta/models/gemini-2.0-flash:countTokens',
    body: json((prompt) => `"contents":[{"role":"user","parts":[{"text":${prompt}}]}]`),
    hasNoPrompt: true,
  },
  'a vector for Google’s clients': {
    path: '/v1beta/models/gemini-embedding-001:embedContent',
    body: json((prompt) => `"content":{"parts":[{"text":${prompt}}]}`),
  },
  'vectors for Google’s clients': {
    path: '/v1beta/models/gemini-embedding-001:batchEmbedContents',
    body: json(
      (prompt) => `"requests":[{"model":"models/gemini-embedding-001","content":{"parts":[{"text":${prompt}}]}}]`,
    ),
  },
  'images for Google’s clients': {
    path: '/v1beta/models/imagen-4.0-generate-001:predict',
    body: json((prompt) => `"instances":[{"prompt":${prompt}}]`),
  },
  embeddings: {
    path: '/v1/embeddings',
    body: json((prompt) => `"model":"text-embedding-3-small","input":${prompt}`),
  },
  moderations: {
    path: '/v1/moderations',
    body: json((prompt) => `"model":"omni-moderation-latest","input":${prompt}`),
  },
  speech: {
    path: '/v1/audio/speech',
    body: json((prompt) => `"model":"tts-1","voice":"alloy","input":${prompt}`),
  },
  images: { path: '/v1/images/generations', body: json((prompt) => `"model":"dall-e-3","prompt":${prompt}`) },
  'images in the background': {
    path: '/v1/images/generations',
    body: json((prompt) => `"model":"dall-e-3","async":true,"prompt":${prompt}`),
  },
  'edits as JSON': {
    path: '/v1/images/edits',
    body: json(
      (prompt) => `"model":"gpt-image-1","images":[{"image_url":"data:image/png;base64,AAAA"}],"prompt":${prompt}`,
    ),
  },
  transcriptions: { path: '/v1/audio/transcriptions', body: form({ model: 'whisper-1' }, 'file'), isForm: true },
  translations: { path: '/v1/audio/translations', body: form({ model: 'whisper-1' }, 'file'), isForm: true },
  variations: {
    path: '/v1/images/variations',
    body: form({ model: 'dall-e-2' }, 'image'),
    isForm: true,
    hasNoPrompt: true,
  },
  'edits as a form': { path: '/v1/images/edits', body: form({ model: 'gpt-image-1' }, 'image'), isForm: true },
  rerank: {
    path: '/v1/rerank',
    body: json((prompt) => `"model":"jina-reranker-v2-base-multilingual","query":${prompt},"documents":["a"]`),
  },
  "rerank of Cohere's second version": {
    path: '/v2/rerank',
    body: json((prompt) => `"model":"jina-reranker-v2-base-multilingual","query":${prompt},"documents":["a"]`),
  },
  'chats of Ollama’s clients': { path: '/api/chat', body: chat },
  'prompts of Ollama’s clients': {
    path: '/api/generate',
    body: json((prompt) => `"model":"gpt-4o","prompt":${prompt}`),
  },
  'vectors for Ollama’s clients': {
    path: '/api/embed',
    body: json((prompt) => `"model":"text-embedding-3-small","input":${prompt}`),
  },
  'vectors by Ollama’s older call': {
    path: '/api/embeddings',
    body: json((prompt) => `"model":"text-embedding-3-small","prompt":${prompt}`),
  },
  'descriptions for Ollama’s clients': {
    path: '/api/show',
    body: json((prompt) => `"model":"gpt-4o","x":${prompt}`),
    hasNoPrompt: true,
  },
  'chats of Cohere’s clients': { path: '/v2/chat', body: chat },
  'chats of Cohere’s first version': {
    path: '/v1/chat',
    body: json((prompt) => `"model":"gpt-4o","message":${prompt}`),
  },
  'vectors for Cohere’s clients': {
    path: '/v2/embed',
    body: json((prompt) => `"model":"text-embedding-3-small","texts":[${prompt}]`),
  },
  'vectors of Cohere’s first version': {
    path: '/cohere/v1/embed',
    body: json((prompt) => `"model":"text-embedding-3-small","texts":[${prompt}]`),
  },
  videos: { path: '/v1/videos', body: json((prompt) => `"model":"sora-2","prompt":${prompt}`) },
  'videos as a form': { path: '/v1/videos', body: form({ model: 'sora-2' }, null), isForm: true },
  songs: { path: '/suno/submit/music', body: json((prompt) => `"gpt_description_prompt":${prompt}`) },
  drawings: { path: '/mj/submit/imagine', body: json((prompt) => `"prompt":${prompt}`) },
  'lists of songs': { path: '/suno/fetch', body: ids, hasNoPrompt: true },
  'lists of drawings': { path: '/mj/task/list-by-condition', body: ids, hasNoPrompt: true },
  'secrets for sessions': {
    path: '/v1/realtime/client_secrets',
    body: json((prompt) => `"session":{"type":"realtime","model":"gpt-realtime","instructions":${prompt}}`),
  },
}

let world: RelayWorld
let sessions: RealtimeUpstream
let key: string
let userId: number
beforeAll(async () => {
  sessions = RealtimeUpstream.start()
  world = await createRelayWorld()
  await world.addChannel({ models: 'dall-e-2,dall-e-3,gpt-image-1,tts-1,sora-2,whisper-1' })
  await world.addChannel({ type: 14, models: 'claude-sonnet-4-5' })
  await world.addChannel({ type: 24, models: 'gemini-2.0-flash,gemini-embedding-001,imagen-4.0-generate-001' })
  await world.addChannel({ type: 38, models: 'jina-reranker-v2-base-multilingual' })
  await world.addChannel({ type: 42, models: 'codestral-latest,mistral-ocr-latest' })
  await world.addChannel({ type: 36, models: 'suno_music' })
  await world.addChannel({ type: 5, models: 'mj_imagine' })
  await world.addChannel({ models: 'gpt-realtime', base_url: sessions.url })
  await world.setOptions({
    CheckSensitiveEnabled: 'true',
    CheckSensitiveOnPromptEnabled: 'true',
    SensitiveWords: 'forbiddenword',
  })
  userId = await world.addUser(1e9)
})
beforeEach(async () => {
  key = await world.addToken(userId)
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await sessions[Symbol.asyncDispose]()
})

async function send({ path, body, isForm }: Entrance, prompt: string, members = ''): Promise<Response> {
  return fetch(world.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...(!isForm && { 'content-type': 'application/json' }) },
    body: body(prompt, members),
  })
}

/** Resolves with what was refused before an upstream was asked. */
async function expectRefusal(entrance: Entrance, prompt: string, members?: string): Promise<Refused> {
  const requestCount = world.simulator.requests.length
  const response = await send(entrance, prompt, members)
  const text = await response.text()
  expect(world.simulator.requests.length).toBe(requestCount)
  return { status: response.status, text }
}

/** Resolves with a key of a user each of whose calls may use one of this. */
async function aCappedKey(measure: 'prompt_tokens' | 'quota'): Promise<string> {
  const capped = await world.addUser(1e9)
  const cap = { owner: 'user', ref: String(capped), name: 'The cap', measure, limit_amount: 1, span: 'call' } as const
  await world.ctx.database.query
    .insertInto('windows')
    .values({ ...cap, created_at: 1 })
    .execute()
  return world.addToken(capped)
}

/** They cost nothing by the shipped prices. */
const uncharged: ReadonlySet<string> = new Set(['moderations'])

const all = Object.entries(entrances)
const texts = all.filter(([, { isForm }]) => !isForm)
const prompts = all.filter(([, { hasNoPrompt }]) => !hasNoPrompt)
const long = 'word '.repeat(20_000)

describe('every entrance of a key guards what comes in:', () => {
  test('every endpoint that calls a model is among them, but for streams and the playground', () => {
    const paths = all.map(([, { path }]) => path.replace(/\?.*/, ''))
    const isListed = (name: string) => paths.some((path) => path.endsWith(name))
    const missing = endpointNames.filter((name) => !name.startsWith('/pg/') && !isListed(name))
    expect(missing).toEqual(['streamGenerateContent'])
  })

  test.each(texts)('%s are refused where they are nested too deeply', async (_name, entrance) => {
    const deep = `${'['.repeat(200)}${']'.repeat(200)}`
    expect(await expectRefusal(entrance, 'a', `,"x":${deep}`)).toEqual({
      status: 400,
      text: expect.stringMatching(/nested deeper/),
    })
  })

  test.each(texts)('%s are refused where they have too much structure', async (_name, entrance) => {
    const wide = `[${'[],'.repeat(600_000)}[]]`
    const { status, text } = await expectRefusal(entrance, 'a', `,"x":${wide}`)
    expect([400, 413]).toContain(status)
    expect(text).toMatch(/more than|too large|larger/)
  })

  test.each(all)('%s are refused while their user holds as much memory as he may', async (_name, entrance) => {
    using room = world.inFlight.memory.open(userId)
    room.hold(world.ctx.config.memoryInFlight.ofUser)
    expect((await expectRefusal(entrance, long)).status).toBe(503)
  })

  test.each(prompts)('%s are refused where they hold a forbidden word', async (_name, entrance) => {
    expect(await expectRefusal(entrance, 'a forbiddenword here')).toEqual({
      status: 400,
      text: expect.stringContaining('forbiddenword'),
    })
  })

  test.each(prompts)(
    '%s are refused where their prompt is longer than a cap of their user',
    async (_name, entrance) => {
      key = await aCappedKey('prompt_tokens')
      const { status, text } = await expectRefusal(entrance, 'word '.repeat(500))
      expect([status, text]).toEqual([400, expect.stringContaining('The cap')])
    },
  )

  test.each(prompts.filter(([name]) => !uncharged.has(name)))(
    '%s are refused where they may cost more than a cap of their user',
    async (_name, entrance) => {
      key = await aCappedKey('quota')
      const { status, text } = await expectRefusal(entrance, 'word '.repeat(500))
      expect([status, text]).toEqual([400, expect.stringContaining('The cap')])
    },
  )

  test.each(prompts)('%s count against the rate of their key', async (_name, entrance) => {
    key = await world.addToken(userId, { rate_limit_enabled: 1, rate_limit_period: 60, rate_limit_count: 1 })
    await (await send(entrance, 'a forbiddenword here')).text()
    expect((await expectRefusal(entrance, 'a')).status).toBe(429)
  })
})

describe('messages of a session have the guards of a body:', () => {
  const item = (text: string, more = '') =>
    `{"type":"conversation.item.create","item":{"type":"message","role":"user","content":[{"type":"input_text","text":${JSON.stringify(text)}}]}${more}}`

  test.each([
    ['nested too deeply', item('a', `,"x":${'['.repeat(200)}${']'.repeat(200)}`), 'structure_too_large'],
    ['with too much structure', item('a', `,"x":[${'[],'.repeat(100_000)}[]]`), 'structure_too_large'],
    ['with a forbidden word', item('a forbiddenword here'), 'sensitive_words_detected'],
  ])('one that is %s is refused, and the session goes on', async (_name, text, code) => {
    using client = await connectRealtime(world.url, { key })
    await client.next('session.created')
    client.send(text)
    expect(await client.next('error')).toMatchObject({ error: { code } })
    client.close()
    await client.closed
  })
})
