import * as fc from 'fast-check'

import { hostileJson, oddTexts } from './hostile-json'

/** How the errors of an entrance look. */
export type ErrorShape = 'openai' | 'anthropic' | 'gemini' | 'cohere' | 'ollama'

/** A model call as a hostile client sends it. */
export interface RelayCall {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: BodyInit
  /** For the report: a form has no text. */
  readonly bodyText: string
  readonly shape: ErrorShape
}

interface Entrance {
  readonly path: string
  readonly shape: ErrorShape
  /** A body with all that clients send, which is served. */
  readonly body: object
}

const tool = {
  type: 'function',
  function: { name: 'f', description: 'd', parameters: { type: 'object', properties: {} } },
}
const pixel = 'data:image/png;base64,iVBORw0KGgo='

const chatBody = {
  model: 'gpt-4o',
  stream: true,
  stream_options: { include_usage: true },
  max_tokens: 9,
  temperature: 1,
  top_p: 1,
  n: 1,
  stop: ['a'],
  seed: 1,
  logit_bias: { '1': 2 },
  response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' }, strict: true } },
  messages: [
    { role: 'system', content: 'Be kind' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image_url', image_url: { url: pixel, detail: 'low' } },
        { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
      ],
    },
    {
      role: 'assistant',
      content: 'hm',
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: 'Rain' },
  ],
  tools: [tool],
  tool_choice: { type: 'function', function: { name: 'f' } },
  parallel_tool_calls: true,
  reasoning_effort: 'low',
  metadata: { a: 'b' },
  user: 'u',
  service_tier: 'auto',
  web_search_options: {},
}

const messagesBody = {
  model: 'claude-sonnet-4-5',
  max_tokens: 9,
  stream: true,
  system: [{ type: 'text', text: 'Be kind', cache_control: { type: 'ephemeral', ttl: '1h' } }],
  temperature: 1,
  top_k: 3,
  stop_sequences: ['a'],
  thinking: { type: 'enabled', budget_tokens: 1024 },
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' }, title: 't' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
        { type: 'tool_use', id: 'c', name: 'f', input: { a: 1 } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'Rain', is_error: false }] },
  ],
  tools: [
    { name: 'f', description: 'd', input_schema: { type: 'object', properties: {} } },
    { type: 'web_search_20250305', name: 'web_search', max_uses: 2 },
  ],
  tool_choice: { type: 'tool', name: 'f' },
  metadata: { user_id: 'u' },
}

const geminiBody = {
  contents: [
    {
      role: 'user',
      parts: [
        { text: 'Look' },
        { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
        { fileData: { fileUri: 'https://x.test/f', mimeType: 'video/mp4' } },
      ],
    },
    { role: 'model', parts: [{ functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'c2ln' }] },
    { role: 'user', parts: [{ functionResponse: { name: 'f', response: { a: 'Rain' } } }] },
  ],
  systemInstruction: { parts: [{ text: 'Be kind' }] },
  generationConfig: {
    maxOutputTokens: 9,
    temperature: 1,
    topP: 1,
    topK: 3,
    candidateCount: 1,
    stopSequences: ['a'],
    responseMimeType: 'application/json',
    responseSchema: { type: 'OBJECT', properties: {} },
    thinkingConfig: { thinkingBudget: 100, includeThoughts: true },
  },
  tools: [{ functionDeclarations: [{ name: 'f', description: 'd', parameters: { type: 'OBJECT', properties: {} } }] }],
  toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
  safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
}

const responsesBody = {
  model: 'gpt-4o',
  stream: true,
  instructions: 'Be kind',
  max_output_tokens: 16,
  store: false,
  previous_response_id: 'resp_1',
  include: ['reasoning.encrypted_content'],
  reasoning: { effort: 'low', summary: 'auto' },
  text: { format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true }, verbosity: 'low' },
  input: [
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'Look' },
        { type: 'input_image', image_url: pixel },
      ],
    },
    { type: 'reasoning', id: 'r', summary: [], encrypted_content: 'AAAA' },
    { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c', output: 'Rain' },
  ],
  tools: [
    { type: 'function', name: 'f', parameters: { type: 'object' }, strict: false },
    { type: 'web_search' },
    { type: 'file_search', vector_store_ids: ['vs_1'] },
    { type: 'code_interpreter', container: { type: 'auto', file_ids: [] } },
  ],
  tool_choice: 'auto',
  metadata: {},
  truncation: 'auto',
  prompt: { id: 'pmpt_1', variables: {} },
}

const { stream: _stream, ...wholeChat } = chatBody
const { previous_response_id: _previous, prompt: _prompt, ...ownResponses } = responsesBody

