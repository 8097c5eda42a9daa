import type { AnswerView } from '@tollgate/dialects'

import type { Metered } from './meter'
import { pricesImageOutput } from '../pricing/charge'
import type { Price } from '../pricing/price'

/** Returns whether a price depends on how many pictures an answer brings. */
export const countsImages = (price: Price): boolean =>
  pricesImageOutput(price) || price.entry.prices.per_image !== undefined

/** Tokens of a picture of 1024 x 1024, where a model that draws reports none. https://ai.google.dev/gemini-api/docs/pricing */
const tokensPerImage = 1290

/**
 * Returns a usage with how many pictures an answer of text brought, where its price depends on that: an answer in words is charged as
 * words, and a picture in it as a picture.
 */
export function drawnUsage(
  metered: Metered,
  responseView: Pick<AnswerView, 'images' | 'completionText'>,
  price: Price,
): Metered {
  const { usage, estimated } = metered
  if (responseView.images === undefined || usage.details?.image_count !== undefined) return metered
  const { imageGeneration = 0, ...otherCalls } = usage.toolCalls
  const isPerImage = price.entry.prices.per_image !== undefined
  // Those of the tool have a price of the tool's, unless the model has one for pictures.
  const isOfTool = imageGeneration > 0 && !isPerImage
  const images = isOfTool ? 0 : responseView.images() + countLinkedImages(responseView.completionText())
  const isUncounted = pricesImageOutput(price) && (estimated === 'completion' || estimated === 'all')
  return {
    ...metered,
    usage: {
      ...usage,
      toolCalls: isPerImage ? otherCalls : usage.toolCalls,
      completionTokens: usage.completionTokens + (isUncounted ? images * tokensPerImage : 0),
      details: { ...usage.details, image_count: images },
    },
  }
}

/** Counts pictures that Markdown names by their address, as vendors do who keep what was drawn. */
function countLinkedImages(text: string): number {
  let count = 0
  for (let at = text.indexOf('!['); at >= 0;) {
    const end = text.indexOf('](', at)
    if (end < 0) break
    if (text.startsWith('http', end + 2)) count += 1
    at = text.indexOf('![', end)
  }
  return count
}
