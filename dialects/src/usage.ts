/** What a call used, in one meaning for all dialects. All counts are whole and not negative. */
export interface Usage {
  /** All input tokens: text, images, audio, and what was read from or written to a cache. */
  readonly promptTokens: number
  /** All output tokens, reasoning and audio included. */
  readonly completionTokens: number
  /** Part of the prompt that was read from the vendor's cache. */
  readonly cachedTokens: number
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
  /** How often each built-in tool of the vendor ran. */
  readonly toolCalls: ToolCalls
}

export interface ToolCalls {
  readonly webSearch?: number
  readonly fileSearch?: number
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
