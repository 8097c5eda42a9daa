import { quotaOf, type Amounts } from '@tollgate/contract/price-formula'
import type { Usage } from '@tollgate/dialects'

import { amountsOf } from './amounts'
import type { CallTerms, Price } from './price'
import { standardMode, standardModeName, type ServingMode, type Variant } from './variant'

export interface Charge {
  /** A whole number of at least 0. */
  readonly quota: number
  readonly amounts: Amounts
  readonly variant: Variant
}

/**
 * Returns what a response costs. How it was served decides, as the response reports; it is never charged for a more expensive mode than
 * was requested, except for the region and for what the request left open, which are the vendor's choice. What it does not report, or
 * reports in a word that the price does not know, is taken to be as requested. A call that used nothing costs nothing.
 */
export function computeCharge(pinned: CallTerms, usage: Usage, served: ServingMode = standardMode): Charge {
  const { requested, price } = pinned
  const amounts = amountsOf(usage, pinned.units, pricesImageOutput(price))
  const charge = chargeFor(pinned, usage, amounts)
  if (served === standardMode || (requested === standardMode && price.isChargedAsStandard(served)))
    return charge(requested)
  const reported = withRequested(served, pinned)
  const asReported = charge(reported)
  if (limitedFields.every((field) => reported[field] === requested[field])) return asReported
  const { region } = reported
  // A size or quality that was left open is the vendor's choice too. One that was requested has no standard price beside its own.
  const open = { region, size: requested.size ?? reported.size, quality: requested.quality ?? reported.quality }
  const max = costlier(charge(open), charge({ ...requested, ...open }))
  return asReported.quota > max.quota ? max : asReported
}

/** Returns what a response costs where the response alone decides, as a vendor is paid. */
export function computeVendorCharge(pinned: CallTerms, usage: Usage, served: ServingMode = standardMode): Charge {
  const { price, requested, units } = pinned
  const isAsRequested = served === standardMode || (requested === standardMode && price.isChargedAsStandard(served))
  const amounts = amountsOf(usage, units, pricesImageOutput(price))
  return chargeFor(pinned, usage, amounts)(isAsRequested ? requested : withRequested(served, pinned))
}

/** What a response reports of these is never charged for more than what was requested. */
const limitedFields = ['service_tier', 'speed', 'batch', 'size', 'quality'] as const

function withRequested(served: ServingMode, { price, requested }: CallTerms): ServingMode {
  const resolveField = (field: (typeof limitedFields)[number]) => {
    const reported = served[field]
    return reported === undefined || (reported !== standardModeName && !price.hasMode(field, reported))
      ? requested[field]
      : reported
  }
  return {
    service_tier: resolveField('service_tier'),
    speed: resolveField('speed'),
    batch: resolveField('batch'),
    region: served.region,
    size: resolveField('size'),
    quality: resolveField('quality'),
  }
}

/** Returns what a cache saved: the quota that tokens read from it would have cost more as plain input. 0 where reading costs more. */
export function cacheSavings({ quota, amounts, variant }: Charge): number {
  const { input, cache_read: read, cache_read_audio: heard, audio_in: audio } = amounts
  if (read + heard === 0) return 0
  const atFullPrice = { ...amounts, input: input + read, cache_read: 0, audio_in: audio + heard, cache_read_audio: 0 }
  return Math.max(0, quotaOf(variant.weights, atFullPrice) - quota)
}

/** The response may be an image, whose tokens have a price of their own. */
export const pricesImageOutput = ({ entry }: Price): boolean =>
  entry.prices.image_out !== undefined || entry.ratios?.image_out !== undefined

const chargeFor =
  (
    { price, schedule, isDelivered = false }: CallTerms,
    { promptTokens, completionTokens, details }: Usage,
    amounts: Amounts,
  ) =>
  (served: ServingMode): Charge => {
    const variant = price.variantFor({ inputTokens: promptTokens, served, schedule })
    const isUnused = !isDelivered && promptTokens + completionTokens + (details?.image_count ?? 0) === 0
    const quota = isUnused ? 0 : quotaOf(variant.weights, amounts)
    return { quota, amounts, variant }
  }

const costlier = (one: Charge, other: Charge): Charge => (other.quota > one.quota ? other : one)