const entrances: readonly Entrance[] = [
  { path: '/v1/chat/completions', shape: 'openai', body: chatBody },
  { path: '/v1/chat/completions', shape: 'openai', body: wholeChat },
  { path: '/v1/chat/completions', shape: 'openai', body: { ...chatBody, model: 'claude-sonnet-4-5' } },
  { path: '/v1/chat/completions', shape: 'openai', body: { ...wholeChat, model: 'gemini-2.0-flash' } },
  { path: '/openai/deployments/gpt-4o/chat/completions?api-version=1', shape: 'openai', body: chatBody },
  { path: '/v1/messages', shape: 'anthropic', body: messagesBody },
  { path: '/v1/messages', shape: 'anthropic', body: { ...messagesBody, model: 'gpt-4o' } },
  { path: '/v1/messages', shape: 'anthropic', body: { ...messagesBody, model: 'gemini-2.0-flash', stream: false } },
  { path: '/v1/messages/count_tokens', shape: 'anthropic', body: messagesBody },
  { path: '/v1beta/models/gemini-2.0-flash:generateContent', shape: 'gemini', body: geminiBody },
  { path: '/v1beta/models/gemini-2.0-flash:streamGenerateContent?alt=sse', shape: 'gemini', body: geminiBody },
  { path: '/v1beta/models/gpt-4o:generateContent', shape: 'gemini', body: geminiBody },
  { path: '/v1beta/models/claude-sonnet-4-5:streamGenerateContent', shape: 'gemini', body: geminiBody },
  { path: '/v1beta/models/gemini-2.0-flash:countTokens', shape: 'gemini', body: geminiBody },
  {
    path: '/v1beta/models/text-embedding-3-small:embedContent',
    shape: 'gemini',
    body: { content: { parts: [{ text: 'a' }] }, outputDimensionality: 9 },
  },
  { path: '/v1/responses', shape: 'openai', body: responsesBody },
  { path: '/v1/responses', shape: 'openai', body: ownResponses },
  { path: '/v1/responses', shape: 'openai', body: { ...ownResponses, model: 'claude-sonnet-4-5' } },
  { path: '/v1/responses', shape: 'openai', body: { ...ownResponses, stream: false, background: true } },
  {
    path: '/v1/completions',
    shape: 'openai',
    body: { model: 'gpt-3.5-turbo-instruct', prompt: ['a'], max_tokens: 9, n: 1, best_of: 1 },
  },
  {
    path: '/v1/embeddings',
    shape: 'openai',
    body: { model: 'text-embedding-3-small', input: ['a', 'b'], dimensions: 9, encoding_format: 'float' },
  },
  {
    path: '/v1/moderations',
    shape: 'openai',
    body: { model: 'omni-moderation-latest', input: ['a', { type: 'text', text: 'b' }] },
  },
  {
    path: '/v1/rerank',
    shape: 'openai',
    body: {
      model: 'jina-reranker-v2-base-multilingual',
      query: 'q',
      documents: ['a', { text: 'b' }],
      top_n: 1,
      return_documents: true,
    },
  },
  {
    path: '/v1/images/generations',
    shape: 'openai',
    body: { model: 'dall-e-3', prompt: 'p', n: 1, size: '1024x1024', quality: 'hd' },
  },
  { path: '/v1/images/edits', shape: 'openai', body: { model: 'gpt-image-1', prompt: 'p', image: [pixel], n: 1 } },
  {
    path: '/v1/audio/speech',
    shape: 'openai',
    body: { model: 'tts-1', voice: 'alloy', input: 'a', speed: 1, response_format: 'mp3' },
  },
  { path: '/v1/videos', shape: 'openai', body: { model: 'sora-2', prompt: 'p', seconds: '4', size: '720x1280' } },
  {
    path: '/v1/ocr',
    shape: 'openai',
    body: { model: 'mistral-ocr-latest', document: { type: 'image_url', image_url: pixel } },
  },
  { path: '/v2/chat', shape: 'cohere', body: { ...wholeChat, documents: [{ id: 'a', data: { text: 'b' } }] } },
  {
    path: '/v1/chat',
    shape: 'cohere',
    body: { model: 'gpt-4o', message: 'a', chat_history: [{ role: 'USER', message: 'b' }] },
  },
  {
    path: '/v2/embed',
    shape: 'cohere',
    body: { model: 'text-embedding-3-small', texts: ['a'], input_type: 'search_query' },
  },
  {
    path: '/api/chat',
    shape: 'ollama',
    body: {
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'a', images: ['AAAA'] }],
      options: { num_predict: 9 },
    },
  },
  {
    path: '/api/generate',
    shape: 'ollama',
    body: { model: 'gpt-4o', prompt: 'a', stream: false, options: { temperature: 1 } },
  },
  { path: '/api/embed', shape: 'ollama', body: { model: 'text-embedding-3-small', input: ['a'] } },
]

