import * as z from 'zod'

import { route } from '../http/route'

/** Prices besides those of plain tokens, each as a factor of another price. */
export const PartRatios = z.object({
  /** Relative to the input price, as are those of writing to a cache, of images and of audio. */
  cache_read: z.number(),
  cache_write: z.number(),
  image: z.number(),
  audio_input: z.number(),
  /** Relative to the price of audio input. */
  audio_output: z.number(),
})

/** What a model costs before any group's ratio. */
export const ModelPrice = z.object({
  model: z.string(),
  /** `unpriced`: calls are refused unless the caller, or a site in self-use mode, accepts that. */
  kind: z.enum(['per-token', 'per-call', 'unpriced']),
  /** 1 is 2 US dollars for a million prompt tokens. */
  model_ratio: z.number(),
  completion_ratio: z.number(),
  /** US dollars for a call. */
  model_price: z.number(),
  /** Null unless the model is billed by tokens. */
  parts: PartRatios.nullable(),
})
export type ModelPrice = z.output<typeof ModelPrice>

export const modelPrices = route({
  method: 'POST',
  path: '/api/channel/prices',
  audit: null,
  access: ['channels.read', 'prices.read'],
  isWrite: false,
  summary: 'What these models of a channel cost before any group ratio, in the requested order',
  body: z.object({
    models: z.array(z.string().max(255)).max(10_000),
    /** The channel's: a mapped model without a price of its own costs the same as its target. */
    model_mapping: z.string().max(200_000).nullable().optional(),
  }),
  data: z.array(ModelPrice),
})
