import { elementsOf } from '../neutral/read'
import { member, memberObject } from './google-members'
import { isObject, type JsonObject } from '../json'
import type { ToolCalls } from '../usage'
import { imageToolOf, noImageTool, possibleUnits } from './drawn-units'

/** What a request may cause that costs more than text that is read and written. */
export interface PossibleUse {
  /** How long the vendor's cache is asked to keep what the request marks; null: nothing is marked. */
  readonly cacheMarks: '5m' | '1h' | null
  /** The answer may be spoken. */
  readonly isSpoken: boolean
  /** The vendor's own tools that the request offers, one call of each. */
  readonly tools: ToolCalls
  /** As many calls of each as the request allows; one, where it does not limit them. */
  readonly maxToolCalls: ToolCalls
}

const noTools: ToolCalls = {}

/** Text is read, and text is written. */
export const plainUse: PossibleUse = Object.freeze({
  cacheMarks: null,
  isSpoken: false,
  tools: noTools,
  maxToolCalls: noTools,
})

/** Text is read, and speech is made. */
export const spokenUse: PossibleUse = Object.freeze({ ...plainUse, isSpoken: true })

/** Returns what a request, in any dialect, may cause. Most cause nothing but text, for which there is one object. */
export function possibleUse(text: string, body: JsonObject): PossibleUse {
  // In a string of the body these quotes are escaped.
  const isMarked = text.includes('"cache_control"') || text.includes('"prompt_cache_breakpoint"')
  const isSpoken = speaks(body)
  const limits = toolLimits(body)
  if (!isMarked && !isSpoken && limits === noTools) return plainUse
  return {
    cacheMarks: isMarked ? (text.includes('"1h"') ? '1h' : '5m') : null,
    isSpoken,
    ...offeredTools(limits, body),
  }
}

/** Google's APIs take the number of a value as well. https://ai.google.dev/api/generate-content#Modality */
const audioNames: ReadonlySet<string> = new Set(['AUDIO', '3'])

/** `modalities` of OpenAI and its followers, `generationConfig.responseModalities` of Gemini. */
function speaks(body: JsonObject): boolean {
  const { modalities } = body
  if (modalities !== undefined) return elementsOf(modalities).includes('audio')
  const requested = member(memberObject(body, 'generationConfig'), 'responseModalities')
  return elementsOf(requested).some((name) => audioNames.has(String(name).toUpperCase()))
}

/** Beginnings of what dialects call the tools in their `type`, some of which are dated; Gemini's are members. */
const toolNames: readonly (readonly [prefix: string, tool: keyof ToolCalls])[] = [
  ['web_search', 'webSearch'],
  ['googleSearch', 'webSearch'],
  ['google_search', 'webSearch'],
  ['x_search', 'webSearch'],
  ['live_search', 'webSearch'],
  ['file_search', 'fileSearch'],
  ['code_interpreter', 'codeInterpreter'],
  ['code_execution', 'codeInterpreter'],
  ['image_generation', 'imageGeneration'],
]

/** More than a response has of one tool; what a request allows beyond is not held. */
const maxHeldUses = 100

function offeredTools(limits: ToolCalls, body: JsonObject): Pick<PossibleUse, 'tools' | 'maxToolCalls'> {
  if (limits === noTools) return { tools: noTools, maxToolCalls: noTools }
  const offered = Object.entries(limits).filter(([, limit]) => limit > 0)
  const drawing = imageToolOf(body)
  // A prompt that the vendor keeps may draw, and hardly any does.
  const minTools = offered.filter(([tool]) => tool !== 'imageGeneration' || drawing !== noImageTool)
  const unitsOf = (tool: string) => (tool === 'imageGeneration' ? possibleUnits(drawing) : 1)
  const usesOf = (limit: number) => (limit === Infinity ? 1 : Math.min(limit, maxHeldUses))
  return {
    tools: Object.fromEntries(minTools.map(([tool]) => [tool, unitsOf(tool)])),
    maxToolCalls: Object.fromEntries(offered.map(([tool, limit]) => [tool, unitsOf(tool) * usesOf(limit)])),
  }
}

/**
 * Returns how often each of the vendor's own tools can run for a request in any dialect: as it says (`max_uses`, `max_tool_calls`), else
 * Infinity; absent: not at all. A prompt that the vendor keeps may bring any tool.
 */
export function toolLimits(body: JsonObject): ToolCalls {
  if (isObject(body['prompt'])) return anyTool
  const { tools } = body
  const limits: { -readonly [Tool in keyof ToolCalls]: number } = requestsSearch(body) ? { webSearch: Infinity } : {}
  for (const tool of elementsOf(tools))
    if (isObject(tool))
      for (const name of kindsOf(tool)) limits[name] = (limits[name] ?? 0) + (countOf(tool['max_uses']) ?? Infinity)
  const max = countOf(body['max_tool_calls'])
  const found = Object.entries(limits)
  if (found.length === 0) return noTools
  return max === null ? limits : Object.fromEntries(found.map(([tool, limit]) => [tool, Math.min(limit, max)]))
}

const anyTool: ToolCalls = Object.freeze({
  webSearch: Infinity,
  fileSearch: Infinity,
  codeInterpreter: Infinity,
  imageGeneration: Infinity,
})

const countOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null

const noKinds: ReadonlySet<keyof ToolCalls> = new Set()

/** Returns which tools of the vendor an entry of `tools` stands for. */
function kindsOf(tool: JsonObject): ReadonlySet<keyof ToolCalls> {
  const names = toolNamesOf(tool)
  if (names.length === 0) return noKinds
  const kinds = toolNames.filter(([prefix]) => names.some((name) => name.startsWith(prefix)))
  return new Set(kinds.map(([, kind]) => kind))
}

/** Returns whether a model searches for every response: OpenAI's, Perplexity's, and any with OpenRouter's suffix. */
export const alwaysSearches = (model: string): boolean => searchingModel.test(model)

const searchingModel = /-search-(?:preview|api)\b|(?:^|\/)sonar\b|:online$/

/** Members by which vendors of OpenAI's dialect are asked to search: OpenAI, xAI, Alibaba, Baidu, Tencent, OpenRouter. */
function requestsSearch(body: JsonObject): boolean {
  const { web_search_options, search_parameters, enable_search, web_search, enable_enhancement, plugins } = body
  return (
    isObject(web_search_options) ||
    (isObject(search_parameters) && search_parameters['mode'] !== 'off') ||
    enable_search === true ||
    (isObject(web_search) && web_search['enable'] !== false) ||
    enable_enhancement === true ||
    elementsOf(plugins).some((plugin) => isObject(plugin) && plugin['id'] === 'web')
  )
}

const clientTypes: ReadonlySet<unknown> = new Set(['function', 'custom'])

/** Returns what an entry of `tools` names a tool of the vendor by; nothing for a function of the client. */
export function toolNamesOf(tool: JsonObject): readonly string[] {
  const { type } = tool
  if (typeof type === 'string') return clientTypes.has(type) ? [] : [type]
  return 'name' in tool || 'function' in tool ? [] : Object.keys(tool)
}
