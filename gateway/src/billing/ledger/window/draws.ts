import type { windowRoutes } from '@tollgate/contract'

import type { AttemptRange, Charge, HoldRange } from '../ledger'

type Measure = windowRoutes.WindowMeasure
type Counted = Exclude<Measure, 'quota'>
type Tokens = NonNullable<HoldRange['tokens']>

const one: HoldRange = { max: 1, min: 1 }
const noTokens: Tokens = { prompt: 0, completion: 0 }

const holds: Readonly<Record<Counted, (tokens: Tokens) => HoldRange>> = {
  requests: () => one,
  concurrent: () => one,
  prompt_tokens: ({ prompt }) => ({ max: prompt, min: prompt }),
  completion_tokens: ({ completion }) => ({ max: completion, min: Math.min(1, completion) }),
  tokens: ({ prompt, completion }) => ({ max: prompt + completion, min: prompt + Math.min(1, completion) }),
}

/** Returns what a call holds of a window that counts something other than quota. */
export const countHeld = (measure: Counted, { tokens = noTokens }: HoldRange): HoldRange => holds[measure](tokens)

/** Returns what an attempt holds of a window of its channel; null where it does not draw from it. */
export const attemptHeld = (measure: Measure, { cost, tokens }: AttemptRange): HoldRange | null =>
  measure === 'quota' ? cost : countHeld(measure, { max: 0, min: 0, tokens })

const draws: Readonly<Record<Measure, (charge: Pick<Charge, 'cost' | 'entry'>) => number>> = {
  quota: ({ cost }) => cost,
  requests: () => 1,
  concurrent: () => 0,
  prompt_tokens: ({ entry }) => countOf(entry.promptTokens),
  completion_tokens: ({ entry }) => countOf(entry.completionTokens),
  tokens: ({ entry }) => countOf(entry.promptTokens) + countOf(entry.completionTokens),
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
): number => draws[measure]({ cost: isOfChannel ? (entry.vendorCost ?? 0) : cost, entry })
