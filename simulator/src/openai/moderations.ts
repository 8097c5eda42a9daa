import { whole, type Answer } from '../answer'
import type { Behaviour } from '../behaviour'
import { textOr, type JsonObject } from '../json'
import { countedOf } from './usage'

const categories = ['harassment', 'hate', 'self-harm', 'sexual', 'violence']

/** Answer a moderation call; a text that names a category is flagged for it. */
export function moderations(body: JsonObject, behaviour: Behaviour, number: number): Answer {
  const inputs = Array.isArray(body['input']) ? body['input'] : [body['input']]
  const answerId = `modr-sim${number}`
  const results = inputs.map((input) => {
    const text = JSON.stringify(input) ?? ''
    const found = categories.map((category) => [category, text.includes(category)] as const)
    return {
      flagged: found.some(([, isFound]) => isFound),
      categories: Object.fromEntries(found),
      category_scores: Object.fromEntries(found.map(([category, isFound]) => [category, isFound ? 0.9 : 0.001])),
    }
  })
  const counted = countedOf(body, { completionTokens: 0 }, behaviour)
  return whole(
    { id: answerId, model: textOr(body['model'], 'omni-moderation-latest'), results },
    { ...counted, reported: undefined },
    answerId,
  )
}
