import type { priceSyncRoutes } from '@tollgate/contract'

import type { FieldChange } from './price-diff'

/** What an operator allows without approval. */
export interface SyncRules {
  /** Percent by which a price may rise. */
  readonly maxRise: number
  readonly appliesFalls: boolean
}

interface Verdict {
  readonly state: 'waiting' | 'applied' | 'refused'
  readonly reason: priceSyncRoutes.ProposalReason
  readonly percent: number | null
}

/** In percent. A price that falls to a tenth or less is more likely an error of the list, for instance in its unit, than the truth. */
const deepestFall = -90

/** Decides what happens to a change. `isOwn`: an operator set this price by hand, so only an operator changes it. */
export function assessChange(change: FieldChange, isOwn: boolean, { maxRise, appliesFalls }: SyncRules): Verdict {
  const { before, after, refusal } = change
  const percent = percentOf(before, after)
  if (refusal) return { state: 'refused', reason: refusal, percent }
  if (before === null || before === 0) return { state: 'waiting', reason: 'new', percent }
  if (percent === null) return { state: 'waiting', reason: 'structure', percent }
  if (isOwn) return { state: 'waiting', reason: 'own', percent }
  if (percent < 0)
    return { state: appliesFalls && percent > deepestFall ? 'applied' : 'waiting', reason: 'fall', percent }
  return { state: percent <= maxRise ? 'applied' : 'waiting', reason: 'rise', percent }
}

function percentOf(before: FieldChange['before'], after: FieldChange['after']): number | null {
  if (typeof before !== 'number' || typeof after !== 'number' || before === 0) return null
  return Number((((after - before) / before) * 100).toFixed(4))
}
