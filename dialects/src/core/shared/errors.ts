import { parseAnswer } from '../json-text'
import type { ErrorView } from '../views'
import { isObject, type JsonObject } from '../json'

const maxMessageLength = 4000
const maxNameLength = 128
const maxWordsLength = 2000

/** The type OpenAI gives errors of a status. */
export function errorType(status: number, code = ''): string {
  if (code === 'insufficient_quota') return 'insufficient_quota'
  if (status === 401) return 'authentication_error'
  if (status === 403) return 'permission_error'
  if (status === 429) return 'rate_limit_error'
  return status < 500 ? 'invalid_request_error' : 'server_error'
}

/** The body of an error in OpenAI's shape. https://platform.openai.com/docs/guides/error-codes */
export const openAiError = ({ message, type, param, code }: ErrorView): JsonObject => ({
  error: { message, type, param, code: code === '' ? null : code },
})

/**
 * Returns the body of an error in OpenAI's shape with the status as its code, as OpenRouter's clients read it. One in another dialect's
 * shape is returned as it is. https://openrouter.ai/docs/api-reference/errors
 */
export function withNumericCode(body: JsonObject, status: number): JsonObject {
  const { error } = body
  if (!isObject(error) || !('code' in error)) return body
  const { message, type, code, param } = error
  return { error: { code: status, message, metadata: { error_type: code ?? type, param } } }
}

const encoder = new TextEncoder()

/** An error inside a stream. OpenAI's SDKs throw when an event has an `error`. */
export const openAiErrorEvent = (error: ErrorView): Uint8Array =>
  encoder.encode(`data: ${JSON.stringify(openAiError(error))}\n\n`)

/** What an upstream reports in the body of an error; tried as OpenAI writes it first, then as others do. */
export function readUpstreamError(status: number, body: string): ErrorView {
  const text = body.trim()
  const found = text.startsWith('{') || text.startsWith('[') ? fromJson(parseOrNull(text)) : null
  if (found) return found
  const unknown = { ...nameless, message: `HTTP status ${status}`, code: 'bad_response_status_code' }
  return text === '' ? unknown : { ...unknown, words: text.slice(0, maxWordsLength) }
}

/** The error that an answer with a good status carries, if any. */
export function errorIn(answer: JsonObject): ErrorView | null {
  const { error } = answer
  if (typeof error === 'string') return error.trim() === '' ? null : { ...nameless, message: clipMessage(error) }
  if (!isObject(error)) return null
  // A relay that wraps what its own upstream said.
  if (isObject(error['error']) && error['message'] === undefined) return errorIn(error)
  const view = fromObject(error)
  return view.message === '' && view.type === '' && view.code === '' ? null : view
}

/** The error that a choice reports: OpenRouter's, of an upstream that failed in mid-answer. */
export function errorInChoices(choices: unknown): ErrorView | null {
  for (const choice of Array.isArray(choices) ? choices : []) {
    const error = isObject(choice) ? errorIn(choice) : null
    if (error) return error
  }
  return null
}

const nameless = { type: '', code: '', param: null } as const

function parseOrNull(text: string): unknown {
  try {
    return parseAnswer(text)
  } catch {
    return null
  }
}

function fromJson(value: unknown): ErrorView | null {
  // Gemini's compatible endpoint wraps its errors in a list.
  const answer: unknown = Array.isArray(value) ? value[0] : value
  if (!isObject(answer)) return null
  const own = errorIn(answer)
  if (own && own.message !== '') return own
  const message = firstText(answer)
  if (message === '') return own && { ...own, message: own.type || own.code }
  return {
    message,
    type: own?.type || codeName(answer['type']),
    code: own?.code || codeName(answer['code']),
    param: null,
  }
}

function fromObject(error: JsonObject): ErrorView {
  const view = {
    message: clipMessage(firstText(error)),
    type: codeName(error['type']),
    code: codeName(error['code']),
    param: typeof error['param'] === 'string' ? error['param'].slice(0, maxNameLength) : null,
  }
  const { metadata } = error
  return isObject(metadata) ? withMetadata(view, metadata) : view
}

/** OpenRouter tells what its own upstream said in addition to a general sentence. https://openrouter.ai/docs/api-reference/errors */
function withMetadata(view: ErrorView, { raw, error_type, param }: JsonObject): ErrorView {
  const named = { ...view, type: view.type || codeName(error_type), param: view.param ?? (codeName(param) || null) }
  if (typeof raw !== 'string' || raw.trim() === '') return named
  const reported = raw.trimStart().startsWith('{') ? fromJson(parseOrNull(raw)) : null
  if (reported === null) return { ...named, message: clipMessage(`${view.message}: ${raw}`) }
  return { ...named, message: reported.message, type: reported.type || named.type, code: reported.code || named.code }
}

/** Where other vendors keep the sentence, in the order they are tried. */
const places: readonly (readonly string[])[] = [
  ['message'],
  ['Message'],
  ['msg'],
  ['err'],
  ['error_msg'],
  ['error_message'],
  ['errorMessage'],
  ['header', 'message'],
  ['response', 'error', 'message'],
  ['detail'],
  ['error_description'],
  ['errors', '0', 'message'],
  ['fault', 'faultstring'],
]

/** The sentence of an error, wherever the vendor keeps it; empty when there is none. */
export function firstText(answer: JsonObject): string {
  for (const place of places) {
    const text = place.reduce(memberOf, answer)
    if (typeof text === 'string' && text.trim() !== '') return clipMessage(text)
  }
  const { message, detail } = answer
  return placedText(detail) || placedText(memberOf(message, 'detail'))
}

/** What is made with pydantic tells the place of a fault apart from its sentence, as `["body", "messages", 0]`. */
function placedText(detail: unknown): string {
  const first = memberOf(detail, '0')
  const [sentence, place] = [memberOf(first, 'msg'), memberOf(first, 'loc')]
  if (typeof sentence !== 'string') return ''
  const path = Array.isArray(place) ? place.filter((step) => step !== 'body').join('.') : ''
  return clipMessage(path === '' ? sentence : `${path}: ${sentence}`)
}

const memberOf = (value: unknown, name: string): unknown =>
  Array.isArray(value) ? value[Number(name)] : isObject(value) ? value[name] : undefined

/** A code or a type as text; empty when there is none. */
export const codeName = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, maxNameLength) : typeof value === 'number' ? String(value) : ''

const clipMessage = (text: string): string =>
  text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}…` : text.trim()
