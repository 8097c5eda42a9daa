import { defaultOptions } from '@tollgate/contract'
import type { Usage } from '@tollgate/dialects'
import type { PriceEntry } from '@tollgate/models'
import * as fc from 'fast-check'

import { Price } from '../src/billing/pricing/price'
import { PriceBook } from '../src/billing/pricing/price-book'
import type { Ratios } from '../src/billing/pricing/price-view'
import { Prices, type PriceOptions } from '../src/billing/pricing/prices'
import { ratioOptions, withRatio, type RatioOption } from '../src/billing/pricing/ratio-view'
import type { PriceFacts } from '../src/billing/pricing/variant'

/** Ratios of models, as in the specification's options. */
export type RatioTables = { readonly [Option in RatioOption]?: Readonly<Record<string, number>> }

/** Returns the book of an operator's ratios. */
export function bookOf(tables: RatioTables): PriceBook {
  const entries = new Map<string, PriceEntry>()
  for (const option of ratioOptions)
    for (const [model, ratio] of Object.entries(tables[option] ?? {})) {
      const entry = withRatio(entries.get(model) ?? { prices: {} }, option, ratio)
      if (entry) entries.set(model, entry)
    }
  return new PriceBook([...entries].map(([model, entry]) => ({ channel_id: 0, model, entry: JSON.stringify(entry) })))
}

/** Returns the prices of a site with these ratios and options. */
export const pricesWith = (some: RatioTables & Partial<PriceOptions> = {}): Prices =>
  new Prices({ options: { ...defaultOptions, ...some }, book: bookOf(some) })

/** Returns a price of an entry for a group without a ratio. */
export const aPrice = (entry: PriceEntry, some: Partial<PriceFacts> = {}): Price =>
  new Price({
    entry,
    groupRatio: 1,
    userGroupRatio: null,
    quotaPerUnit: 500_000,
    assumed: false,
    modeRatio: () => null,
    ...some,
  })

/** Returns the entry that is equivalent to ratios. */
export const entryOfRatios = (ratios: Ratios, tools: PriceEntry['prices'] = {}): PriceEntry => ({
  prices: { input: ratios.model * 2, ...tools },
  ratios: {
    output: ratios.completion,
    cache_read: ratios.cacheRead,
    cache_write_5m: ratios.cacheWrite,
    cache_write_1h: ratios.cacheWriteHour,
    image_in: ratios.image,
    audio_in: ratios.audio,
    audio_out: ratios.audioCompletion,
  },
})

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

/** Tokens of all kinds and calls of tools. The parts need not fit into their whole: some upstreams report such usage. */
export const anyUsage = (tokens: fc.Arbitrary<number>): fc.Arbitrary<Usage> =>
  fc.record({
    promptTokens: tokens,
    completionTokens: tokens,
    cachedTokens: tokens,
    cachedAudioTokens: tokens,
    cacheWriteTokens: tokens,
    cacheWriteHourTokens: tokens,
    imageTokens: tokens,
    audioInputTokens: tokens,
    audioOutputTokens: tokens,
    reasoningTokens: tokens,
    toolCalls: fc.record(
      { webSearch: fc.nat(9), fileSearch: fc.nat(9), codeInterpreter: fc.nat(9) },
      { requiredKeys: [] },
    ),
  })

/** Prices for a million tokens as LiteLLM writes them. */
export const liteLlmList = (prices: Readonly<Record<string, readonly [input: number, output: number]>>) =>
  Object.fromEntries(
    Object.entries(prices).map(([name, [input, output]]) => [
      name,
      {
        litellm_provider: 'openai',
        mode: 'chat',
        input_cost_per_token: input / 1e6,
        output_cost_per_token: output / 1e6,
      },
    ]),
  )
