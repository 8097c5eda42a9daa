import * as z from 'zod'

import { route } from '../route'

/** 0: by volume. 1: for each call. */
export const quotaType = { volume: 0, call: 1 } as const

export const PricingRow = z.object({
  model_name: z.string(),
  /** Who makes it, as a key of `vendors`; empty where the name tells nothing. */
  owned_by: z.string(),
  quota_type: z.union([z.literal(quotaType.volume), z.literal(quotaType.call)]),
  /** 1 is 2 US dollars for a million prompt tokens. */
  model_ratio: z.number(),
  completion_ratio: z.number(),
  cache_ratio: z.number(),
  /** US dollars for a call. */
  model_price: z.number(),
  enable_groups: z.array(z.string()),
})
export type PricingRow = z.output<typeof PricingRow>

export const pricing = route({
  method: 'GET',
  path: '/api/pricing',
  access: 'optional',
  summary: 'Prices of the models the caller, or a guest, may use',
  data: z.array(PricingRow),
  beside: z.object({
    /** Group -> ratio for this caller. */
    group_ratio: z.record(z.string(), z.number()),
    /** Group -> description. */
    usable_group: z.record(z.string(), z.string()),
    /** Maker of models -> name, in the caller's language; those that occur. */
    vendors: z.record(z.string(), z.string()),
  }),
})
