import { isObject, type JsonObject } from '../json'

/*
 * Changes of a request body. All return the very same object when there is nothing to change, so that the client's own
 * bytes can go through, and never touch the one they were given.
 */

/** The body with another model. */
export const withModel = (body: JsonObject, model: string): JsonObject =>
  body['model'] === model ? body : { ...body, model }

/** The body that asks for usage at the end of the stream. */
export function withStreamUsage(body: JsonObject): JsonObject {
  const options = isObject(body['stream_options']) ? body['stream_options'] : {}
  return options['include_usage'] === true ? body : { ...body, stream_options: { ...options, include_usage: true } }
}

/** The body for an upstream that does not know `stream_options`. */
export function withoutStreamOptions(body: JsonObject): JsonObject {
  if (!('stream_options' in body)) return body
  const { stream_options: _, ...rest } = body
  return rest
}

const isSystem = (message: unknown): message is JsonObject =>
  isObject(message) && (message['role'] === 'system' || message['role'] === 'developer')

/** The body with this text as its system message when it has none; with `isFirst` also before the one it has. */
export function withSystemPrompt(body: JsonObject, text: string, isFirst = false): JsonObject {
  const { messages } = body
  if (text === '' || !Array.isArray(messages)) return body
  const place = messages.findIndex(isSystem)
  if (place < 0) return { ...body, messages: [{ role: 'system', content: text }, ...messages] }
  const own: unknown = messages[place]
  if (!isFirst || !isObject(own)) return body
  return { ...body, messages: messages.with(place, { ...own, content: prepended(text, own['content']) }) }
}

const prepended = (text: string, content: unknown): unknown => {
  if (Array.isArray(content)) return [{ type: 'text', text }, ...content]
  return typeof content === 'string' && content !== '' ? `${text}\n${content}` : text
}

/** They refuse the older name of the limit. https://platform.openai.com/docs/guides/reasoning */
const newerLimit = /^(?:[\w-]+\/)?(?:o\d|gpt-[5-9])/

/** The body with a limit on each answer, under the name that the model knows. */
export const withOutputLimit = (body: JsonObject, tokens: number, model: string): JsonObject => ({
  ...body,
  [newerLimit.test(model) ? 'max_completion_tokens' : 'max_tokens']: tokens,
})

/** What a channel may not set: the model is mapped elsewhere, and who streams is the client's choice. */
const kept: ReadonlySet<string> = new Set(['model', 'stream'])

/** The body with these members in place of its own; `model` and `stream` stay. */
export function withParamOverride(body: JsonObject, override: Readonly<JsonObject> | null): JsonObject {
  if (override === null) return body
  const changes = Object.entries(override).filter(([name, value]) => !kept.has(name) && body[name] !== value)
  return changes.length === 0 ? body : { ...body, ...Object.fromEntries(changes) }
}
