import type { windowRoutes } from '@tollgate/contract'

import type { AttemptRange, Charge, HoldRange } from '../ledger'

type Measure = windowRoutes.WindowMeasure
type Counted = Exclude<Measure, 'quota'>
type Tokens = NonNullable<HoldRange['tokens']>

const noTokens: Tokens = { prompt: 0, completion: 0 }

const maxHolds: Readonly<Record<Counted, (tokens: Tokens) => number>> = {
  requests: () => 1,
  concurrent: () => 1,
  prompt_tokens: ({ prompt }) => prompt,
  completion_tokens: ({ completion }) => completion,
  tokens: ({ prompt, completion }) => prompt + completion,
}

const minHolds: Readonly<Record<Counted, (tokens: Tokens) => number>> = {
  ...maxHolds,
  completion_tokens: ({ completion }) => Math.min(1, completion),
  tokens: ({ prompt, completion }) => prompt + Math.min(1, completion),
}

/** Returns the most that a call holds of a window that counts something other than quota. */
export const maxCountHeld = (measure: Counted, { tokens = noTokens }: HoldRange): number => maxHolds[measure](tokens)

/** Returns what a call holds of such a window. */
export const countHeld = (measure: Counted, { tokens = noTokens }: HoldRange): HoldRange => ({
  max: maxHolds[measure](tokens),
  min: minHolds[measure](tokens),
})

/** Returns what an attempt holds of a window of its channel; null where it does not draw from it. */
export const attemptHeld = (measure: Measure, { cost, tokens }: AttemptRange): HoldRange | null =>
  measure === 'quota' ? cost : countHeld(measure, { max: 0, min: 0, tokens })

const draws: Readonly<Record<Measure, (cost: number, entry: Charge['entry']) => number>> = {
  quota: (cost) => cost,
  requests: () => 1,
  concurrent: () => 0,
  prompt_tokens: (_, entry) => countOf(entry.promptTokens),
  completion_tokens: (_, entry) => countOf(entry.completionTokens),
  tokens: (_, entry) => countOf(entry.promptTokens) + countOf(entry.completionTokens),
}

/** Figures follow from reports of vendors: an impossible one must neither fill a window nor keep its charge from the database. */
const countOf = (figure: number): number => (figure > 0 && figure <= Number.MAX_SAFE_INTEGER ? Math.trunc(figure) : 0)

/**
 * Returns what a charge draws from a window. From those of channels and their keys it draws what the vendor charges, nothing where that is
 * not known.
 */
export const drawnBy = (
  measure: Measure,
  { cost, entry }: Pick<Charge, 'cost' | 'entry'>,
  isOfChannel: boolean,
): number => draws[measure](isOfChannel ? (entry.vendorCost ?? 0) : cost, entry)
