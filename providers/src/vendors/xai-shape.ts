import type { JsonObject } from '@tollgate/dialects'

import type { ShapedBody, Target } from '../provider'
import { renamed, withMember } from '../shape'

const searchSuffix = '-search'
/** The models that take `reasoning_effort`. */
const withEffort = /^grok-(?:3-mini|4\.[35](?!\d))/
const effortSuffix = /-(high|medium|low)$/

/** Search and effort are chosen by the end of a model's name; models with an effort count their limit anew. */
export function shapeXAi(body: JsonObject, { model }: Pick<Target, 'model'>): ShapedBody {
  if (model.endsWith(searchSuffix)) {
    const name = model.slice(0, -searchSuffix.length)
    return shapeEffort({ search_parameters: { mode: 'on' }, ...body, model: name }, name)
  }
  return shapeEffort(body, model)
}

function shapeEffort(body: JsonObject, model: string): ShapedBody {
  if (!withEffort.test(model)) return { body }
  const shaped = renamed(body, 'max_tokens', 'max_completion_tokens')
  const match = effortSuffix.exec(model)
  if (match?.[1] === undefined) return { body: shaped }
  const effort = match[1]
  return {
    body: withMember(withMember(shaped, 'model', model.slice(0, match.index)), 'reasoning_effort', effort),
    reasoningEffort: effort,
  }
}