const json = fc.constantFrom(...entrances).chain(({ path, shape, body }) =>
  hostileJson(fc.constant<unknown>(body)).map((text = ''): RelayCall => ({
    path,
    headers: { 'content-type': 'application/json' },
    body: text,
    bodyText: text,
    shape,
  })),
)

const forms = [
  {
    path: '/v1/audio/transcriptions',
    fields: { model: 'whisper-1', language: 'en', response_format: 'json' },
    file: 'file',
  },
  { path: '/v1/audio/translations', fields: { model: 'whisper-1', temperature: '0' }, file: 'file' },
  { path: '/v1/images/edits', fields: { model: 'gpt-image-1', prompt: 'p', n: '1', size: '1024x1024' }, file: 'image' },
  { path: '/v1/images/variations', fields: { model: 'dall-e-2', n: '1' }, file: 'image' },
  { path: '/v1/videos', fields: { model: 'sora-2', prompt: 'p', seconds: '4' }, file: 'input_reference' },
] as const

const boundary = 'XXX'

/** Headers of a part that no form has. */
const oddPartHeaders = [
  '',
  'Content-Disposition',
  'Content-Disposition: form-data',
  'Content-Disposition: form-data; name=',
  'Content-Disposition: form-data; name="model"; name="n"',
  'Content-Disposition: form-data; name="model"\r\nContent-Transfer-Encoding: base64',
  'Content-Disposition: form-data; name="file"; filename="a\0b.wav"',
  'Content-Disposition: form-data; name="file"; filename*=UTF-8\'\'%ff%fe',
  `X-A:${' '.repeat(3000)}\n`,
  `Content-Disposition: form-data; name="${'n'.repeat(5000)}"`,
]

interface Part {
  readonly head: string
  readonly content: string
}

const writeForm = (parts: readonly Part[], end: string): string =>
  parts.map(({ head, content }) => `--${boundary}\r\n${head}\r\n\r\n${content}\r\n`).join('') + end

const mostly = (usual: string, rare: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...rare) })

const form = fc
  .record({
    form: fc.constantFrom(...forms),
    changed: fc.array(fc.tuple(fc.nat(9), fc.constantFrom(...oddTexts)), { maxLength: 2 }),
    heads: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.tuple(fc.tuple(fc.nat(9), fc.constantFrom(...oddPartHeaders))) },
    ),
    end: mostly(`--${boundary}--\r\n`, ['', `--${boundary}`, `--${boundary}--x`]),
    type: mostly(`multipart/form-data; boundary=${boundary}`, [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      `multipart/form-data; boundary="${boundary}`,
      'application/json',
    ]),
    file: fc.constantFrom('RIFF\x24\0\0\0WAVEfmt ', '\x89PNG\r\n\x1a\n', '', '\0'.repeat(3000), 'ID3'),
  })
  .map(({ form: { path, fields, file: fileName }, changed, heads, end, type, file }): RelayCall => {
    const parts: Part[] = [
      ...Object.entries(fields).map(([name, content]) => ({
        head: `Content-Disposition: form-data; name="${name}"`,
        content,
      })),
      {
        head: `Content-Disposition: form-data; name="${fileName}"; filename="a.wav"\r\nContent-Type: audio/wav`,
        content: file,
      },
    ]
    const withTexts = changed.reduce<readonly Part[]>(
      (all, [at, content]) => all.map((part, index) => (index === at % all.length ? { ...part, content } : part)),
      parts,
    )
    const withHeads = heads.reduce<readonly Part[]>(
      (all, [at, head]) => all.map((part, index) => (index === at % all.length ? { ...part, head } : part)),
      withTexts,
    )
    const body = writeForm(withHeads, end)
    return { path, headers: { 'content-type': type }, body, bodyText: body, shape: 'openai' }
  })

/** Arbitrary bytes, and bodies that lie about themselves. */
const bytes = fc
  .record({
    entrance: fc.constantFrom(...entrances),
    body: fc.uint8Array({ maxLength: 60 }),
    headers: fc.constantFrom<Record<string, string>>(
      { 'content-type': 'application/json' },
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      { 'content-type': 'application/json', 'content-encoding': 'br, gzip, zstd' },
      { 'content-type': 'text/plain; charset=utf-16' },
      {},
    ),
  })
  .map(({ entrance: { path, shape }, body, headers }): RelayCall => ({
    path,
    headers,
    body: new Uint8Array(body),
    bodyText: new TextDecoder('latin1').decode(body),
    shape,
  }))

/** Model calls at every entrance. */
export const relayCalls: fc.Arbitrary<RelayCall> = fc.oneof(
  { weight: 16, arbitrary: json },
  { weight: 3, arbitrary: form },
  { weight: 1, arbitrary: bytes },
)
