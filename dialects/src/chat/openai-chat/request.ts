import { DialectError } from '../../core/dialect-error'
import type { RequestView } from '../../core/views'
import { isObject, type JsonObject } from '../../core/json'
import {
  missing,
  readChoices,
  readFlag,
  readIncludeUsage,
  readMaxTokens,
  readModel,
  wrongType,
} from '../../core/shared/fields'

/**
 * The view of a chat request. https://platform.openai.com/docs/api-reference/chat/create
 * @throws DialectError
 */
export function readChatRequest(body: JsonObject, model?: string): RequestView {
  const name = readModel(body, model)
  const isStream = readFlag(body, 'stream')
  const includeUsage = readIncludeUsage(body)
  requireMessages(body['messages'])
  const older = readMaxTokens(body, 'max_tokens')
  const newer = readMaxTokens(body, 'max_completion_tokens')
  const maxOutputTokens = older === null || newer === null ? (newer ?? older) : Math.max(older, newer)
  return { model: name, isStream, includeUsage, maxOutputTokens, choices: readChoices(body) }
}

/** @throws DialectError for anything but a list of messages that is not empty. */
export function requireMessages(messages: unknown): void {
  if (messages === undefined || messages === null) throw missing('messages')
  if (!Array.isArray(messages)) throw wrongType('messages', 'an array of objects', messages)
  if (messages.length === 0) {
    throw new DialectError('messages', 'empty_array', "Invalid 'messages': expected at least one message.")
  }
  const index = messages.findIndex((message) => !isObject(message))
  if (index >= 0) throw wrongType(`messages[${index}]`, 'an object', messages[index])
}
