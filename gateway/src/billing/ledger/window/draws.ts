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
export const maxCountHeld = (measure: Counted, tokens: HoldRange['tokens']): number =>
  maxHolds[measure](tokens ?? noTokens)

/** Returns what a call holds of such a window. */
export const countHeld = (measure: Counted, { tokens = noTokens }: HoldRange): HoldRange => ({
  max: maxHolds[measure](tokens),
  min: minHolds[measure](tokens),
})

/** Returns what an attempt holds of a window of its channel; null where it does not draw from it. */
export const attemptHeld = (measure: Measure, { cost, tokens }: AttemptRange): HoldRange | null =>
  measure === 'quota' ? cost : countHeld(measure, { max: 0, min: 0, tokens })

/** What a charge draws from a window, in a letter: journals name it so. */
export const drawKinds = ['q', 'v', 'r', 'n', 'p', 'c', 't'] as const
export type DrawKind = (typeof drawKinds)[number]

const kinds: Readonly<Record<Counted, DrawKind>> = {
  requests: 'r',
  concurrent: 'n',
  prompt_tokens: 'p',
  completion_tokens: 'c',
  tokens: 't',
}

/** Returns what charges draw from a window: of quota, from those of channels and their keys, what the vendor charges. */
export const drawKind = (measure: Measure, isOfChannel: boolean): DrawKind =>
  measure !== 'quota' ? kinds[measure] : isOfChannel ? 'v' : 'q'

/** What windows are drawn by, of one charge or of several together. */
export interface Drawable {
  readonly calls: number
  readonly cost: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly vendorCost: number
}

const amounts: Readonly<Record<DrawKind, (of: Drawable) => number>> = {
  q: ({ cost }) => cost,
  v: ({ vendorCost }) => vendorCost,
  r: ({ calls }) => calls,
  n: () => 0,
  p: ({ promptTokens }) => promptTokens,
  c: ({ completionTokens }) => completionTokens,
  t: ({ promptTokens, completionTokens }) => promptTokens + completionTokens,
}

/** Returns how much is drawn from a window. */
export const amountDrawn = (kind: DrawKind, drawable: Drawable): number => amounts[kind](drawable)

/** Figures follow from reports of vendors: an impossible one must neither fill a window nor keep its charge from the database. */
const countOf = (figure: number): number => (figure > 0 && figure <= Number.MAX_SAFE_INTEGER ? Math.trunc(figure) : 0)

/** Returns what windows are drawn by for one charge; what a vendor charges counts as nothing where it is not known. */
export const drawableOf = ({ cost, entry }: Pick<Charge, 'cost' | 'entry'>): Drawable => ({
  calls: 1,
  cost,
  promptTokens: countOf(entry.promptTokens),
  completionTokens: countOf(entry.completionTokens),
  vendorCost: countOf(entry.vendorCost ?? 0),
})

/** Returns what a charge draws from a window. */
export const drawnBy = (measure: Measure, charge: Pick<Charge, 'cost' | 'entry'>, isOfChannel: boolean): number =>
  amountDrawn(drawKind(measure, isOfChannel), drawableOf(charge))
