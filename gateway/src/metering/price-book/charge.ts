import type { PriceEntry, PriceSchedule } from '@tollgate/models'

import type { Amounts } from './amounts'
import { variantOf, type ServedBy, type Variant } from './variant'
import { variantCost, type Rate } from './variant-cost'

/** A price that is in force for one call, whatever changes meanwhile. */
export interface PinnedPrice {
  readonly entry: PriceEntry
  readonly rate: Rate
  /** In force when the call began. */
  readonly schedule: PriceSchedule | null
  /** What the caller asked for of what the site sells. */
  readonly asked: Pick<ServedBy, 'service_tier' | 'speed' | 'batch'>
}

export interface Charge {
  readonly quota: number
  readonly variant: Variant
}

/** Returns the dearest that a call may cost at these amounts: as asked or as usual, in each region the vendor may choose. */
export function dearest(price: PinnedPrice, inputTokens: number, amounts: Amounts): Charge {
  const charge = chargeFor(price, inputTokens, amounts)
  const regions = [undefined, ...new Set((price.entry.modes ?? []).flatMap(({ match }) => match.region ?? []))]
  const served = regions.flatMap((region) => [{ region }, { ...price.asked, region }])
  return served.map(charge).reduce(dearer)
}

/**
 * Returns what an answer costs. What it says about how it was served decides; it is never charged for a dearer mode than
 * was asked for, but for the region, which is the vendor's choice. What it does not say is taken to be as asked.
 */
export function charged(price: PinnedPrice, inputTokens: number, amounts: Amounts, answer: ServedBy): Charge {
  const charge = chargeFor(price, inputTokens, amounts)
  const { asked } = price
  const { service_tier = asked.service_tier, speed = asked.speed, batch = asked.batch, region } = answer
  const told = charge({ service_tier, speed, batch, region })
  if (service_tier === asked.service_tier && speed === asked.speed && batch === asked.batch) return told
  const most = dearer(charge({ region }), charge({ ...asked, region }))
  return told.quota > most.quota ? most : told
}

const chargeFor =
  ({ entry, rate, schedule }: PinnedPrice, inputTokens: number, amounts: Amounts) =>
  (served: ServedBy): Charge => {
    const variant = variantOf(entry, { inputTokens, served, schedule })
    return { quota: variantCost(variant, amounts, rate), variant }
  }

const dearer = (one: Charge, other: Charge): Charge => (other.quota > one.quota ? other : one)
