import type { Weights } from '@tollgate/contract/price-formula'
import type { PriceClass } from '@tollgate/models'

/** The most expensive classes of those in which the tokens of a prompt or a response may be counted. */
export interface Dearest {
  /** The class of a prompt that marks nothing for a cache, marks it for five minutes, or for an hour. */
  readonly prompt: PriceClass
  readonly promptForMinutes: PriceClass
  readonly promptForHour: PriceClass
  /** The class of a response in writing and images; of one that may be spoken. */
  readonly written: PriceClass
  readonly spoken: PriceClass
}

const prompt = ['input', 'cache_read', 'cache_read_audio'] as const
const written = ['output', 'image_out', 'reasoning'] as const

/** Returns the most expensive classes at these weights; of equal ones the first. */
export function dearestOf({ exact }: Pick<Weights, 'exact'>): Dearest {
  const among = (names: readonly PriceClass[]): PriceClass =>
    names.reduce((dearest, name) => (exact[name] > exact[dearest] ? name : dearest))
  return {
    prompt: among(prompt),
    promptForMinutes: among([...prompt, 'cache_write_5m']),
    promptForHour: among([...prompt, 'cache_write_5m', 'cache_write_1h']),
    written: among(written),
    spoken: among([...written, 'audio_out']),
  }
}
