import type { AnswerView } from '@tollgate/dialects'

import type { Metered } from './meter'
import { pricesImageOutput } from '../pricing/charge'
import type { Price } from '../pricing/price'

/** Returns whether a price depends on how many pictures an answer brings. */
export const countsPictures = (price: Price): boolean =>
  pricesImageOutput(price) || price.entry.prices.per_image !== undefined

/** Tokens of a picture of 1024 x 1024, where a model that draws reports none. https://ai.google.dev/gemini-api/docs/pricing */
const tokensPerPicture = 1290

/**
 * Returns a usage with how many pictures an answer of text brought, where its price depends on that: an answer in words is charged as
 * words, and a picture in it as a picture.
 */
export function drawnUsage(
  metered: Metered,
  answer: Pick<AnswerView, 'images' | 'completionText'>,
  price: Price,
): Metered {
  const { usage, estimated } = metered
  if (answer.images === undefined || usage.details?.image_count !== undefined) return metered
  const { imageGeneration = 0, ...otherCalls } = usage.toolCalls
  const isPerPicture = price.entry.prices.per_image !== undefined
  // Those of the tool have a price of the tool's, unless the model has one for pictures.
  const isOfTool = imageGeneration > 0 && !isPerPicture
  const pictures = isOfTool ? 0 : answer.images() + linkedPictures(answer.completionText())
  const isUncounted = pricesImageOutput(price) && (estimated === 'completion' || estimated === 'all')
  return {
    ...metered,
    usage: {
      ...usage,
      toolCalls: isPerPicture ? otherCalls : usage.toolCalls,
      completionTokens: usage.completionTokens + (isUncounted ? pictures * tokensPerPicture : 0),
      details: { ...usage.details, image_count: pictures },
    },
  }
}

/** Counts pictures that Markdown names by their address, as vendors do who keep what was drawn. */
function linkedPictures(text: string): number {
  let count = 0
  for (let at = text.indexOf('!['); at >= 0;) {
    const end = text.indexOf('](', at)
    if (end < 0) break
    if (text.startsWith('http', end + 2)) count += 1
    at = text.indexOf('![', end)
  }
  return count
}
