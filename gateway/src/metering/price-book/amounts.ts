import type { Usage } from '@tollgate/dialects'
import type { PriceClass } from '@tollgate/models'

import { partsOf } from '../cost'

/** How much of each class a call used: tokens, calls, seconds, images, characters. */
export type Amounts = Readonly<Record<PriceClass, number>>

/** What a call used beyond tokens. */
export interface Units {
  readonly seconds?: number
  readonly images?: number
  readonly characters?: number
}

/** Returns the amounts of a usage: every token is in exactly one class. */
export function amountsOf(usage: Usage, { seconds = 0, images = 0, characters = 0 }: Units = {}): Amounts {
  const parts = partsOf(usage)
  const reasoning = Math.min(usage.reasoningTokens, parts.plainCompletion)
  const { webSearch = 0, fileSearch = 0 } = usage.toolCalls
  return {
    input: parts.plainPrompt,
    output: parts.plainCompletion - reasoning,
    cache_read: parts.cacheRead,
    cache_write_5m: parts.cacheWrite,
    cache_write_1h: parts.cacheWriteHour,
    image_in: parts.image,
    image_out: 0,
    audio_in: parts.audioInput,
    audio_out: parts.audioOutput,
    reasoning,
    per_call: 1,
    per_second: seconds,
    per_image: images,
    per_character: characters,
    web_search: webSearch,
    file_search: fileSearch,
    code_interpreter: 0,
  }
}
