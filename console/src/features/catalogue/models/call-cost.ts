import { costOf, type Amounts, type Cost } from '../../../lib/text/price-entry/cost'
import type { Offer } from './offer'

/** The call by which the list compares models. */
export interface UsualCall {
  readonly input: number
  readonly output: number
  /** Cached part of the input. */
  readonly cached: number
  /** Name of a mode; models without it are charged as usual. */
  readonly mode?: string
  /** Start time in unix milliseconds. */
  readonly at?: number
}

export const usualCall: UsualCall = { input: 2000, output: 500, cached: 0 }

/** Returns the cost of such a call with a model; undefined without a price, or when billed by seconds or characters. */
export function callCost({ entry, kind, factor }: Pick<Offer, 'entry' | 'kind' | 'factor'>, call: UsualCall) {
  if (factor === undefined || kind === 'second' || kind === 'character') return undefined
  const tokens = tokensOf(call, entry.prices.output !== undefined)
  return costOf(entry, kind === 'image' ? { per_image: 1 } : tokens, {
    mode: call.mode,
    at: call.at,
    factor,
  }) satisfies Cost
}

/** Cached tokens cannot exceed the input. Models of vectors have no output. */
function tokensOf({ input, output, cached }: UsualCall, hasOutput: boolean): Amounts {
  const read = Math.min(cached, input)
  return { input: input - read, cache_read: read, output: hasOutput ? output : 0 }
}
