import { LoggedAttempt, PriceEntry, readFields } from '@tollgate/contract'
import type { TaskUsage } from '@tollgate/providers'
import * as z from 'zod'

import { Price, type PinnedPrice } from '../billing/pricing/price'

/** A price as it was when the task was submitted. */
export const StoredPrice = z.object({
  entry: PriceEntry,
  groupRatio: z.number(),
  userGroupRatio: z.number().nullable(),
  quotaPerUnit: z.number(),
  assumed: z.boolean(),
})

const StoredUsage = z.object({
  seconds: z.number().optional(),
  images: z.number().optional(),
  promptTokens: z.number().optional(),
  completionTokens: z.number().optional(),
  size: z.string().optional(),
  quality: z.string().optional(),
})

/** What the end of a task needs to know of its submission. It never leaves the gateway. */
const StoredTerms = z.object({
  /** Null: it costs nothing, as opening a dialog does. */
  sale: StoredPrice.nullable().default(null),
  /** What the channel's vendor charges, where it is known. */
  cost: StoredPrice.extend({ kind: z.enum(['own', 'factor', 'list']) })
    .nullable()
    .default(null),
  /** As the vendor accepted it: what it does not report in the end is taken from here, and nothing dearer is charged. */
  accepted: StoredUsage.default({}),
  /** Empty where the owner does not want addresses recorded. */
  clientIp: z.string().default(''),
  /** The path of the submission. */
  endpoint: z.string().default(''),
  attempts: z.array(LoggedAttempt).readonly().default([]),
  /** Where the owner wants to be notified of the end; empty: nowhere. */
  webhook: z.string().default(''),
  /** What the upstream could not be told, as the header of the response named it; empty: nothing. */
  dropped: z.string().default(''),
})
export type TaskTerms = z.output<typeof StoredTerms>

export const readTerms = (text: string): TaskTerms => readFields(StoredTerms, text)

/** Returns a price as it is stored. Service tiers are not sold for tasks. */
export const storedPrice = ({ entry, groupRatio, userGroupRatio, quotaPerUnit, assumed }: Price) => ({
  entry,
  groupRatio,
  userGroupRatio,
  quotaPerUnit,
  assumed,
})

/** Returns a price as it applies to one task. `submittedAt` in milliseconds decides about schedules. */
export function pinTaskPrice(
  price: z.output<typeof StoredPrice>,
  accepted: TaskUsage,
  submittedAt: number,
): PinnedPrice {
  const { size, quality, seconds, images } = accepted
  const requested = { ...(size !== undefined && { size }), ...(quality !== undefined && { quality }) }
  const units = { ...(seconds !== undefined && { seconds }), images: images ?? 1 }
  return new Price({ ...price, modeRatio: () => null }).pin({ unixMs: submittedAt, requested, units })
}
