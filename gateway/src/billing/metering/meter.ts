import {
  noUsage,
  type AnswerView,
  type PromptShape,
  type ReportedUsage,
  type UnreportedPart,
  type Usage,
} from '@tollgate/dialects'

import { countCompletionTokens, countPromptTokens } from './tokens'
import { impossibleCounts, type Impossible, type UsageEvidence } from './usage-bounds'

/** What a call used, and how that is known. */
export interface Metered {
  readonly usage: Usage
  /** The totals that were counted here, as the upstream did not report them or reported something impossible. */
  readonly estimated?: UnreportedPart
  /** The impossible counts that the upstream reported. */
  readonly capped?: CappedCounts
}

/** Named as in the log row. */
export interface CappedCounts {
  readonly prompt_tokens?: number
  readonly completion_tokens?: number
  /** Calls of the built-in tool that was reported most often. */
  readonly tool_calls?: number
  readonly images?: number
  readonly seconds?: number
}

/** The response to be metered, and its request. */
export interface MeterInput {
  readonly responseView: Pick<AnswerView, 'usage' | 'toolCalls' | 'completionText'>
  readonly prompt: PromptShape
  /** Tokens before the prompt, of an earlier response. */
  readonly previousTokens?: number | undefined
  /** Decides the tokenizer. */
  readonly model: string
  /** Called only for a large usage. */
  readonly evidence: () => UsageEvidence
}

/** Returns what the upstream reported; null where that is not all, or not possible. */
export function meterNow({ responseView: { usage }, evidence }: MeterInput): Metered | null {
  if (usage === null || usage.unreported !== undefined || impossibleCounts(usage, evidence) !== null) return null
  return { usage }
}

/** Returns what the upstream reported, as far as it is possible; what is missing is counted with the model's tokenizer. */
export async function meter(input: MeterInput): Promise<Metered> {
  const { usage } = input.responseView
  if (usage === null) return countUnreported(input, noUsage, 'all')
  const impossible = impossibleCounts(usage, input.evidence)
  if (impossible === null)
    return usage.unreported === undefined ? { usage } : countUnreported(input, usage, usage.unreported)
  return capUsage(input, usage, impossible)
}

/** An unreported total is at least what was reported so far. */
async function countUnreported(
  { responseView, prompt, previousTokens = 0, model }: MeterInput,
  reported: ReportedUsage,
  part: UnreportedPart,
): Promise<Metered> {
  const { unreported: _, unexplainedTokens: __, ...usage } = reported
  const promptTokens =
    part === 'completion' ? usage.promptTokens : previousTokens + (await countPromptTokens(prompt, model))
  const completionTokens =
    part === 'prompt'
      ? usage.completionTokens
      : await countCompletionTokens(responseView.completionText(), responseView.toolCalls, model)
  return {
    usage: {
      ...usage,
      promptTokens: Math.max(usage.promptTokens, promptTokens),
      completionTokens: Math.max(usage.completionTokens, completionTokens),
    },
    estimated: part,
  }
}

/** No part of an impossible total is trusted; tokens of pictures and sound that cannot be are taken to be text. */
async function capUsage(input: MeterInput, reported: ReportedUsage, impossible: Impossible): Promise<Metered> {
  const usage: ReportedUsage = {
    ...reported,
    ...(impossible.isSumWrong && { completionTokens: reported.completionTokens - (reported.unexplainedTokens ?? 0) }),
    ...(impossible.media && noMediaUsage),
    ...(impossible.speech && noSpeechUsage),
    ...(impossible.prompt && noPromptUsage),
    ...(impossible.completion && noCompletionUsage),
    ...(impossible.toolCalls && { toolCalls: impossible.toolCalls }),
    ...(impossible.images !== null && { details: { ...reported.details, image_count: impossible.images } }),
  }
  const counts: CappedCounts = {
    ...((impossible.prompt || impossible.media) && { prompt_tokens: reported.promptTokens }),
    ...((impossible.completion || impossible.speech || impossible.isSumWrong) && {
      completion_tokens: reported.completionTokens,
    }),
    ...(impossible.toolCalls && { tool_calls: Math.max(...Object.values(reported.toolCalls)) }),
    ...(impossible.images !== null && { images: reported.details?.image_count }),
  }
  const part = joinedPart(reported.unreported, impossible)
  return { ...(part === undefined ? { usage } : await countUnreported(input, usage, part)), capped: counts }
}

const { promptTokens, cachedTokens, cacheWriteTokens, cacheWriteHourTokens, imageTokens, audioInputTokens } = noUsage
const noMediaUsage = { imageTokens, audioInputTokens, cachedAudioTokens: 0 }
const noPromptUsage = { promptTokens, cachedTokens, cacheWriteTokens, cacheWriteHourTokens, ...noMediaUsage }
const { completionTokens, audioOutputTokens, reasoningTokens } = noUsage
const noSpeechUsage = { audioOutputTokens }
const noCompletionUsage = { completionTokens, reasoningTokens, ...noSpeechUsage }

function joinedPart(
  unreported: UnreportedPart | undefined,
  { prompt, completion }: Impossible,
): UnreportedPart | undefined {
  const isPrompt = prompt || unreported === 'prompt' || unreported === 'all'
  const isCompletion = completion || unreported === 'completion' || unreported === 'all'
  if (isPrompt) return isCompletion ? 'all' : 'prompt'
  return isCompletion ? 'completion' : undefined
}
