import type { CallPlace, RequestView } from '../../core/views'
import { isObject, type JsonObject } from '../../core/json'
import { missing, readMaxTokens, readModel, requireInput, wholeView, wrongType } from '../../core/shared/fields'

/**
 * The view of a request for vectors. https://docs.ollama.com/api/embed
 * @throws DialectError
 */
export function readEmbedRequest(body: JsonObject, { model }: CallPlace): RequestView {
  const view = wholeView(readModel(body, model || undefined))
  const { input } = body
  requireInput(body, 'input')
  const place = Array.isArray(input) ? input.findIndex((text) => typeof text !== 'string') : -1
  if (place >= 0 && Array.isArray(input)) throw wrongType(`input[${place}]`, 'a string', input[place])
  readMaxTokens(body, 'dimensions')
  requireOptions(body)
  return view
}

/**
 * The view of a request for one vector, by the older call. https://github.com/ollama/ollama/blob/main/docs/api.md#generate-embedding
 * @throws DialectError
 */
export function readPromptRequest(body: JsonObject, { model }: CallPlace): RequestView {
  const view = wholeView(readModel(body, model || undefined))
  const { prompt = null } = body
  if (prompt === null) throw missing('prompt')
  if (typeof prompt !== 'string') throw wrongType('prompt', 'a string', prompt)
  requireOptions(body)
  return view
}

function requireOptions({ options = null }: JsonObject): void {
  if (options !== null && !isObject(options)) throw wrongType('options', 'an object', options)
}
