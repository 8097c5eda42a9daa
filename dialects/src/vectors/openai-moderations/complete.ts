import { isObject, type JsonObject } from '../../core/json'

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
