import type { RequestView } from '../../core/views'
import type { JsonObject } from '../../core/json'
import { readModel, requireInput, wholeView } from '../../core/shared/fields'

/**
 * The view of an embedding request. https://platform.openai.com/docs/api-reference/embeddings/create
 * @throws DialectError
 */
export function readEmbeddingRequest(body: JsonObject, model?: string): RequestView {
  const view = wholeView(readModel(body, model))
  requireInput(body, 'input')
  return view
}
