import type { RequestView } from '../../core/views'
import type { JsonObject } from '../../core/json'
import { readModel, requireInput, wholeView } from '../../core/shared/fields'

/** What is used when the client names no model. */
const defaultModel = 'text-moderation-stable'

/**
 * The view of a moderation request. https://platform.openai.com/docs/api-reference/moderations/create
 * @throws DialectError
 */
export function readModerationRequest(body: JsonObject, model: string = defaultModel): RequestView {
  const view = wholeView(readModel(body, model))
  requireInput(body, 'input')
  return view
}
