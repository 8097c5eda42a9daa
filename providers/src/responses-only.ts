import { isObject, type JsonObject } from '@tollgate/dialects'

import type { ModeTarget } from './provider'
import { alwaysThinks, splitEffort, thinksByDefaultFrom, versionOf } from './reasoning'

/** Models that OpenAI serves by Responses alone. https://platform.openai.com/docs/models */
const models = /^(?:o\d+-pro|gpt-5(?:\.\d+)?-(?:pro|codex)|o\d+(?:-mini)?-deep-research|codex-|computer-use)/
/** Models that it serves by chat completions alone. */
const chatModels = /-search-preview|-search-api|-audio|^gpt-audio|-chat-latest$/

/**
 * Returns whether OpenAI serves this request by Responses alone: for its model, for tools of its own, or because a model of GPT-5.4 and
 * later thinks beside tools. https://platform.openai.com/docs/guides/migrate-to-responses
 */
export function needsResponses({
  model: name,
  dialect,
  body,
  hasResponses,
}: Omit<ModeTarget, 'key' | 'other'>): boolean {
  const { model, effort } = splitEffort(name)
  if (models.test(model)) return true
  if (body === undefined || hasResponses === false || chatModels.test(model)) return false
  const { tools } = body
  if (!Array.isArray(tools) || tools.length === 0) return false
  if (hasHostedTool(body)) return true
  const version = versionOf(model)
  if (version < toolsNeedResponses) return false
  if (alwaysThinks(model)) return true
  const isThinking = effort === undefined ? isThinkingRequested(body, dialect) : effort !== 'none'
  return isThinking ?? version >= thinksByDefaultFrom
}

const toolsNeedResponses = 504

const hostedTypes =
  /^(?:web_search|x_search|image_generation|code_interpreter|code_execution|file_search|computer_use|mcp)(?:_|$)/
const hostedMembers = ['googleSearch', 'google_search', 'codeExecution', 'code_execution'] as const

/** Returns whether a request has a tool that runs at the vendor. */
export const hasHostedTool = ({ tools }: JsonObject): boolean =>
  Array.isArray(tools) && tools.some((tool) => isObject(tool) && isHosted(tool))

/**
 * Returns whether a request of OpenAI's Responses has tools other than functions that the client runs, or calls of such: only OpenAI's own
 * models know them.
 */
export const hasClientTool = ({ tools, input }: JsonObject): boolean =>
  (Array.isArray(tools) && tools.some((tool) => isObject(tool) && clientTypes.test(String(tool['type'])))) ||
  (Array.isArray(input) && input.some((item) => isObject(item) && clientItems.test(String(item['type']))))

const clientTypes = /^(?:custom|namespace|apply_patch|shell|local_shell|tool_search)$/
const clientItems = /^(?:(?:custom_tool|apply_patch|shell|local_shell|tool_search)_(?:call|output)|additional_tools$)/

/** A tool that runs at the vendor: by its type, in Google's words by its member. */
const isHosted = (tool: JsonObject): boolean =>
  (typeof tool['type'] === 'string' && hostedTypes.test(tool['type'])) || hostedMembers.some((name) => name in tool)

/** Null: the request does not say. */
function isThinkingRequested(body: JsonObject, dialect: ModeTarget['dialect']): boolean | null {
  if (dialect === 'anthropic-messages') {
    const { thinking, output_config: config } = body
    if (isObject(thinking)) return thinking['type'] !== 'disabled' && thinking['type'] !== 'between_tools'
    return isObject(config) && config['effort'] !== undefined ? true : null
  }
  if (dialect === 'gemini') {
    const { generationConfig: config } = body
    const thinking = isObject(config) ? config['thinkingConfig'] : undefined
    return isObject(thinking) ? thinking['thinkingBudget'] !== 0 : null
  }
  const { reasoning_effort: effort } = body
  return typeof effort === 'string' ? effort !== 'none' : null
}
