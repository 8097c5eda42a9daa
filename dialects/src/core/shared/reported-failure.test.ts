import { describe, expect, test } from 'bun:test'

import { dialects } from '../../dialects'
import type { JsonObject } from '../json'
import type { DialectId } from '../mode'
import { noAnswer } from './reported-failure'
import type { ResponseOptions } from '../../translation/translate'
import { translationOf } from '../../translation/translation'

/** The smallest response of each dialect, and one that is empty for a reason. */
const answers: Record<DialectId, readonly JsonObject[]> = {
  'openai-chat': [
    { choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'stop' }] },
    { choices: [{ message: { content: 'a' } }], code: 0, base_resp: { status_code: 0 }, success: true, error: null },
    { choices: [{ message: { content: 'a' } }], code: 200, message: 'ok' },
  ],
  'bedrock-converse': [{ output: { message: { content: [] } }, stopReason: 'end_turn' }],
  'openai-completions': [{ choices: [{ text: '', finish_reason: 'length' }] }],
  'openai-embeddings': [{ data: [{ embedding: [1] }] }],
  'dashscope-images': [{ output: { choices: [{ message: { content: [{ image: 'https://example.com/a.png' }] } }] } }],
  'gemini-images': [
    { candidates: [{ content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }] } }] },
  ],
  imagen: [{ predictions: [{ bytesBase64Encoded: 'AA==' }] }],
  'minimax-images': [{ data: { image_urls: ['https://example.com/a.png'] }, base_resp: { status_code: 0 } }],
  'mistral-fim': [{ choices: [{ index: 0, message: { content: 'a' }, finish_reason: 'stop' }] }],
  'mistral-ocr': [{ pages: [], usage_info: { pages_processed: 0 } }],
  'openrouter-images': [{ data: [{ b64_json: 'AA==', media_type: 'image/png' }] }],
  'cloudflare-images': [{ result: { image: 'AA==' }, success: true, errors: [] }],
  'seedream-images': [{ data: [{ url: 'https://example.com/a.png' }] }],
  'siliconflow-images': [{ images: [{ url: 'https://example.com/a.png' }] }],
  'xai-images': [{ data: [{ b64_json: 'AA==' }] }],
  'stability-images': [{ images: ['AA=='], finish_reasons: [null] }],
  'titan-images': [{ images: ['AA=='] }],
  'openai-image-edits': [{ data: [{ b64_json: 'AA==' }] }],
  'openai-images': [{ data: [{ url: 'https://example.com/a.png' }] }, { images: [{ b64_json: 'AA==' }] }],
  'openai-moderations': [{ results: [{ flagged: false }] }],
  'openai-realtime': [],
  'dashscope-realtime': [],
  'gemini-live': [],
  'openai-speech': [],
  'gemini-speech': [{ candidates: [{ content: { parts: [{ inlineData: { data: 'AAAA' } }] } }] }],
  'minimax-speech': [{ data: { audio: '00ff' }, base_resp: { status_code: 0 } }],
  'dashscope-speech': [{ output: { audio: { data: 'AAAA' } } }],
  'volcengine-speech': [{ code: 0, data: 'AAAA' }],
  'xai-speech': [],
  'plain-speech': [],
  'cloudflare-speech': [],
  'mistral-speech': [{ audio_data: 'AAAA' }],
  'gemini-transcriptions': [{ candidates: [{ finishReason: 'STOP' }] }],
  'gemini-translations': [{ candidates: [{ content: { parts: [{ text: 'a' }] } }] }],
  'openrouter-transcriptions': [{ text: '' }, { text: 'a', usage: { seconds: 2 } }],
  'plain-transcriptions': [{ text: '' }, { text: 'a', duration: 2 }],
  'cloudflare-transcriptions': [{ result: { text: '' } }],
  'cloudflare-translations': [{ result: { text: 'a', transcription_info: { duration: 2 } } }],
  'dashscope-transcriptions': [{ choices: [{ message: { content: '' } }], usage: { seconds: 1 } }],
  'volcengine-transcriptions': [{ result: { text: '' }, audio_info: { duration: 10 } }],
  'openai-transcriptions': [{ text: '' }, { text: 'a', usage: { type: 'duration', seconds: 2 } }],
  rerank: [{ results: [{ index: 0 }] }, { data: [{ index: 0 }] }],
  'anthropic-messages': [
    { type: 'message', content: [], stop_reason: 'end_turn' },
    { type: 'message', content: [{ type: 'text', text: 'a' }] },
  ],
  'openai-responses': [
    { status: 'completed', output: [], error: null },
    { status: 'queued', output: [], background: true },
  ],
  gemini: [
    { candidates: [{ finishReason: 'SAFETY' }] },
    { promptFeedback: { blockReason: 'SAFETY' } },
    { candidates: [{ content: { parts: [] } }], usageMetadata: {} },
  ],
  'gemini-embeddings': [{ embedding: { values: [1] } }, { embeddings: [{ values: [1] }] }],
  'cohere-chat': [{ message: { role: 'assistant', content: [] }, finish_reason: 'COMPLETE' }],
  'dashscope-embeddings': [{ output: { embeddings: [{ index: 0, embedding: [1], type: 'text' }] } }],
  'vertex-embeddings': [{ predictions: [{ embeddings: { values: [1] } }] }, { embedding: { values: [1] } }],
  'volcengine-embeddings': [{ data: { embedding: [1] } }, { data: [{ embedding: [[1]] }] }],
  'voyage-embeddings': [{ data: [{ index: 0, embedding: [1] }] }],
  'cohere-embeddings': [{ embeddings: { float: [[1]] } }, { embeddings: [[1]] }],
  'coze-chat': [{ events: [{ event: 'conversation.chat.completed', status: 'completed' }] }],
  'dify-chat': [
    { answer: '', metadata: {} },
    { events: [{ event: 'message_end', metadata: {} }] },
    { data: { status: 'succeeded', outputs: {} } },
  ],
  'hunyuan-chat': [
    { Response: { Choices: [{ Message: { Role: 'assistant', Content: '' }, FinishReason: 'stop' }] } },
    { Choices: [{ Delta: { Content: 'a' } }], ErrorMsg: { Code: 0, Msg: '' } },
  ],
  'hunyuan-embeddings': [{ Response: { Data: [{ Embedding: [1] }] } }],
  'ollama-chat': [
    { message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' },
    { message: { role: 'assistant', content: 'a' }, done: true },
  ],
  'cohere-chat-v1': [],
  'cohere-embeddings-v1': [],
  'ollama-embedding': [],
  'ollama-embeddings': [{ embeddings: [[1]] }],
  'ollama-generate': [{ response: '', done: true, done_reason: 'stop' }],
  'aiproxy-library': [
    { success: true, answer: '' },
    { answer: 'a', errCode: 0, message: '' },
  ],
  'baidu-chat': [{ result: '' }, { result: '', function_call: { name: 'f' } }],
  'spark-chat': [
    {
      header: { code: 0, message: 'Success', status: 2 },
      payload: { choices: { status: 2, text: [{ content: '' }] } },
    },
  ],
  'zhipu-chat': [{ code: 200, msg: 'ok', success: true, data: { choices: [] } }],
  'palm-chat': [{ candidates: [{ content: '' }] }, { filters: [{ reason: 'SAFETY' }] }],
}

