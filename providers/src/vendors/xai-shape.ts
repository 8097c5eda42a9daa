import { isObject, type JsonObject } from '@tollgate/dialects'

import { memberPaths } from '../member-path'
import type { ModeTarget, ShapedBody, Target } from '../provider'
import { withReasoning } from '../reasoning'
import { type Refused, withoutRefused } from '../refused'
import { hasHostedTool } from '../responses-only'
import { renameMember, shapedWith, withMember, withoutMembers } from '../shape'

const searchSuffix = '-search'
/** Agents that work together, whose effort says how many they are. */
const multiAgent = /multi-agent/
/** The models that take `reasoning_effort`. https://docs.x.ai/developers/model-capabilities/text/reasoning */
const withEffort = /^grok-(?:3-mini|4\.[3-9](?!\d)|[5-9]|4\.20-multi-agent)/
/** https://ai-sdk.dev/providers/ai-sdk-providers/xai */
const withExtraHigh = /^grok-4\.(?:6(?!\d)|20-multi-agent)/
/** From Grok 4.5 on a model always thinks. */
const alwaysThinks = /^grok-(?:3-mini|4\.[4-9]|[5-9]|4\.20-multi-agent)/
/** Models that think refuse these, and those whose thinking has no efforts refuse to be told one. https://docs.x.ai/docs/guides/reasoning */
const thinkers = /^grok-(?:3-mini|4|code)(?!.*non-reasoning)/
const withoutEffort = /^grok-(?:2|3(?!-mini)|4(?:-|$)|4\.20(?!-multi-agent)|code)/

const effortSuffix = /-(high|medium|low)$/

/**
 * Returns whether the vendor serves this request by Responses alone: searches and other tools of its own, which chats no longer have (“Live
 * search is deprecated”, with status 410), and several agents. https://docs.x.ai/docs/guides/tools/overview
 */
export function needsXAiResponses({ model, body = {} }: Pick<ModeTarget, 'model' | 'body'>): boolean {
  if (model.endsWith(searchSuffix) || multiAgent.test(model)) return true
  const { web_search_options: options, search_parameters: parameters } = body
  const isSearching = isObject(parameters) && parameters['mode'] !== 'off'
  return isObject(options) || isSearching || hasHostedTool(body)
}

const refusedBy = (model: string): Refused => ({
  members: [...(thinkers.test(model) ? sampling : []), ...(withoutEffort.test(model) ? efforts : [])],
})
const sampling = memberPaths('presence_penalty', 'frequency_penalty', 'stop')
const efforts = memberPaths('reasoning_effort')

/** What a chat may ask of the model at all; models with an effort count their limit anew. */
export const shapeXAiChat = shapedWith((body, { model }) => {
  const searched = withoutMembers(body, 'search_parameters')
  if (!withEffort.test(model)) return { body: searched }
  const limited = renameMember(searched, 'max_tokens', 'max_completion_tokens')
  const { named, effort, ...rest } = readEffort(model, limited['reasoning_effort'])
  const shaped =
    effort === undefined ? withoutMembers(limited, 'reasoning_effort') : withMember(limited, 'reasoning_effort', effort)
  return { body: named === model ? shaped : withMember(shaped, 'model', named), ...rest }
}, withoutRefused(refusedBy))

/** The same as Responses say it, where searching is a tool. */
export function shapeXAiResponses(body: JsonObject, { model }: Pick<Target, 'model'>): ShapedBody {
  const isSearching = model.endsWith(searchSuffix)
  const name = isSearching ? model.slice(0, -searchSuffix.length) : model
  const searched = isSearching ? withSearch(withMember(body, 'model', name)) : body
  const requested = isObject(body['reasoning']) ? body['reasoning']['effort'] : undefined
  const { named, effort, ...rest } = readEffort(name, requested)
  const shaped = named === name ? searched : withMember(searched, 'model', named)
  if (effort === requested) return { body: shaped, ...rest }
  return { body: effort === undefined ? withoutEffortOf(shaped) : withReasoning(shaped, effort), ...rest }
}

/** The effort that the end of a model's name chooses, or else the requested one, in a word of the model's. */
function readEffort(model: string, requested: unknown) {
  if (!withEffort.test(model))
    return { named: model, ...(typeof requested === 'string' && { leftOut: ['the effort of thinking'] }) }
  const match = effortSuffix.exec(model)
  if (match?.[1] !== undefined)
    return { named: model.slice(0, match.index), effort: match[1], reasoningEffort: match[1] }
  if (requested === 'none' && alwaysThinks.test(model))
    return { named: model, leftOut: ['that nothing is thought, which the model always does'] }
  return { named: model, ...(typeof requested === 'string' && { effort: effortWord(requested, model) }) }
}

function effortWord(requested: string, model: string): string {
  if (requested === 'minimal') return 'low'
  return requested === 'xhigh' || requested === 'max' ? (withExtraHigh.test(model) ? 'xhigh' : 'high') : requested
}

function withoutEffortOf(body: JsonObject): JsonObject {
  const reasoning = isObject(body['reasoning']) ? withoutMembers(body['reasoning'], 'effort') : {}
  return Object.keys(reasoning).length > 0
    ? withMember(body, 'reasoning', reasoning)
    : withoutMembers(body, 'reasoning')
}

function withSearch(body: JsonObject): JsonObject {
  const tools: readonly unknown[] = Array.isArray(body['tools']) ? body['tools'] : []
  if (tools.some((tool) => isObject(tool) && tool['type'] === 'web_search')) return body
  return withMember(body, 'tools', [...tools, { type: 'web_search' }])
}
