import { DialectError } from '../../core/dialect-error'
import type { RequestView } from '../../core/views'
import { isObject, type JsonObject } from '../../core/json'
import { threadUnsupported } from './errors'
import { missing, readFlag, readMaxTokens, readModel, wrongType } from '../../core/shared/fields'

/**
 * The view of a request for a message. https://platform.claude.com/docs/en/api/messages/create
 * No tokens at all may be asked for: that fills the cache and generates nothing.
 * @throws DialectError
 */
export function readMessagesRequest(body: JsonObject, model?: string): RequestView {
  const view = { model: readModel(body, model), isStream: readFlag(body, 'stream') }
  const maxOutputTokens = readMaxTokens(body, 'max_tokens', 0)
  if (maxOutputTokens === null) throw missing('max_tokens')
  requireMessages(body['messages'])
  requireSystem(body['system'])
  refuseThread(body['thread'])
  return { ...view, includeUsage: true, maxOutputTokens, choices: 1 }
}

/**
 * The view of a request that asks how long a prompt is: the same without a limit.
 * https://platform.claude.com/docs/en/api/messages/count_tokens
 * @throws DialectError
 */
export function readCountTokensRequest(body: JsonObject, model?: string): RequestView {
  return readMessagesRequest({ ...body, max_tokens: 0, stream: false }, model)
}

/**
 * A conversation that the vendor keeps has no marks by which it could be known to be another user's. The vendor's SDKs then go on without
 * one: this is how it refuses requests that cannot have a thread.
 */
function refuseThread(thread: unknown): void {
  if (thread === undefined || thread === null) return
  const hint = "threads are not available here. Send the whole conversation in 'messages' instead."
  throw new DialectError('thread', threadUnsupported, `Invalid 'thread': ${hint}`)
}

const roles: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system'])

function requireMessages(messages: unknown): void {
  if (messages === undefined || messages === null) throw missing('messages')
  if (!Array.isArray(messages)) throw wrongType('messages', 'an array of objects', messages)
  if (messages.length === 0) {
    throw new DialectError('messages', 'empty_array', "Invalid 'messages': expected at least one message.")
  }
  messages.forEach((message: unknown, index) => {
    requireMessage(message, `messages.${index}`)
  })
}

function requireMessage(message: unknown, place: string): void {
  if (!isObject(message)) throw wrongType(place, 'an object', message)
  const { role, content } = message
  if (role === undefined) throw missing(`${place}.role`)
  if (!roles.has(role)) {
    const detail = "expected 'user', 'assistant' or 'system'"
    throw new DialectError(`${place}.role`, 'invalid_value', `Invalid '${place}.role': ${detail}.`)
  }
  if (content === undefined) throw missing(`${place}.content`)
  requireBlocks(content, `${place}.content`)
}

function requireSystem(system: unknown): void {
  if (system !== undefined && system !== null) requireBlocks(system, 'system')
}

/** A text, or a list of blocks that say what they are. */
function requireBlocks(content: unknown, place: string): void {
  if (typeof content === 'string') return
  if (!Array.isArray(content)) throw wrongType(place, 'a string or an array of objects', content)
  content.forEach((block: unknown, index) => {
    if (!isObject(block)) throw wrongType(`${place}.${index}`, 'an object', block)
    if (typeof block['type'] !== 'string') throw missing(`${place}.${index}.type`)
  })
}