const ids = Object.keys(answers) as DialectId[]

/** Failures that vendors report with status 200, and what is made of them. */
const failures = [
  [{ error: { message: 'boom', type: 'server_error' } }, { message: 'boom' }],
  [{ error: 'boom' }, { message: 'boom' }],
  [
    { code: 500, message: 'boom' },
    { message: 'boom', code: '500', status: 500 },
  ],
  [
    { code: 1, msg: 'boom' },
    { message: 'boom', code: '1' },
  ],
  [
    { code: 'InvalidApiKey', message: 'boom', request_id: 'r' },
    { message: 'boom', code: 'InvalidApiKey' },
  ],
  [{ success: false, msg: 'boom' }, { message: 'boom' }],
  [{ detail: 'boom' }, { message: 'boom' }],
  [{ type: 'error', message: 'boom' }, { message: 'boom' }],
  [
    { status: 429, message: 'boom' },
    { message: 'boom', status: 429 },
  ],
  [
    { statusCode: 503, message: 'boom' },
    { message: 'boom', status: 503 },
  ],
  [
    { success: false, message: 'boom', code: 401 },
    { message: 'boom', code: '401', status: 401 },
  ],
  [
    { base_resp: { status_code: 1008, status_msg: 'boom' }, choices: null },
    { message: 'boom', code: '1008' },
  ],
  [
    { error_code: 336_100, error_msg: 'boom' },
    { message: 'boom', code: '336100' },
  ],
  [
    { errcode: 40_001, errmsg: 'boom' },
    { message: 'boom', code: '40001' },
  ],
  [{ header: { code: 10_005, message: 'boom' } }, { message: 'boom', code: '10005' }],
] as const satisfies readonly (readonly [JsonObject, object])[]

