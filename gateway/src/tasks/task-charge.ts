import { noUsage, type Usage } from '@tollgate/dialects'
import type { TaskUsage } from '@tollgate/providers'

import { computeCharge, computeVendorCharge, type Charge } from '../billing/pricing/charge'
import { estimateQuota } from '../billing/pricing/hold'
import type { CappedCounts } from '../billing/metering/meter'
import { pinTaskPrice, type TaskTerms } from './task-terms'

/** Returns the most that a task may cost: what the vendor accepts is not exceeded. */
export function taskHold(price: Parameters<typeof pinTaskPrice>[0], accepted: TaskUsage, submittedAt: number): number {
  const { promptTokens = 0, completionTokens = 0 } = accepted
  return estimateQuota(pinTaskPrice(price, accepted, submittedAt), promptTokens, completionTokens)
}

/** What a finished task used and what that costs. */
export interface TaskCharge {
  readonly usage: Usage
  /** What the vendor reported far beyond what it accepted. */
  readonly capped?: CappedCounts
  /** Null: the task costs nothing. */
  readonly sale: Charge | null
  readonly cost: Charge | null
}

/**
 * Returns what a finished task costs: by what its vendor delivered, but never more tokens, seconds, images, a larger size or a better quality
 * than it accepted; as accepted where it does not report them.
 */
export function taskCharge(terms: TaskTerms, delivered: TaskUsage, submittedAt: number): TaskCharge {
  const { accepted, sale, cost } = terms
  const usage = usageOf(accepted, delivered)
  const served = servedAs(delivered)
  const pin = (price: NonNullable<typeof sale>) => ({
    ...pinTaskPrice(price, accepted, submittedAt),
    isDelivered: true,
  })
  return {
    usage,
    ...cappedIn(accepted, delivered),
    sale: sale && computeCharge(pin(sale), usage, served),
    cost: cost && computeVendorCharge(pin(cost), usage, served),
  }
}

function usageOf(accepted: TaskUsage, delivered: TaskUsage): Usage {
  // What succeeded has a length: one of 0 was not reported.
  const seconds = capAtAccepted(delivered.seconds || undefined, accepted.seconds)
  const images = capAtAccepted(delivered.images, accepted.images)
  return {
    ...noUsage,
    promptTokens: countOf(capAtAccepted(delivered.promptTokens, accepted.promptTokens ?? 0)),
    completionTokens: countOf(capAtAccepted(delivered.completionTokens, accepted.completionTokens ?? 0)),
    ...(seconds !== undefined && { seconds }),
    ...(images !== undefined && { details: { image_count: countOf(images) } }),
  }
}

/** A vendor may report a part of a token, which no log row has a place for. */
const countOf = (reported: number | undefined): number => Math.floor(reported ?? 0)

/** Vendors round, so a little more than was accepted does not prove a wrong meter. */
const roundingFactor = 2

function cappedIn(accepted: TaskUsage, delivered: TaskUsage): Pick<TaskCharge, 'capped'> {
  const beyond = (name: 'promptTokens' | 'completionTokens' | 'seconds' | 'images') => {
    const [reported, max] = [delivered[name], accepted[name]]
    return reported !== undefined && max !== undefined && reported > max * roundingFactor ? reported : undefined
  }
  const capped: CappedCounts = {
    prompt_tokens: beyond('promptTokens'),
    completion_tokens: beyond('completionTokens'),
    seconds: beyond('seconds'),
    images: beyond('images'),
  }
  return Object.values(capped).some((count) => count !== undefined) ? { capped } : {}
}

function capAtAccepted(delivered: number | undefined, accepted: number | undefined): number | undefined {
  if (delivered === undefined || accepted === undefined) return delivered ?? accepted
  return Math.min(delivered, accepted)
}

const servedAs = ({ size, quality }: TaskUsage) => ({
  ...(size !== undefined && { size }),
  ...(quality !== undefined && { quality }),
})
