import type { Weights } from '@tollgate/contract/price-formula'
import type { PriceClass } from '@tollgate/models'

/** The classes that cost most, of those in which the tokens of a prompt or an answer may be counted. */
export interface Dearest {
  /** Of a prompt that marks nothing for a cache, marks it for five minutes, or for an hour. */
  readonly prompt: PriceClass
  readonly promptForMinutes: PriceClass
  readonly promptForHour: PriceClass
  /** Of an answer in writing and pictures; of one that may be spoken. */
  readonly written: PriceClass
  readonly spoken: PriceClass
}

const prompt = ['input', 'cache_read'] as const
const written = ['output', 'image_out', 'reasoning'] as const

/** Returns the dearest classes at these weights; of equal ones the first. */
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