/** Answers that hold nothing, and say nothing. */
const nothings: readonly JsonObject[] = [
  {},
  { id: 'x', object: 'chat.completion', model: 'm', usage: { prompt_tokens: 1, completion_tokens: 0 } },
  { choices: [], data: [], results: [], candidates: [], embeddings: [] },
  { choices: null, content: null, output: null, data: null },
]

const encode = (data: object) => new TextEncoder().encode(`data: ${JSON.stringify(data)}\n\n`)
const tapOf = (id: DialectId) => dialects[id].createTap({ swallowUsage: false, addUsage: false })
const options: ResponseOptions = {
  model: 'm',
  includeUsage: false,
  now: 1,
  newId: (prefix) => `${prefix}1`,
  promptTokens: 1,
  thoughtsAsText: false,
  taggedThoughts: false,
}

describe.each(ids)('an answer of %s', (id) => {
  test('a body with a failure in any vendor’s members is not a response', () => {
    for (const [answer, reported] of failures) expect(dialects[id].readAnswer(answer).error).toMatchObject(reported)
  })

  test('a body without any member of its dialect is not a response', () => {
    for (const answer of nothings) {
      if (id.startsWith('cohere-embeddings') && Array.isArray(answer['embeddings'])) continue
      expect(dialects[id].readAnswer(answer).error).toMatchObject({ type: noAnswer })
    }
  })

  test('an empty body in the form of its dialect is a response', () => {
    for (const answer of answers[id]) expect(dialects[id].readAnswer(answer).error).toBeNull()
  })
})

const streaming = ['openai-chat', 'openai-completions', 'anthropic-messages', 'openai-responses', 'gemini'] as const

describe.each(streaming)('a stream of %s', (id) => {
  test('tells a failure in any vendor’s members', () => {
    for (const [event, reported] of failures) {
      const tap = tapOf(id)
      tap.push(encode(event))
      tap.end()
      if ('error' in event && id === 'anthropic-messages') continue
      expect(tap.error).toMatchObject(reported)
    }
  })
})

const clients = ['openai-chat', 'anthropic-messages', 'openai-responses', 'gemini'] as const
const upstreams = [...clients, 'cohere-chat', 'palm-chat', 'aiproxy-library', 'baidu-chat', 'zhipu-chat'] as const
const requests: Record<(typeof clients)[number], JsonObject> = {
  'openai-chat': { model: 'm', messages: [{ role: 'user', content: 'hi' }] },
  'anthropic-messages': { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] },
  'openai-responses': { model: 'm', input: 'hi' },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
}

describe.each(clients.flatMap((client) => upstreams.map((upstream) => [client, upstream] as const)))(
  'a stream for %s from %s',
  (client, upstream) => {
    test('tells a failure in any vendor’s members', () => {
      if (client === upstream) return
      for (const [event, reported] of failures) {
        const call = translationOf(client, upstream)?.(requests[client], { model: 'm', isStream: true }, 'm')
        const tap = call?.createTap?.(options)
        tap?.push(encode(event))
        tap?.end()
        expect(tap?.error).toMatchObject(reported)
      }
    })
  },
)
