import type { PathContext, RequestView } from '../../core/views'
import { DialectError } from '../../core/dialect-error'
import { isObject, type JsonObject } from '../../core/json'
import { requireMessages } from '../openai-chat/request'
import { readMaxTokens, readModel, wrongType } from '../../core/shared/fields'

/**
 * The view of a chat request. https://docs.ollama.com/api/chat
 * @throws DialectError
 */
export function readOllamaRequest(body: JsonObject, pathContext: PathContext): RequestView {
  requireMessages(body['messages'])
  return readCommon(body, pathContext)
}

/** What chats and prompts have in common. @throws DialectError */
export function readCommon(body: JsonObject, pathContext: PathContext): RequestView {
  const model = readModel(body, pathContext.model || undefined)
  const { stream = null, format = null } = body
  if (stream !== null && typeof stream !== 'boolean') throw wrongType('stream', 'a boolean', stream)
  if (format !== null && format !== '' && format !== 'json' && !isObject(format))
    throw new DialectError('format', 'invalid_value', "Invalid 'format': expected 'json' or a JSON schema.")
  return { model, isStream: stream !== false, includeUsage: true, maxOutputTokens: readLimit(body), choices: 1 }
}

/** The most tokens of an answer; null where it is not limited, which Ollama says with numbers below one too. */
export function readLimit({ options = null }: JsonObject): number | null {
  if (options === null) return null
  if (!isObject(options)) throw wrongType('options', 'an object', options)
  const limit = options['num_predict']
  return typeof limit === 'number' && limit < 1 ? null : readMaxTokens(options, 'num_predict')
}
