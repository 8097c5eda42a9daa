import type { ModelEntry } from '@tollgate/models'
import { maxDrawnUnits, type ReportedUsage, type ToolCalls } from '@tollgate/dialects'

/*
 * Upper bounds of what an upstream can have used. They are wide: a call above them is not expensive but impossible, so the upstream's
 * meter is wrong. Where nothing is known they only keep one wrong response from ruining a balance.
 */

/** What is known about a call whose usage is examined. */
export interface UsageEvidence {
  /** Size of the body that was sent upstream. */
  readonly requestBytes: number
  /** The body shows the whole prompt: no files, media or sources that the vendor adds. */
  readonly isPromptShown: boolean
  /** Estimated from the body. */
  readonly promptTokens: number
  /** The most tokens one response may have; null when the client set no limit. */
  readonly maxOutputTokens: number | null
  /** The number of choices requested. */
  readonly choices: number
  /** Size of the generated text that arrived. */
  readonly textBytes: number
  /** Returns how often a tool of the vendor can have run: Infinity where the request does not limit it. */
  readonly maxToolUses: (tool: keyof ToolCalls) => number
  /** Returns whether the request asks for a spoken answer. */
  readonly isSpoken: () => boolean
  /** The most pictures of the answer. */
  readonly images: number
  /** Null when the catalog does not know the model. */
  readonly model: Pick<ModelEntry, 'contextTokens' | 'outputTokens' | 'abilities' | 'output'> | null
}

/** The largest window that any vendor sells. */
const maxWindow = 10_000_000
/** A vendor's tools read their prompt again after each call, and some windows grow by a header of the request. */
const windowSlack = 8
/** What a vendor may put before a prompt: instructions, descriptions of tools, documents found by an application. */
const promptSlack = 131_072
/** A token is at least one byte; a model's template at most doubles the shortest messages. */
const tokensPerByte = 2
/** For an unknown model, which may be an application with documents of its own. */
const unknownPromptSlack = 1_000_000
const unknownPromptFactor = 100

/** Returns the most tokens a prompt can have had. */
export function maxPlausiblePromptTokens(evidence: UsageEvidence): number {
  const { model, isPromptShown, requestBytes, promptTokens, choices } = evidence
  if (model === null && isPromptShown) return unknownPromptSlack + promptTokens * unknownPromptFactor
  if (isPromptShown) return promptSlack + requestBytes * tokensPerByte
  return Math.max((model?.contextTokens ?? maxWindow / windowSlack) * windowSlack * choices, promptSlack)
}

/** The longest reasoning that some vendors do not count against the limit. */
const reasoningSlack = 131_072
/** Ends of messages, tool calls, and the last token before a limit is noticed. */
const outputSlack = 1024
/** No model generates more. */
const maxGeneratedTokens = 1_000_000

/** Returns the most tokens a completion can have had. */
export function maxPlausibleCompletionTokens(evidence: UsageEvidence, reportsReasoning: boolean): number {
  const { model, maxOutputTokens, choices, textBytes } = evidence
  const canReason = reportsReasoning || model === null || model.abilities.includes('reasoning')
  const withSlack = (limit: number) => limit + (canReason && limit > 0 ? reasoningSlack : outputSlack)
  const window = model?.contextTokens ?? maxGeneratedTokens
  const maxUnlimited =
    typeof model?.outputTokens === 'number' ? Math.min(withSlack(model.outputTokens), window) : window
  const each = maxOutputTokens === null ? maxUnlimited : withSlack(maxOutputTokens)
  return each * choices + textBytes
}

/** More calls of one tool than a response can have. */
const maxToolCalls = 1000

/** Tools that have a price. */
const pricedTools = ['webSearch', 'fileSearch', 'codeInterpreter', 'imageGeneration'] as const

/** Below these no count of tokens is impossible, whatever else is known. */
const unsuspicious = { promptTokens: promptSlack, completionTokens: outputSlack } as const

/** Which counts of a usage are impossible. */
export interface Impossible {
  readonly prompt: boolean
  readonly completion: boolean
  /** Tokens of pictures or sound in a prompt that has neither. */
  readonly media: boolean
  /** Tokens of speech in an answer that is not spoken. */
  readonly speech: boolean
  /** The sum has more than its parts, and the model does not reason. */
  readonly isSumWrong: boolean
  /** How often tools can have run at most, where they are said to have run more often; null: they are possible. */
  readonly toolCalls: ToolCalls | null
  /** How many pictures there can be at most, where there are said to be more; null: they are possible. */
  readonly images: number | null
}

/**
 * Returns what is impossible about a usage; null when nothing is. `evidence` is only called for large counts, and for those of what not
 * every call may use.
 */
export function impossibleCounts(usage: ReportedUsage, evidence: () => UsageEvidence): Impossible | null {
  const { promptTokens, completionTokens, reasoningTokens, unexplainedTokens, details } = usage
  const mediaTokens = usage.imageTokens + usage.audioInputTokens
  const speechTokens = usage.audioOutputTokens
  const images = details?.image_count ?? 0
  const ran = pricedTools.some((tool) => (usage.toolCalls[tool] ?? 0) > 0)
  const isSmall = promptTokens <= unsuspicious.promptTokens && completionTokens <= unsuspicious.completionTokens
  const isPlain = !ran && images <= 1 && mediaTokens + speechTokens === 0
  if (isSmall && isPlain && unexplainedTokens === undefined) return null
  const known = evidence()
  const impossible: Impossible = {
    prompt: promptTokens > maxPlausiblePromptTokens(known),
    completion: completionTokens > maxPlausibleCompletionTokens(known, reasoningTokens > 0),
    // An application may add pictures and sound of its own, and a model that draws reads what it drew.
    media: mediaTokens > 0 && known.isPromptShown && known.model?.output.includes('image') === false,
    speech: speechTokens > 0 && known.model?.output.includes('audio') === false && !known.isSpoken(),
    isSumWrong: unexplainedTokens !== undefined && known.model?.abilities.includes('reasoning') === false,
    toolCalls: ran ? cutToolCalls(usage.toolCalls, known) : null,
    images: images > known.images ? known.images : null,
  }
  const { prompt, completion, media, speech, isSumWrong, toolCalls } = impossible
  const isAny = [prompt, completion, media, speech, isSumWrong].includes(true)
  return isAny || toolCalls !== null || impossible.images !== null ? impossible : null
}

/** Returns the calls of tools without those that the request cannot have caused; null where it can have caused all. */
function cutToolCalls(reported: ToolCalls, { maxToolUses }: UsageEvidence): ToolCalls | null {
  const limits = pricedTools.map((tool) => {
    const uses = Math.min(maxToolUses(tool), maxToolCalls)
    return [tool, tool === 'imageGeneration' ? uses * maxDrawnUnits : uses] as const
  })
  if (limits.every(([tool, limit]) => (reported[tool] ?? 0) <= limit)) return null
  const cut = limits.map(([tool, limit]) => [tool, Math.min(reported[tool] ?? 0, limit)] as const)
  return { ...reported, ...Object.fromEntries(cut) }
}
