import type { ClassPrices, PriceClass } from '@tollgate/models'

import { decimal, product } from '../decimal'

/** A price for every class, in the units of a price entry. */
export type FullPrices = Readonly<Record<PriceClass, number>>

/** What tokens written to a cache for five minutes cost against plain input. */
const cacheWriteFactor = 1.25
/** What tokens written for an hour cost against those written for five minutes. */
const cacheHourFactor = 1.6

/** Returns whether an entry says enough to charge a call. */
export const isPriced = ({ input, per_call, per_second, per_image, per_character }: ClassPrices): boolean =>
  [input, per_call, per_second, per_image, per_character].some((price) => price !== undefined)

/**
 * Returns a price for every class. A class that is not told costs:
 *
 * - `output`, `cache_read`, `image_in`, `audio_in`: what `input` does;
 * - `cache_write_5m`: 1.25 times `input`; `cache_write_1h`: 1.6 times `cache_write_5m`;
 * - `image_out`, `reasoning`: what `output` does; `audio_out`: what `audio_in` does;
 * - everything else, and `input` itself: nothing.
 *
 * A price for the call takes the place of everything but tools.
 */
export function fullPrices(told: ClassPrices): FullPrices {
  const tools = {
    web_search: told.web_search ?? 0,
    file_search: told.file_search ?? 0,
    code_interpreter: told.code_interpreter ?? 0,
  }
  if (told.per_call !== undefined) return { ...nothing, ...tools, per_call: told.per_call }
  const { input = 0 } = told
  const { output = input, audio_in = input, cache_write_5m = times(input, cacheWriteFactor) } = told
  return {
    ...nothing,
    ...tools,
    input,
    output,
    cache_read: told.cache_read ?? input,
    cache_write_5m,
    cache_write_1h: told.cache_write_1h ?? times(cache_write_5m, cacheHourFactor),
    image_in: told.image_in ?? input,
    image_out: told.image_out ?? output,
    audio_in,
    audio_out: told.audio_out ?? audio_in,
    reasoning: told.reasoning ?? output,
    per_second: told.per_second ?? 0,
    per_image: told.per_image ?? 0,
    per_character: told.per_character ?? 0,
  }
}

const nothing: FullPrices = {
  input: 0,
  output: 0,
  cache_read: 0,
  cache_write_5m: 0,
  cache_write_1h: 0,
  image_in: 0,
  image_out: 0,
  audio_in: 0,
  audio_out: 0,
  reasoning: 0,
  per_call: 0,
  per_second: 0,
  per_image: 0,
  per_character: 0,
  web_search: 0,
  file_search: 0,
  code_interpreter: 0,
}

/** The product without the noise of binary fractions: 0.1 times 3 is 0.3. */
function times(price: number, factor: number): number {
  const { digits, places } = product(decimal(price), decimal(factor))
  return Number(`${digits}e-${places}`)
}
