import type { Usage } from '@tollgate/dialects'
import * as fc from 'fast-check'

import type { Ratios } from '../src/metering/price'

/** Ratios of all kinds of tokens. */
export const anyRatios = (ratio: fc.Arbitrary<number>): fc.Arbitrary<Ratios> =>
  fc.record({
    model: ratio,
    completion: ratio,
    cacheRead: ratio,
    cacheWrite: ratio,
    cacheWriteHour: ratio,
    image: ratio,
    audio: ratio,
    audioCompletion: ratio,
  })

/** Tokens of all kinds and calls of tools. The parts need not fit into their whole: some upstreams report such. */
export const anyUsage = (tokens: fc.Arbitrary<number>): fc.Arbitrary<Usage> =>
  fc.record({
    promptTokens: tokens,
    completionTokens: tokens,
    cachedTokens: tokens,
    cacheWriteTokens: tokens,
    cacheWriteHourTokens: tokens,
    imageTokens: tokens,
    audioInputTokens: tokens,
    audioOutputTokens: tokens,
    reasoningTokens: tokens,
    toolCalls: fc.record({ webSearch: fc.nat(9), fileSearch: fc.nat(9) }, { requiredKeys: [] }),
  })
