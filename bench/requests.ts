import { benchModel, type Target } from './targets'

/** What a client may speak. */
export type ClientDialect = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini'

const question = 'What is the capital of France, and why?'

/** The same question in every dialect: where it goes, and its body. */
const calls: Readonly<Record<ClientDialect, (stream: boolean) => { path: string; body: object }>> = {
  'openai-chat': (stream) => ({
    path: '/v1/chat/completions',
    body: { model: benchModel, messages: [{ role: 'user', content: question }], max_tokens: 100, stream },
  }),
  'openai-responses': (stream) => ({
    path: '/v1/responses',
    body: { model: benchModel, input: question, max_output_tokens: 100, stream },
  }),
  'anthropic-messages': (stream) => ({
    path: '/v1/messages',
    body: { model: benchModel, messages: [{ role: 'user', content: question }], max_tokens: 100, stream },
  }),
  gemini: (stream) => ({
    path: `/v1beta/models/${benchModel}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: { contents: [{ role: 'user', parts: [{ text: question }] }], generationConfig: { maxOutputTokens: 100 } },
  }),
}

/** A complete request to a target. */
export function requestIn(dialect: ClientDialect, { port, key }: Target, stream: boolean): Buffer {
  const { path, body } = calls[dialect](stream)
  const text = JSON.stringify(body)
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}
