import type { PathContext, RequestView } from '../../core/views'
import type { JsonObject } from '../../core/json'
import { requireMessages } from '../openai-chat/request'
import { readFlag, readMaxTokens, readModel } from '../../core/shared/fields'

/**
 * The view of a chat request. https://docs.cohere.com/reference/chat
 * @throws DialectError
 */
export function readCohereRequest(body: JsonObject, pathContext: PathContext): RequestView {
  requireMessages(body['messages'])
  return readCommon(body, pathContext)
}

/** What both versions have in common. @throws DialectError */
export const readCommon = (body: JsonObject, { model }: PathContext): RequestView => ({
  model: readModel(body, model || undefined),
  isStream: readFlag(body, 'stream'),
  includeUsage: true,
  maxOutputTokens: readMaxTokens(body, 'max_tokens'),
  choices: 1,
})
