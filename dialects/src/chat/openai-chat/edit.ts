import { isObject, type JsonObject } from '../../core/json'
import type { ChunkChange } from '../../core/dialect'

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
  const index = messages.findIndex(isSystem)
  if (index < 0) return { ...body, messages: [{ role: 'system', content: text }, ...messages] }
  const own: unknown = messages[index]
  if (!isFirst || !isObject(own)) return body
  return { ...body, messages: messages.with(index, { ...own, content: prependText(text, own['content']) }) }
}

const prependText = (text: string, content: unknown): unknown => {
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
const protectedMembers: ReadonlySet<string> = new Set(['model', 'stream'])

/**
 * The body with these members in place of its own; a dotted name leads into objects, and null removes. An object with a null in it, however
 * deep, changes only the members that it names; any other takes the place of what was there. `model` and `stream` stay. The same object when
 * nothing changes.
 */
export function withParamOverride(body: JsonObject, override: Readonly<JsonObject> | null): JsonObject {
  let result = body
  for (const [name, value] of Object.entries(override ?? {})) {
    const path = name.split('.')
    if (protectedMembers.has(path[0] ?? '')) continue
    result = value === null ? withoutAt(result, path) : withAt(result, path, value)
  }
  return result
}

/** The body with these members where it has none, or null. Names and nulls are those of `withParamOverride`. */
export function withParamDefaults(body: JsonObject, defaults: Readonly<JsonObject>): JsonObject {
  let result = body
  for (const [name, value] of Object.entries(defaults)) {
    const path = name.split('.')
    if (protectedMembers.has(path[0] ?? '') || value === null || !isFree(result, path)) continue
    result = withAt(result, path, value)
  }
  return result
}

type Path = readonly string[]

const own = (object: JsonObject, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined)

/** Anything but an object on the path gives way to one. */
function withAt(object: JsonObject, [name = '', ...rest]: Path, value: unknown): JsonObject {
  const current = own(object, name)
  const before = isObject(current) ? current : {}
  const next = rest.length === 0 ? applyTo(current, value) : withAt(before, rest, value)
  return next === current || next === before ? object : { ...object, [name]: next }
}

/** What an override makes of a value; the same value where there is nothing to change. */
function applyTo(current: unknown, value: unknown): unknown {
  if (!isObject(value) || !hasNull(value)) return value
  const before = isObject(current) ? current : {}
  const changed = Object.entries(value).reduce(
    (object, [name, member]) => (member === null ? withoutAt(object, [name]) : withAt(object, [name], member)),
    before,
  )
  return changed === before ? current : changed
}

const hasNull = (object: JsonObject): boolean =>
  Object.values(object).some((value) => value === null || (isObject(value) && hasNull(value)))

function withoutAt(object: JsonObject, [name = '', ...rest]: Path): JsonObject {
  if (!Object.hasOwn(object, name)) return object
  const current = object[name]
  if (rest.length > 0) {
    const next = isObject(current) ? withoutAt(current, rest) : current
    return next === current ? object : { ...object, [name]: next }
  }
  return Object.fromEntries(Object.entries(object).filter(([other]) => other !== name))
}

function isFree(object: JsonObject, [name = '', ...rest]: Path): boolean {
  const current = own(object, name) ?? null
  if (current === null) return true
  return rest.length > 0 && isObject(current) && isFree(current, rest)
}

/** Leaves out `usage: null`, which OpenAI's chunks have where usage is asked for. */
export const withoutNullUsage: ChunkChange = {
  chunk({ usage, ...chunk }) {
    return [usage === null || usage === undefined ? chunk : { ...chunk, usage }]
  },
  end: () => [],
}
