import { noUsage, type ReportedUsage, type ToolCalls, type UnreportedPart, type Usage } from '../usage'

/*
 * The one rule for usage, whatever the dialect. Vendors leave out a total, count reasoning or the cache apart from the total that
 * should include it, or report zeros for an answer that has text. A dialect's reader only says which counts it found;
 * here they become a usage whose parts add up, and what cannot be known is marked as unreported.
 */

/** The counts that a vendor wrote. Null: the count was not there. */
export interface RawCounts extends Omit<Usage, 'promptTokens' | 'completionTokens'> {
  readonly promptTokens: number | null
  readonly completionTokens: number | null
  readonly totalTokens: number | null
}

/** Returns the usage that these counts describe, or null when they tell neither total. */
export function reportedUsage(counts: RawCounts): ReportedUsage | null {
  const { promptTokens, completionTokens, totalTokens } = counts
  const isZero = !promptTokens && !completionTokens
  if (isZero && (totalTokens === null ? promptTokens === null && completionTokens === null : totalTokens > 0))
    return null
  const halves = fillHalves(promptTokens, completionTokens, totalTokens)
  const prompt = promptWithCache(halves, totalTokens, counts)
  const completion = completionWithReasoning(halves.completion ?? 0, prompt, totalTokens, counts.reasoningTokens)
  const usage = markUnreported(usageOf(counts, prompt, completion), halves.prompt === null, halves.completion === null)
  const unexplained = completionTokens === null ? 0 : completion - completionTokens - counts.reasoningTokens
  return unexplained > 0 ? { ...usage, unexplainedTokens: unexplained } : usage
}

/** Copies member by member: this runs for each answer, and several times in a stream. */
const usageOf = (counts: RawCounts, promptTokens: number, completionTokens: number): Usage => ({
  promptTokens,
  completionTokens,
  cachedTokens: counts.cachedTokens,
  cacheWriteTokens: counts.cacheWriteTokens,
  cacheWriteHourTokens: counts.cacheWriteHourTokens,
  imageTokens: counts.imageTokens,
  audioInputTokens: counts.audioInputTokens,
  audioOutputTokens: counts.audioOutputTokens,
  reasoningTokens: counts.reasoningTokens,
  toolCalls: counts.toolCalls,
  details: counts.details,
})

interface Halves {
  readonly prompt: number | null
  readonly completion: number | null
}

/** A total that is missing is the rest of the sum. A prompt of zero counts as missing where the sum says more. */
function fillHalves(prompt: number | null, completion: number | null, sum: number | null): Halves {
  if (sum === null) return { prompt, completion }
  if (sum === 0) return { prompt: prompt ?? 0, completion: completion ?? 0 }
  if (completion === null) return { prompt, completion: prompt === null ? null : Math.max(sum - prompt, 0) }
  if (!prompt && sum > completion) return { prompt: sum - completion, completion }
  return { prompt, completion }
}

/** The cache belongs to the prompt: where it is larger, or is exactly what the sum has beyond both totals, it was left out. */
function promptWithCache({ prompt, completion }: Halves, sum: number | null, counts: RawCounts): number {
  const cache = counts.cachedTokens + counts.cacheWriteTokens + counts.cacheWriteHourTokens
  if (cache === 0 || prompt === null) return prompt ?? 0
  const rest = sum === null ? 0 : sum - prompt - (completion ?? 0)
  const isLeftOut = cache > prompt || (rest === cache && rest !== counts.reasoningTokens)
  return isLeftOut ? prompt + cache : prompt
}

/** Reasoning belongs to the completion: where it is larger it was left out, and so was what the sum has beyond both totals. */
function completionWithReasoning(completion: number, prompt: number, sum: number | null, reasoning: number): number {
  const whole = reasoning > completion ? completion + reasoning : completion
  return sum === null || prompt === 0 ? whole : Math.max(whole, sum - prompt)
}

/** What is known of an answer when its usage is asked for. */
export interface OutputSoFar {
  /** Text or a tool call came. */
  readonly hasOutput: boolean
  /** No output came after the report. */
  readonly isCovered: boolean
  /** Built-in tools that were seen to run. */
  readonly toolCalls?: ToolCalls
}

