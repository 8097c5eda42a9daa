import { benchModel } from './profiles'
import type { Target } from './targets'

/** What a client may speak. */
export type ClientDialect = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini'

/** What the upstream speaks. */
export const ownDialect: ClientDialect = 'openai-chat'

/** How large a question is: bytes of text, or of a picture beside it (chat completions only). */
export interface Size {
  readonly text?: number
  readonly picture?: number
}

export interface RequestOptions {
  readonly dialect: ClientDialect
  readonly isStream: boolean
  readonly size?: Size
}

interface Question {
  readonly isStream: boolean
  readonly text: string
  readonly picture: string | null
}

/** More than the upstream says. */
const maxTokens = 1000

/** The same question in every dialect: where it goes, and its body. */
const calls: Readonly<Record<ClientDialect, (question: Question) => { path: string; body: object }>> = {
  'openai-chat': (question) => ({
    path: '/v1/chat/completions',
    body: {
      model: benchModel,
      messages: [{ role: 'user', content: chatContent(question) }],
      max_tokens: maxTokens,
      stream: question.isStream,
    },
  }),
  'openai-responses': ({ text, isStream }) => ({
    path: '/v1/responses',
    body: { model: benchModel, input: text, max_output_tokens: maxTokens, stream: isStream },
  }),
  'anthropic-messages': ({ text, isStream }) => ({
    path: '/v1/messages',
    body: { model: benchModel, messages: [{ role: 'user', content: text }], max_tokens: maxTokens, stream: isStream },
  }),
  gemini: ({ text, isStream }) => ({
    path: `/v1beta/models/${benchModel}:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: { contents: [{ role: 'user', parts: [{ text }] }], generationConfig: { maxOutputTokens: maxTokens } },
  }),
}

const chatContent = ({ text, picture }: Question) =>
  picture === null
    ? text
    : [
        { type: 'text', text },
        { type: 'image_url', image_url: { url: picture, detail: 'low' } },
      ]

/** A complete request to a target. */
export function requestTo(target: Target, options: RequestOptions): Buffer {
  const { path, body } = calls[options.dialect](questionOf(options))
  const text = JSON.stringify(body)
  const headers = Object.entries(target.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${target.port}\r\nAuthorization: Bearer ${target.key}\r\n${headers.join('')}` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}

const question = 'What is the capital of France, and why? '

function questionOf({ isStream, size = {} }: RequestOptions): Question {
  const text = size.text === undefined ? question.trim() : question.repeat(size.text / question.length + 1)
  return {
    isStream,
    text: text.slice(0, size.text),
    picture: size.picture === undefined ? null : `data:image/png;base64,${'A'.repeat(size.picture)}`,
  }
}
