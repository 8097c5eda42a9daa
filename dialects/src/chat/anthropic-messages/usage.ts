import { isObject, type JsonObject } from '../../core/json'
import { reportedUsage, toolCallCounts } from '../../core/shared/reported-usage'
import { TokenCounts } from '../../core/shared/usage'
import type { ReportedUsage, Usage, UsageDetails } from '../../core/usage'

/** More than a usage has: what has more is not one. */
const maxMembers = 256

/** Each member of a usage is the latest total: what a later event leaves out keeps what an earlier one said. */
export function mergedUsage(before: JsonObject, later: unknown): JsonObject {
  if (!isObject(later)) return before
  const reportedCounts = Object.entries(later).filter(([, value]) => value !== null && value !== undefined)
  const merged = { ...before, ...Object.fromEntries(reportedCounts), ...freshInput(before, later) }
  return Object.keys(merged).length > maxMembers ? before : merged
}

const cacheMembers = ['cache_read_input_tokens', 'cache_creation_input_tokens'] as const

/**
 * Returns the input without the cached part, where the start of a stream counted the prompt before its host had looked into the cache:
 * DashScope names the cache at the end alone, and the input no more.
 */
function freshInput(before: JsonObject, later: JsonObject): JsonObject {
  const { input_tokens: input } = before
  if (typeof input !== 'number' || typeof later['input_tokens'] === 'number') return {}
  if (cacheMembers.some((name) => typeof before[name] === 'number')) return {}
  const cached = cacheMembers.reduce((sum, name) => sum + new TokenCounts().of(later[name]), 0)
  return cached > 0 ? { input_tokens: Math.max(input - cached, 0) } : {}
}

/**
 * The usage of a message. Here `input_tokens` leaves out what was read from the cache or written to it.
 * Null when there is none or when a count cannot be believed: then it has to be estimated.
 */
export function readUsage(usage: unknown): ReportedUsage | null {
  if (!isObject(usage)) return null
  const counts = new TokenCounts()
  const fresh = counts.first(usage['input_tokens'])
  const cachedTokens = counts.of(usage['cache_read_input_tokens'])
  const split = membersOf(usage['cache_creation'])
  const cacheWriteHourTokens = counts.of(split['ephemeral_1h_input_tokens'])
  const writtenTokens = Math.max(
    counts.of(usage['cache_creation_input_tokens']),
    counts.of(split['ephemeral_5m_input_tokens']) + cacheWriteHourTokens,
  )
  const ran = membersOf(usage['server_tool_use'])
  const details = detailsOf(usage)
  const read = reportedUsage({
    promptTokens:
      fresh === null && cachedTokens + writtenTokens === 0 ? null : (fresh ?? 0) + cachedTokens + writtenTokens,
    completionTokens: counts.first(usage['output_tokens']),
    totalTokens: null,
    cachedTokens,
    cacheWriteTokens: writtenTokens - cacheWriteHourTokens,
    cacheWriteHourTokens,
    imageTokens: 0,
    audioInputTokens: 0,
    audioOutputTokens: 0,
    reasoningTokens: counts.of(membersOf(usage['output_tokens_details'])['thinking_tokens']),
    toolCalls: toolCallCounts({
      webSearch: counts.of(ran['web_search_requests']),
      codeInterpreter: counts.of(ran['code_execution_requests']),
      webFetch: counts.of(ran['web_fetch_requests']),
    }),
    ...(details && { details }),
  })
  return counts.isWrong ? null : read
}

/** Whether a block is a search that the vendor makes; each is billed. */
export const isWebSearch = ({ type, name }: JsonObject): boolean => type === 'server_tool_use' && name === 'web_search'

/** No honest answer has more model runs behind it or longer words about them; what is beyond is not recorded. */
const maxIterations = 64
const maxWordLength = 64

/** How the message was served, which decides its price. https://platform.claude.com/docs/en/api/messages */
function detailsOf(usage: JsonObject): UsageDetails | null {
  const { iterations } = usage
  const details: UsageDetails = {
    ...wordIn(usage, 'service_tier'),
    ...wordIn(usage, 'speed'),
    ...wordIn(usage, 'inference_geo'),
    ...(Array.isArray(iterations) &&
      iterations.length > 0 && { iterations: iterations.filter(isObject).slice(0, maxIterations).map(plainMembers) }),
  }
  return Object.keys(details).length > 0 ? details : null
}

function wordIn(usage: JsonObject, name: 'service_tier' | 'speed' | 'inference_geo') {
  const word = usage[name]
  return typeof word === 'string' && word !== '' && word.length <= maxWordLength ? { [name]: word } : {}
}

const plainMembers = (iteration: JsonObject): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(iteration).flatMap(([name, value]) =>
      typeof value === 'number' || (typeof value === 'string' && value.length <= maxWordLength) ? [[name, value]] : [],
    ),
  )

const membersOf = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** The totals that both a message and the end of its stream tell. */
function totals(usage: Usage): JsonObject {
  const { promptTokens, cachedTokens, cacheWriteTokens, cacheWriteHourTokens, completionTokens } = usage
  const written = cacheWriteTokens + cacheWriteHourTokens
  const { webSearch = 0 } = usage.toolCalls
  return {
    input_tokens: Math.max(promptTokens - cachedTokens - written, 0),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cachedTokens,
    output_tokens: completionTokens,
    ...(usage.reasoningTokens > 0 && { output_tokens_details: { thinking_tokens: usage.reasoningTokens } }),
    ...(webSearch > 0 && { server_tool_use: { web_search_requests: webSearch, web_fetch_requests: 0 } }),
  }
}

/** A usage as a whole message and the start of a stream have it. */
export const usageBody = (usage: Usage): JsonObject => ({
  ...totals(usage),
  cache_creation: {
    ephemeral_5m_input_tokens: usage.cacheWriteTokens,
    ephemeral_1h_input_tokens: usage.cacheWriteHourTokens,
  },
  service_tier: 'standard',
})

/** A usage as `message_delta` has it. */
export const deltaUsageBody = totals
