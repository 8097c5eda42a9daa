import { readFields, type PriceEntry } from '@tollgate/contract'
import * as z from 'zod'

import { Price } from '../../billing/pricing/price'
import type { PinnedPrices } from '../../billing/pricing/prices'
import { StoredPrice } from '../task-terms'

/** The price of a model under the name that a channel has for it. */
const StoredModelPrice = StoredPrice.extend({
  model: z.string(),
  /** Empty: the channel calls it by the same name. */
  upstreamModel: z.string(),
  isOwnMachine: z.boolean(),
})
export type StoredModelPrice = z.output<typeof StoredModelPrice>

/** What is wrong with a line, as OpenAI's API reports it. */
const BatchError = z.object({
  code: z.string(),
  /** From 1; null: the batch as a whole. */
  line: z.number().nullable(),
  message: z.string(),
  param: z.string().nullable(),
})
export type BatchError = z.output<typeof BatchError>

/** What a batch needs to know of its submission. Everything is optional, as in `TaskTerms`. */
const StoredBatchTerms = z.object({
  metadata: z.record(z.string(), z.string()).nullable().default(null),
  /** How long its results are kept; null: as long as the site keeps files. */
  outputSeconds: z.number().nullable().default(null),
  /** Headers of the submission that its calls have too. */
  headers: z.record(z.string(), z.string()).default({}),
  /** The part of what each line may cost beyond its least that is held. */
  share: z.number().default(1),
  prices: z.array(StoredModelPrice).readonly().default([]),
  errors: z.array(BatchError).readonly().default([]),
})
export type BatchTerms = z.output<typeof StoredBatchTerms>

export const noTerms: BatchTerms = StoredBatchTerms.parse({})

export const readBatchTerms = (text: string): BatchTerms => readFields(StoredBatchTerms, text)

/** Returns how many quota are held for a line. */
export const heldFor = (
  { max_quota: max, min_quota: min }: { readonly max_quota: number; readonly min_quota: number },
  { share }: Pick<BatchTerms, 'share'>,
): number => min + Math.floor((max - min) * share)

/** The mode of calls that are made in batches. */
const batchMode = { batch: 'true' } as const

/** Returns a price entry for calls that the gateway makes itself: the vendor's discount for batches of its own does not apply. */
export const ownBatchEntry = (entry: PriceEntry, factor: number): PriceEntry => ({
  ...entry,
  modes: [
    ...(entry.modes ?? []).filter(({ match }) => match.batch === undefined),
    ...(factor === 1 ? [] : [{ name: 'batch', match: batchMode, factor }]),
  ],
})

/** Returns what finds the prices with which a batch began. */
export function pinnedPrices({ prices }: Pick<BatchTerms, 'prices'>): PinnedPrices {
  const nameOf = (model: string, upstreamModel: string, isOwnMachine: boolean) =>
    `${model}\n${upstreamModel}\n${isOwnMachine}`
  const known = new Map(
    prices.map((one) => [
      nameOf(one.model, one.upstreamModel, one.isOwnMachine),
      new Price({ ...one, modeRatio: () => null }),
    ]),
  )
  return (model, { upstreamModel = '', isOwnMachine = false }) => known.get(nameOf(model, upstreamModel, isOwnMachine))
}
