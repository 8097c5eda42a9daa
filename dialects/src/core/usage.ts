/** What a call used, in one meaning for all dialects. All counts are whole and not negative. */
export interface Usage {
  /** All input tokens: text, images, audio, and what was read from or written to a cache. */
  readonly promptTokens: number
  /** All output tokens, reasoning and audio included. */
  readonly completionTokens: number
  /** Part of the prompt that was read from the vendor's cache. */
  readonly cachedTokens: number
  /** Part of what was read from the cache that stands for audio; absent: none is known. */
  readonly cachedAudioTokens?: number
  /** Part of the prompt that was written to the cache for five minutes. */
  readonly cacheWriteTokens: number
  /** Part of the prompt that was written to the cache for an hour. */
  readonly cacheWriteHourTokens: number
  /** Part of the prompt that stands for images. */
  readonly imageTokens: number
  /** Part of the prompt that stands for audio. */
  readonly audioInputTokens: number
  /** Part of the completion that stands for audio. */
  readonly audioOutputTokens: number
  /** Part of the completion that is reasoning. */
  readonly reasoningTokens: number
  /** Duration of the recording in seconds, as the vendor reports it or as measured. */
  readonly seconds?: number
  /** How often each built-in tool of the vendor ran. */
  readonly toolCalls: ToolCalls
  /** What the vendor reports beyond the counts that have a price; recorded in the log row. */
  readonly details?: UsageDetails
}

export interface ToolCalls {
  readonly webSearch?: number
  readonly fileSearch?: number
  /** Sessions of the vendor's code interpreter. */
  readonly codeInterpreter?: number
  /** Pictures that the vendor's tool drew, counted in those of the lowest quality. */
  readonly imageGeneration?: number
  /** Pages that Anthropic's `web_fetch` tool read; has no price of its own. */
  readonly webFetch?: number
}

/** Named as the log row names them. */
export interface UsageDetails {
  /** OpenAI, Anthropic: the tier that really served the call, as `default`, `flex` or `priority`. */
  readonly service_tier?: string
  /** Anthropic: `standard` or `fast`. */
  readonly speed?: string
  /** Anthropic: where inference ran. */
  readonly inference_geo?: string
  /** Anthropic: the model runs behind one answer, each billed by its own model; unknown members are kept. */
  readonly iterations?: readonly Readonly<Record<string, string | number>>[]
  /** Gemini: the part of the prompt that built-in tools added. */
  readonly tool_use_prompt_tokens?: number
  /** Gemini: prompt tokens by modality, as `{ "TEXT": 12, "IMAGE": 258 }`. */
  readonly prompt_modalities?: Readonly<Record<string, number>>
  /** Gemini, OpenAI's pictures: completion tokens by modality. */
  readonly completion_modalities?: Readonly<Record<string, number>>
  /** Pictures in the answer. Those of a stream that are not yet complete do not count. */
  readonly image_count?: number
  /** What the answer says of its pictures. */
  readonly image_size?: string
  readonly image_quality?: string
}

/** The total that an upstream has not reported. `all`: neither, only tools that ran are known. */
export type UnreportedPart = 'prompt' | 'completion' | 'all'

/** What an upstream has reported so far. */
export interface ReportedUsage extends Usage {
  /** Absent: both totals were reported. An unreported total holds the least it can be. */
  readonly unreported?: UnreportedPart
  /** Part of the completion that the vendor's sum has beyond both totals: reasoning, where the model reasons. Absent: none. */
  readonly unexplainedTokens?: number
}

export const noUsage: Usage = {
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  cacheWriteHourTokens: 0,
  imageTokens: 0,
  audioInputTokens: 0,
  audioOutputTokens: 0,
  reasoningTokens: 0,
  toolCalls: {},
}
