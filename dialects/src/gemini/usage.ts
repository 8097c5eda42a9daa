import { isObject, type JsonObject } from '../json'
import { objectsOf, textOf, textsOf } from '../neutral/read'
import type { Usage } from '../usage'
import { member, memberList, memberObject } from './members'

/** More tokens than any call can have; a vendor that says so is wrong. */
const mostTokens = 2 ** 30

/**
 * The usage of a response. Thoughts and what tools put into the prompt are counted apart from the rest here.
 * Null when there is none or when a count cannot be believed: then it has to be estimated.
 * https://ai.google.dev/api/generate-content#UsageMetadata
 */
export function readUsage(response: JsonObject, webSearch = webSearches(response)): Usage | null {
  const usage = member(response, 'usageMetadata')
  if (!isObject(usage)) return null
  const counts = new Counts(usage)
  const promptTokens = counts.of('promptTokenCount') + counts.of('toolUsePromptTokenCount')
  const reasoningTokens = counts.of('thoughtsTokenCount')
  const told = counts.of('candidatesTokenCount') + reasoningTokens
  // Some followers leave thoughts out of all but the total.
  const completionTokens = Math.max(told, counts.of('totalTokenCount') - promptTokens)
  const cachedTokens = Math.min(counts.of('cachedContentTokenCount'), promptTokens)
  const imageTokens = Math.min(counts.details('promptTokensDetails', 'IMAGE'), promptTokens)
  const audioInputTokens = Math.min(counts.details('promptTokensDetails', 'AUDIO'), promptTokens)
  const audioOutputTokens = Math.min(counts.details('candidatesTokensDetails', 'AUDIO'), completionTokens)
  if (counts.isWrong || promptTokens + completionTokens === 0) return null
  return {
    promptTokens,
    completionTokens,
    cachedTokens,
    cacheWriteTokens: 0,
    cacheWriteHourTokens: 0,
    imageTokens,
    audioInputTokens,
    audioOutputTokens,
    reasoningTokens,
    toolCalls: webSearch > 0 ? { webSearch } : {},
  }
}

/** Reads counts and remembers whether all could be believed. */
class Counts {
  isWrong = false

  constructor(private readonly usage: JsonObject) {}

  of(name: string): number {
    return this.#count(member(this.usage, name))
  }

  /** The tokens of one kind. */
  details(name: string, modality: string): number {
    return memberList(this.usage, name)
      .filter((detail) => detail['modality'] === modality)
      .reduce((sum, detail) => sum + this.#count(member(detail, 'tokenCount')), 0)
  }

  #count(value: unknown): number {
    if (value === undefined || value === null) return 0
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= mostTokens) return value
    this.isWrong = true
    return 0
  }
}

/**
 * How many searches a response is charged for: models before the third generation by the grounded prompt, all others by
 * each different query that is not empty. https://ai.google.dev/gemini-api/docs/google-search#pricing
 */
export function webSearches(response: JsonObject): number {
  const queries = objectsOf(response['candidates']).flatMap((candidate) =>
    textsOf(member(memberObject(candidate, 'groundingMetadata'), 'webSearchQueries')),
  )
  const asked = new Set(queries.filter((query) => query.trim() !== '')).size
  return /^gemini-[12]\b/.test(textOf(member(response, 'modelVersion'))) ? Math.min(asked, 1) : asked
}

/** Whether a usage tells of everything: those at a stream's beginning leave the answer out. */
export const covers = (usage: Usage, hasText: boolean): boolean => !hasText || usage.completionTokens > 0

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
