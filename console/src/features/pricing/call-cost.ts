import { costOf, type Amounts, type Cost } from '../../lib/price-entry/cost'
import type { Offer } from './offer'

/** The call that the list compares models by. */
export interface UsualCall {
  readonly input: number
  readonly output: number
  /** Of the input. */
  readonly cached: number
  /** The name of a mode; models without it are charged as usual. */
  readonly mode?: string
  /** Unix milliseconds: when it begins. */
  readonly at?: number
}

export const usualCall: UsualCall = { input: 2000, output: 500, cached: 0 }

/** Returns what such a call costs with a model; undefined where there is no price, or it is billed by seconds or characters. */
export function callCost({ entry, kind, factor }: Pick<Offer, 'entry' | 'kind' | 'factor'>, call: UsualCall) {
  if (factor === undefined || kind === 'second' || kind === 'character') return undefined
  return costOf(entry, kind === 'image' ? { per_image: 1 } : tokensOf(call), {
    mode: call.mode,
    at: call.at,
    factor,
  }) satisfies Cost
}

/** More cannot come from the cache than was sent. */
function tokensOf({ input, output, cached }: UsualCall): Amounts {
  const read = Math.min(cached, input)
  return { input: input - read, cache_read: read, output }
}
