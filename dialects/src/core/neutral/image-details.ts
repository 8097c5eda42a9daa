import type { JsonObject } from '../json'
import type { UsageDetails } from '../usage'
import { textOf } from './read'

/** No vendor's word is longer; anything longer is not recorded. */
const maxWordLength = 40

/** Returns how many pictures were drawn, of which size and quality, named as the log row names them. */
export function imageDetails({ size, quality }: JsonObject, count: number): UsageDetails {
  const [drawn, qualityText] = [textOf(size), textOf(quality)]
  return {
    image_count: count,
    ...(drawn !== '' && drawn.length <= maxWordLength && { image_size: drawn }),
    ...(qualityText !== '' && qualityText.length <= maxWordLength && { image_quality: qualityText }),
  }
}
