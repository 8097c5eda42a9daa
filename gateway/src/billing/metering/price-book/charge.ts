import { quotaOf, scheduleAt, type Amounts } from '@tollgate/contract/price-formula'
import { plainUse, type PossibleUse, type Usage } from '@tollgate/dialects'
import type { PriceSchedule } from '@tollgate/models'

import type { MediaTokens } from '../media/media-tokens'
import type { Price } from './price'
import { amountsOf, noUnits, type Units } from './amounts'
import { asUsual, isServedAsUsual, knowsMode, usualMode, variantOf, type ServedBy, type Variant } from './variant'

/** What decides the cost of a response: a price as it is in force for one call. */
export interface CallTerms {
  readonly price: Price
  /** In force when the call began. */
  readonly schedule: PriceSchedule | null
  /** What the caller requests of what the site sells. */
  readonly requested: ServedBy
  /** The images and characters of the request, where the price counts them. */
  readonly units: Units
  /** Something was delivered, though the usage may not show it: a finished task. */
  readonly isDelivered?: boolean
}

/** A price that is in force for one call, whatever changes meanwhile. */
export interface PinnedPrice extends CallTerms {
  /** Use besides text that the request may cause: the hold covers it. */
  readonly possible: PossibleUse
  /** Images and recordings of the prompt; null where it has none. */
  readonly media: PossibleMedia | null
}

/** The most tokens that the media of a prompt may have, and how many of them its estimate counts already. */
export interface PossibleMedia extends MediaTokens {
  readonly counted: number
}

/** What is particular about a call. */
export interface Pinned {
  /** When it began. */
  readonly unixMs: number
  readonly requested?: ServedBy
  readonly units?: Units
  readonly possible?: PossibleUse
  readonly media?: PossibleMedia | null
}

const plain = new WeakMap<Price, PinnedPrice>()

/** Returns a price as it is for a call that began at this moment. One object for all calls without particulars. */
export function pinnedPrice(price: Price, pinned: Pinned): PinnedPrice {
  const { unixMs, requested = asUsual, units = noUnits, possible = plainUse, media = null } = pinned
  const { schedules } = price.entry
  const schedule = schedules === undefined || schedules.length === 0 ? null : scheduleAt(schedules, unixMs)
  if (schedule !== null || requested !== asUsual || units !== noUnits || possible !== plainUse || media !== null)
    return { price, schedule, requested, units, possible, media }
  let known = plain.get(price)
  if (!known) plain.set(price, (known = { price, schedule, requested, units, possible, media }))
  return known
}

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
export function charged(pinned: CallTerms, usage: Usage, served: ServedBy = asUsual): Charge {
  const { requested, price } = pinned
  const amounts = amountsOf(usage, pinned.units, draws(price))
  const charge = chargeFor(pinned, usage, amounts)
  if (served === asUsual || (requested === asUsual && isServedAsUsual(price, served))) return charge(requested)
  const reported = withRequested(served, pinned)
  const asReported = charge(reported)
  if (limitedFields.every((field) => reported[field] === requested[field])) return asReported
  const { region } = reported
  // A size or quality that was left open is the vendor's choice too. One that was requested has no standard price beside its own.
  const open = { region, size: requested.size ?? reported.size, quality: requested.quality ?? reported.quality }
  const most = dearer(charge(open), charge({ ...requested, ...open }))
  return asReported.quota > most.quota ? most : asReported
}

/** Returns what a response costs where the response alone decides, as a vendor is paid. */
export function chargedAsReported(pinned: CallTerms, usage: Usage, served: ServedBy = asUsual): Charge {
  const { price, requested, units } = pinned
  const isAsRequested = served === asUsual || (requested === asUsual && isServedAsUsual(price, served))
  const amounts = amountsOf(usage, units, draws(price))
  return chargeFor(pinned, usage, amounts)(isAsRequested ? requested : withRequested(served, pinned))
}

/** What an answer says of these is never charged for more than what was asked for. */
const limitedFields = ['service_tier', 'speed', 'batch', 'size', 'quality'] as const

function withRequested(served: ServedBy, { price, requested }: CallTerms): ServedBy {
  const reportedOf = (field: (typeof limitedFields)[number]) => {
    const reported = served[field]
    return reported === undefined || (reported !== usualMode && !knowsMode(price, field, reported))
      ? requested[field]
      : reported
  }
  return {
    service_tier: reportedOf('service_tier'),
    speed: reportedOf('speed'),
    batch: reportedOf('batch'),
    region: served.region,
    size: reportedOf('size'),
    quality: reportedOf('quality'),
  }
}

/** Returns what a cache saved: the quota that tokens read from it would have cost more as plain input. 0 where reading costs more. */
export function cacheSavedBy({ quota, amounts, variant }: Charge): number {
  const { input, cache_read: read, cache_read_audio: heard, audio_in: audio } = amounts
  if (read + heard === 0) return 0
  const atFullPrice = { ...amounts, input: input + read, cache_read: 0, audio_in: audio + heard, cache_read_audio: 0 }
  return Math.max(0, quotaOf(variant.weights, atFullPrice) - quota)
}

/** The response may be an image, whose tokens have a price of their own. */
export const draws = ({ entry }: Price): boolean =>
  entry.prices.image_out !== undefined || entry.ratios?.image_out !== undefined

const chargeFor =
  (
    { price, schedule, isDelivered = false }: CallTerms,
    { promptTokens, completionTokens, details }: Usage,
    amounts: Amounts,
  ) =>
  (served: ServedBy): Charge => {
    const variant = variantOf(price, { inputTokens: promptTokens, served, schedule })
    const isNothing = !isDelivered && promptTokens + completionTokens + (details?.image_count ?? 0) === 0
    const quota = isNothing ? 0 : quotaOf(variant.weights, amounts)
    return { quota, amounts, variant }
  }

const dearer = (one: Charge, other: Charge): Charge => (other.quota > one.quota ? other : one)