/** Returns what of a report can be believed in view of the output that came; null when that is nothing. */
export function believedUsage(usage: ReportedUsage | null, output: OutputSoFar): ReportedUsage | null {
  const ran = maxCalls(usage?.toolCalls, output.toolCalls)
  if (usage === null) return hasCalls(ran) ? { ...noUsage, toolCalls: ran, unreported: 'all' } : null
  const { promptTokens, completionTokens, unreported } = usage
  const isOutputMissing = !output.isCovered || (output.hasOutput && completionTokens === 0)
  const isPromptMissing = promptTokens === 0 && (output.hasOutput || completionTokens > 0 || !output.isCovered)
  const believed = markUnreported(
    ran === usage.toolCalls ? usage : { ...usage, toolCalls: ran },
    isPromptMissing || unreported === 'prompt' || unreported === 'all',
    isOutputMissing || unreported === 'completion' || unreported === 'all',
  )
  const isEmpty = believed.unreported === 'all' && completionTokens === 0 && !hasCalls(ran)
  return isEmpty ? null : believed
}

/** Returns the usage of an answer that generates nothing: all of it is the prompt's. Null when no token was reported. */
export function promptUsage(usage: ReportedUsage | null): ReportedUsage | null {
  const promptTokens = usage === null ? 0 : usage.promptTokens + usage.completionTokens
  if (usage === null || promptTokens === 0) return null
  const { unreported: _, ...counts } = usage
  return { ...counts, promptTokens, completionTokens: 0 }
}

function markUnreported(usage: ReportedUsage, isPromptMissing: boolean, isCompletionMissing: boolean): ReportedUsage {
  const unreported = unreportedPart(isPromptMissing, isCompletionMissing)
  if (usage.unreported === unreported) return usage
  const { unreported: _, ...counts } = usage
  return unreported === undefined ? counts : { ...counts, unreported }
}

function unreportedPart(isPromptMissing: boolean, isCompletionMissing: boolean): UnreportedPart | undefined {
  if (isPromptMissing) return isCompletionMissing ? 'all' : 'prompt'
  return isCompletionMissing ? 'completion' : undefined
}

const hasCalls = ({
  webSearch = 0,
  fileSearch = 0,
  codeInterpreter = 0,
  imageGeneration = 0,
  webFetch = 0,
}: ToolCalls): boolean => webSearch + fileSearch + codeInterpreter + imageGeneration + webFetch > 0

/** Returns the larger count of each tool: a report may come before the last call, or leave calls out. */
function maxCalls(reported: ToolCalls = {}, seen: ToolCalls = {}): ToolCalls {
  if (!hasCalls(seen)) return reported
  return toolCallCounts({
    webSearch: Math.max(reported.webSearch ?? 0, seen.webSearch ?? 0),
    fileSearch: Math.max(reported.fileSearch ?? 0, seen.fileSearch ?? 0),
    codeInterpreter: Math.max(reported.codeInterpreter ?? 0, seen.codeInterpreter ?? 0),
    imageGeneration: Math.max(reported.imageGeneration ?? 0, seen.imageGeneration ?? 0),
    webFetch: Math.max(reported.webFetch ?? 0, seen.webFetch ?? 0),
  })
}

const noToolCalls: ToolCalls = {}

/** The tools that ran at least once. */
export const toolCallCounts = ({
  webSearch = 0,
  fileSearch = 0,
  codeInterpreter = 0,
  imageGeneration = 0,
  webFetch = 0,
}: ToolCalls): ToolCalls =>
  webSearch + fileSearch + codeInterpreter + imageGeneration + webFetch === 0
    ? noToolCalls
    : {
        ...(webSearch > 0 && { webSearch }),
        ...(fileSearch > 0 && { fileSearch }),
        ...(codeInterpreter > 0 && { codeInterpreter }),
        ...(imageGeneration > 0 && { imageGeneration }),
        ...(webFetch > 0 && { webFetch }),
      }
