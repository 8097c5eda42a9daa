import { readTextlessAnswer } from '../core/shared/response'
import { inputPrompt } from '../core/shared/prompt'
import { textlessDialect } from '../core/dialect-from-codec'
import { moderationNames } from '../core/shared/names'
import type { RequestView } from '../core/views'
import { type JsonObject, isObject } from '../core/json'
import { readModel, requireInput, wholeView } from '../core/shared/fields'

/** `POST /v1/moderations`. */
export const openAiModerations = textlessDialect({
  id: 'openai-moderations',
  names: moderationNames,
  readRequest: (body, pathContext) => readModerationRequest(body, pathContext.model || undefined),
  readPrompt: (body) => inputPrompt(body, 'input'),
  readAnswer: (answer) => readTextlessAnswer(answer, ['results']),
})

/** What is used when the client names no model. */
const defaultModel = 'text-moderation-stable'

/**
 * The view of a moderation request. https://platform.openai.com/docs/api-reference/moderations/create
 * @throws DialectError
 */
function readModerationRequest(body: JsonObject, model: string = defaultModel): RequestView {
  const view = wholeView(readModel(body, model))
  requireInput(body, 'input')
  return view
}

/**
 * An answer whose results say whether anything was flagged, which Mistral leaves to its reader. The same object when nothing is missing.
 * https://docs.mistral.ai/capabilities/guardrailing
 */
export function completeModeration(answer: JsonObject): JsonObject {
  const { results } = answer
  if (!Array.isArray(results) || !results.some(lacksVerdict)) return answer
  return { ...answer, results: results.map((result: unknown) => (lacksVerdict(result) ? withVerdict(result) : result)) }
}

const lacksVerdict = (result: unknown): result is JsonObject =>
  isObject(result) && isObject(result['categories']) && result['flagged'] === undefined

const withVerdict = (result: JsonObject): JsonObject => {
  const { categories } = result
  return { flagged: isObject(categories) && Object.values(categories).includes(true), ...result }
}
