import type { RequestView } from '../../core/views'
import { isObject, type JsonObject } from '../../core/json'
import { readFlag, readMaxTokens, readModel, requireInput, wrongType } from '../../core/shared/fields'

/** Where the vendor keeps what a request may build on instead of an input. */
const storedContextNames = ['previous_response_id', 'conversation', 'prompt'] as const

/**
 * The view of a request for a response. https://platform.openai.com/docs/api-reference/responses/create
 * Streams always tell their usage.
 * @throws DialectError
 */
export function readResponsesRequest(body: JsonObject, model?: string): RequestView {
  const view = { model: readModel(body, model), isStream: readFlag(body, 'stream') }
  readFlag(body, 'background')
  if (!isSet(body['input']) && storedContextNames.some((name) => isSet(body[name])))
    requireId(body['previous_response_id'])
  else requireItems(body)
  return { ...view, includeUsage: true, maxOutputTokens: readMaxTokens(body, 'max_output_tokens'), choices: 1 }
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null

function requireId(previous: unknown): void {
  if (isSet(previous) && typeof previous !== 'string') throw wrongType('previous_response_id', 'a string', previous)
}

function requireItems(body: JsonObject): void {
  requireInput(body, 'input')
  const { input } = body
  if (!Array.isArray(input)) return
  const index = input.findIndex((item) => !isObject(item))
  if (index >= 0) throw wrongType(`input[${index}]`, 'an object', input[index])
}
