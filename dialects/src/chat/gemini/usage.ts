import { isObject, type JsonObject } from '../../core/json'
import { objectsOf, textOf, textsOf } from '../../core/neutral/read'
import { reportedUsage, toolCallCounts } from '../../core/shared/reported-usage'
import { TokenCounts } from '../../core/shared/usage'
import type { ReportedUsage, Usage, UsageDetails } from '../../core/usage'
import { member, memberList, memberObject } from '../../core/shared/google-members'

/**
 * The usage of a response. Thoughts and what tools put into the prompt are counted apart from the rest here.
 * Null when there is none or when a count cannot be believed: then it has to be estimated.
 * https://ai.google.dev/api/generate-content#UsageMetadata
 */
export function readUsage(response: JsonObject, webSearch = webSearches(response)): ReportedUsage | null {
  const usage = member(response, 'usageMetadata')
  if (!isObject(usage)) return null
  const counts = new TokenCounts()
  const prompt = counts.first(member(usage, 'promptTokenCount'))
  const toolPrompt = counts.of(member(usage, 'toolUsePromptTokenCount'))
  const candidates = counts.first(member(usage, 'candidatesTokenCount'))
  const reasoningTokens = counts.of(member(usage, 'thoughtsTokenCount'))
  const promptModalities = modalities(usage, 'promptTokensDetails', counts)
  const completionModalities = modalities(usage, 'candidatesTokensDetails', counts)
  const details = detailsOf(servedTier(usage), toolPrompt, promptModalities, completionModalities)
  const read = reportedUsage({
    promptTokens: prompt === null && toolPrompt === 0 ? null : (prompt ?? 0) + toolPrompt,
    completionTokens: candidates === null && reasoningTokens === 0 ? null : (candidates ?? 0) + reasoningTokens,
    totalTokens: counts.first(member(usage, 'totalTokenCount')),
    cachedTokens: counts.of(member(usage, 'cachedContentTokenCount')),
    cacheWriteTokens: 0,
    cacheWriteHourTokens: 0,
    imageTokens: promptModalities['IMAGE'] ?? 0,
    audioInputTokens: promptModalities['AUDIO'] ?? 0,
    audioOutputTokens: completionModalities['AUDIO'] ?? 0,
    reasoningTokens,
    toolCalls: toolCallCounts({ webSearch }),
    ...(details && { details }),
  })
  return counts.isWrong ? null : read
}

type Modalities = Readonly<Record<string, number>>

/** The tokens by kind, as `TEXT` or `IMAGE`. https://ai.google.dev/api/generate-content#Modality */
function modalities(usage: JsonObject, name: string, counts: TokenCounts): Modalities {
  const sums: Record<string, number> = {}
  for (const detail of memberList(usage, name)) {
    const modality = textOf(detail['modality'])
    if (/^[A-Z_]{1,32}$/.test(modality))
      sums[modality] = (sums[modality] ?? 0) + counts.of(member(detail, 'tokenCount'))
  }
  return sums
}

/** What Vertex AI calls the tiers. https://docs.cloud.google.com/vertex-ai/generative-ai/docs/priority-paygo */
const trafficTiers: Readonly<Record<string, string>> = {
  ON_DEMAND: 'standard',
  ON_DEMAND_FLEX: 'flex',
  ON_DEMAND_PRIORITY: 'priority',
}

/** The tier that served a response: priority is served as standard where there is too much of it. */
function servedTier(usage: JsonObject): string | undefined {
  const tier = textOf(member(usage, 'serviceTier'))
    .toLowerCase()
    .replace(/^service_tier_/, '')
  if (tier === 'flex' || tier === 'priority' || tier === 'standard') return tier
  return trafficTiers[textOf(member(usage, 'trafficType'))]
}

function detailsOf(
  tier: string | undefined,
  toolPrompt: number,
  prompt: Modalities,
  completion: Modalities,
): UsageDetails | null {
  const details: UsageDetails = {
    ...(tier !== undefined && { service_tier: tier }),
    ...(toolPrompt > 0 && { tool_use_prompt_tokens: toolPrompt }),
    ...(Object.keys(prompt).length > 0 && { prompt_modalities: prompt }),
    ...(Object.keys(completion).length > 0 && { completion_modalities: completion }),
  }
  return Object.keys(details).length > 0 ? details : null
}

/**
 * How many searches a response is charged for: models before the third generation by the grounded prompt, all others by
 * each different query that is not empty. Pages without a query stand for one.
 * https://ai.google.dev/gemini-api/docs/google-search#pricing
 */
export function webSearches(response: JsonObject): number {
  const grounds = objectsOf(response['candidates']).map((candidate) => memberObject(candidate, 'groundingMetadata'))
  const queries = grounds.flatMap((ground) => textsOf(member(ground, 'webSearchQueries')))
  const requested = new Set(queries.filter((query) => query.trim() !== '')).size
  if (requested === 0) return grounds.some(namesPage) ? 1 : 0
  return /^gemini-[12]\b/.test(textOf(member(response, 'modelVersion'))) ? Math.min(requested, 1) : requested
}

const namesPage = (ground: JsonObject): boolean =>
  memberList(ground, 'groundingChunks').some((chunk) => isObject(member(chunk, 'web')))

/** A usage as a response has it. */
export function usageBody(usage: Usage): JsonObject {
  const { promptTokens, completionTokens, reasoningTokens, cachedTokens } = usage
  const { imageTokens, audioInputTokens, audioOutputTokens } = usage
  const candidates = Math.max(completionTokens - reasoningTokens, 0)
  const prompt = details(promptTokens, { IMAGE: imageTokens, AUDIO: audioInputTokens })
  return {
    promptTokenCount: promptTokens,
    candidatesTokenCount: candidates,
    totalTokenCount: promptTokens + candidates + reasoningTokens,
    ...(cachedTokens > 0 && { cachedContentTokenCount: cachedTokens }),
    ...(prompt.length > 0 && { promptTokensDetails: prompt }),
    ...(audioOutputTokens > 0 && { candidatesTokensDetails: details(candidates, { AUDIO: audioOutputTokens }) }),
    ...(reasoningTokens > 0 && { thoughtsTokenCount: reasoningTokens }),
  }
}

/** The tokens by kind; what is of no other kind is text. */
function details(all: number, others: Readonly<Record<string, number>>): JsonObject[] {
  const counted = Object.entries(others).filter(([, count]) => count > 0)
  const text = all - counted.reduce((sum, [, count]) => sum + count, 0)
  return [...(text > 0 ? [['TEXT', text] as const] : []), ...counted].map(([modality, tokenCount]) => ({
    modality,
    tokenCount,
  }))
}
