import * as z from 'zod'

import { PriceEntry } from '../pricing/price-entry'
import { route } from '../http/route'

/** 0: by volume. 1: for each call. */
export const quotaType = { volume: 0, call: 1 } as const

export const modelKinds = [
  'chat',
  'completion',
  'embedding',
  'image',
  'speech',
  'transcription',
  'rerank',
  'moderation',
  'video',
  'realtime',
  'other',
] as const
export const modalities = ['text', 'image', 'audio', 'video', 'pdf'] as const
export type Modality = (typeof modalities)[number]
export const abilities = ['tools', 'reasoning', 'structured-output', 'prompt-caching', 'web-search'] as const
export type Ability = (typeof abilities)[number]

const tokens = z.number().int().nullable()

/** What is publicly known about a model. Null: unknown. */
export const ModelFacts = z.object({
  kind: z.enum(modelKinds),
  /** The whole window, prompt and response together. */
  context_tokens: tokens,
  /** The longest response. */
  output_tokens: tokens,
  input: z.array(z.enum(modalities)),
  output: z.array(z.enum(modalities)),
  abilities: z.array(z.enum(abilities)),
})
export type ModelFacts = z.output<typeof ModelFacts>

export const PricingRow = z.object({
  model_name: z.string(),
  /** Its maker, as a key of `vendors`; empty where the name does not reveal it. */
  owned_by: z.string(),
  quota_type: z.union([z.literal(quotaType.volume), z.literal(quotaType.call)]),
  /** 1 is 2 US dollars for a million prompt tokens. */
  model_ratio: z.number(),
  completion_ratio: z.number(),
  cache_ratio: z.number(),
  /** US dollars for a call. */
  model_price: z.number(),
  enable_groups: z.array(z.string()),
  /** All that is charged, before any group's ratio. */
  entry: PriceEntry,
  /** Null for a model that is not known. */
  facts: ModelFacts.nullable(),
  /** `YYYY-MM-DD`; null where the catalog does not know it. */
  released_on: z.string().nullable(),
  /** When its vendor retires it, or did. */
  retires_on: z.string().nullable(),
  /** Its vendor no longer serves it, or advises against it. */
  is_retired: z.boolean(),
})
export type PricingRow = z.output<typeof PricingRow>

export const pricing = route({
  method: 'GET',
  path: '/api/pricing',
  access: 'optional',
  scope: null,
  isViewable: true,
  summary: 'Prices of the models the caller, or a guest, may use',
  data: z.array(PricingRow),
  envelopeFields: z.object({
    /** Group -> ratio for this caller. */
    group_ratio: z.record(z.string(), z.number()),
    /** Group -> description. */
    usable_group: z.record(z.string(), z.string()),
    /** Maker of models -> name, in the caller's language; those that occur. */
    vendors: z.record(z.string(), z.string()),
    /** Names that the site made, and those of the models that they may lead to. */
    aliases: z.array(z.object({ name: z.string(), models: z.array(z.string()) })),
  }),
})
