import { benchModels } from './profiles'
import type { Target } from './targets'

/** What a client or an upstream may speak. */
export type SpokenDialect = keyof typeof benchModels

/** What they speak unless something else was asked for. */
export const ownDialect: SpokenDialect = 'openai-chat'

/** How large a question is: bytes of text, or of a picture beside it (chat completions only). */
export interface Size {
  readonly text?: number
  readonly image?: number
}

export interface RequestOptions {
  readonly dialect: SpokenDialect
  /** What the upstream speaks that serves it. Default: chat completions. */
  readonly upstream?: SpokenDialect
  readonly isStream: boolean
  readonly size?: Size
}

interface Question {
  readonly model: string
  readonly isStream: boolean
  readonly text: string
  readonly image: string | null
}

/** More than the upstream says. */
const maxTokens = 4000

interface Call {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: object
}

/** The same question in every dialect: where it goes, and its body. */
const calls: Readonly<Record<SpokenDialect, (question: Question) => Call>> = {
  'openai-chat': (question) => ({
    path: '/v1/chat/completions',
    body: {
      model: question.model,
      messages: [{ role: 'user', content: chatContent(question) }],
      max_tokens: maxTokens,
      stream: question.isStream,
    },
  }),
  'openai-responses': ({ model, text, isStream }) => ({
    path: '/v1/responses',
    body: { model, input: text, max_output_tokens: maxTokens, stream: isStream },
  }),
  'anthropic-messages': ({ model, text, isStream }) => ({
    path: '/v1/messages',
    headers: { 'anthropic-version': '2023-06-01' },
    body: { model, messages: [{ role: 'user', content: text }], max_tokens: maxTokens, stream: isStream },
  }),
  gemini: ({ model, text, isStream }) => ({
    path: `/v1beta/models/${model}:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: { contents: [{ role: 'user', parts: [{ text }] }], generationConfig: { maxOutputTokens: maxTokens } },
  }),
}

const chatContent = ({ text, image }: Question) =>
  image === null
    ? text
    : [
        { type: 'text', text },
        { type: 'image_url', image_url: { url: image, detail: 'low' } },
      ]

/** A complete request to a target. */
export function requestTo(target: Target, options: RequestOptions): Buffer {
  const { path, headers: own, body } = calls[options.dialect](questionOf(options))
  const text = JSON.stringify(body)
  const headers = Object.entries({ ...target.headers, ...own }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${target.port}\r\nAuthorization: Bearer ${target.key}\r\n${headers.join('')}` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}

const uploadBoundary = 'bench-0123456789abcdef'

/** A complete request to edit an image of this size, as a form, of the model that OpenAI's channel serves. */
export function uploadTo(target: Target, bytes: number): Buffer {
  const field = (name: string, more = '') =>
    `--${uploadBoundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
  const file = '; filename="image.png"\r\nContent-Type: image/png'
  const before = `${field('model')}${benchModels['openai-responses']}\r\n${field('prompt')}${question}\r\n${field('image', file)}`
  const body = Buffer.concat([
    Buffer.from(before),
    Buffer.alloc(bytes, 7),
    Buffer.from(`\r\n--${uploadBoundary}--\r\n`),
  ])
  const headers = Object.entries(target.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`)
  const head =
    `POST /v1/images/edits HTTP/1.1\r\nHost: 127.0.0.1:${target.port}\r\nAuthorization: Bearer ${target.key}\r\n${headers.join('')}` +
    `Content-Type: multipart/form-data; boundary=${uploadBoundary}\r\nContent-Length: ${body.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), body])
}

const question = 'What is the capital of France, and why? '

function questionOf({ upstream = ownDialect, isStream, size = {} }: RequestOptions): Question {
  const text = size.text === undefined ? question.trim() : question.repeat(size.text / question.length + 1)
  return {
    model: benchModels[upstream],
    isStream,
    text: text.slice(0, size.text),
    image: size.image === undefined ? null : `data:image/png;base64,${'A'.repeat(size.image)}`,
  }
}
