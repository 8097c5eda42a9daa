import { isObject, type JsonObject } from '@tollgate/dialects'

import type { ShapedBody, Target } from '../provider'
import { withReasoning } from '../reasoning'
import { memberPaths } from '../member-path'
import { type Refused, withoutRefused } from '../refused'
import { renameMember, shapedWith, withMember, withoutMembers } from '../shape'

const searchSuffix = '-search'
/** The models that take `reasoning_effort`. https://docs.x.ai/developers/model-capabilities/text/reasoning */
const withEffort = /^grok-(?:3-mini|4\.[3-9](?!\d)|[5-9])/
/** Any other word than theirs is refused; from Grok 4.5 on a model always thinks. */
const effortWords: Readonly<Record<string, string>> = { minimal: 'low', xhigh: 'high', max: 'high' }
const alwaysThinks = /^grok-(?:3-mini|4\.[4-9]|[5-9])/
/** Models that think refuse these, and those whose thinking has no efforts refuse to be told one. https://docs.x.ai/docs/guides/reasoning */
const thinkers = /^grok-(?:3-mini|4|code)(?!.*non-reasoning)/
const withoutEffort = /^grok-(?:2|3(?!-mini)|4(?:-|$)|4\.20|code)/

const effortSuffix = /-(high|medium|low)$/

/** Search and effort are chosen by the end of a model's name; models with an effort count their limit anew. */
function shapeXAi(body: JsonObject, { model }: Pick<Target, 'model'>): ShapedBody {
  if (model.endsWith(searchSuffix)) {
    const name = model.slice(0, -searchSuffix.length)
    return shapeEffort({ search_parameters: { mode: 'on' }, ...body, model: name }, name)
  }
  return shapeEffort(body, model)
}

const refusedBy = (model: string): Refused => ({
  members: [...(thinkers.test(model) ? sampling : []), ...(withoutEffort.test(model) ? efforts : [])],
})
const sampling = memberPaths('presence_penalty', 'frequency_penalty', 'stop')
const efforts = memberPaths('reasoning_effort')

/** What a chat may ask of the model at all. */
export const shapeXAiChat = shapedWith(shapeXAi, withoutRefused(refusedBy))

/** The same as Responses say it, where searching is a tool. */
export function shapeXAiResponses(body: JsonObject, { model }: Pick<Target, 'model'>): ShapedBody {
  const isSearching = model.endsWith(searchSuffix)
  const name = isSearching ? model.slice(0, -searchSuffix.length) : model
  const requested = isSearching ? withSearch(withMember(body, 'model', name)) : body
  const match = withEffort.test(name) ? effortSuffix.exec(name) : null
  const effort = match?.[1]
  if (match === null || effort === undefined) return { body: requested }
  return {
    body: withReasoning(withMember(requested, 'model', name.slice(0, match.index)), effort),
    reasoningEffort: effort,
  }
}

function withSearch(body: JsonObject): JsonObject {
  const tools: readonly unknown[] = Array.isArray(body['tools']) ? body['tools'] : []
  if (tools.some((tool) => isObject(tool) && tool['type'] === 'web_search')) return body
  return withMember(body, 'tools', [...tools, { type: 'web_search' }])
}

function shapeEffort(body: JsonObject, model: string): ShapedBody {
  if (!withEffort.test(model)) return { body }
  const { reasoning_effort: requested } = body
  if (requested === 'none' && alwaysThinks.test(model)) {
    const shaped = shapeEffort(withoutMembers(body, 'reasoning_effort'), model)
    return { ...shaped, leftOut: ['that nothing is thought, which the model always does'] }
  }
  const word = typeof requested === 'string' ? effortWords[requested] : undefined
  const mappedBody = word === undefined ? body : withMember(body, 'reasoning_effort', word)
  const shaped = renameMember(mappedBody, 'max_tokens', 'max_completion_tokens')
  const match = effortSuffix.exec(model)
  if (match?.[1] === undefined) return { body: shaped }
  const effort = match[1]
  return {
    body: withMember(withMember(shaped, 'model', model.slice(0, match.index)), 'reasoning_effort', effort),
    reasoningEffort: effort,
  }
}
