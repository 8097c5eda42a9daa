import { PriceEntry, readFields } from '@tollgate/contract'
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
  /** At vendors that make the calls as batches of their own; absent: as elsewhere. */
  vendorEntry: PriceEntry.optional(),
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
  /** A vendor may make all calls as a batch of its own: they are of one model, and say all that they need themselves. */
  isForVendors: z.boolean().default(false),
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

/**
 * Returns the price of calls that a vendor makes as a batch of its own, at most `factor` of that of the same call alone; undefined where they cost what
 * they cost elsewhere.
 */
export function vendorBatchEntry(entry: PriceEntry, factor: number): PriceEntry | undefined {
  const { modes = [] } = entry
  if (!modes.some(({ match }) => match.batch !== undefined)) return undefined
  const isDearer = ({ match, factor: own }: (typeof modes)[number]) =>
    match.batch !== undefined && own !== undefined && own > factor
  return { ...entry, modes: modes.map((mode) => (isDearer(mode) ? { ...mode, factor } : mode)) }
}

/** Returns what finds the prices with which a batch began. `atVendor`: of calls that a vendor makes as a batch of its own. */
export function pinnedPrices({ prices }: Pick<BatchTerms, 'prices'>, atVendor = false): PinnedPrices {
  const nameOf = (model: string, upstreamModel: string, isOwnMachine: boolean) =>
    `${model}\n${upstreamModel}\n${isOwnMachine}`
  const known = new Map(
    prices.map((one) => {
      const entry = (atVendor ? one.vendorEntry : undefined) ?? one.entry
      const name = nameOf(one.model, one.upstreamModel, one.isOwnMachine)
      return [name, new Price({ ...one, entry, modeRatio: () => null })]
    }),
  )
  return (model, { upstreamModel = '', isOwnMachine = false }) => known.get(nameOf(model, upstreamModel, isOwnMachine))
}
