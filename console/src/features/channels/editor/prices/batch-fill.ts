import { numberOf } from './price-conversion'
import { typed, withKind } from './price-draft'
import type { PriceDraft } from './price-fields'

/** What is set for many models at once. */
export const fills = ['ratio', 'completion', 'both', 'fixed'] as const
export type Fill = (typeof fills)[number]

/** Why the values cannot be applied: the texts under `prices.batchFault`. */
export type FillFault = 'nothingSelected' | 'empty' | 'emptyBoth' | 'number'

interface Filling {
  readonly fill: Fill
  readonly value: string
  /** The completion ratio, where both are set. */
  readonly second: string
}

export function fillFault({ fill, value, second }: Filling, selected: ReadonlySet<string>): FillFault | undefined {
  if (selected.size === 0) return 'nothingSelected'
  const values = fill === 'both' ? [value, second] : [value]
  if (values.some((text) => text.trim() === '')) return fill === 'both' ? 'emptyBoth' : 'empty'
  return values.some((text) => numberOf(text) === undefined) ? 'number' : undefined
}

/** Returns the drafts with the values applied to the selected ones. Ratios make a price by tokens. */
export const filled = (
  drafts: readonly PriceDraft[],
  selected: ReadonlySet<string>,
  { fill, value, second }: Filling,
): readonly PriceDraft[] =>
  drafts.map((draft) => {
    if (!selected.has(draft.model)) return draft
    if (fill === 'fixed') return typed(withKind(draft, 'per-call'), 'fixed', value.trim())
    const byToken = withKind(draft, 'per-token')
    if (fill !== 'both') return typed(byToken, fill, value.trim())
    return typed(typed(byToken, 'ratio', value.trim()), 'completion', second.trim())
  })
