import type { Dialect } from '../core/dialect'
import { imageDialect } from '../core/dialect-from-codec'
import type { JsonObject } from '../core/json'
import {
  imageData,
  type NeutralImageCall,
  noImages,
  requireInline,
  type UpstreamImageCodec,
  warnOf,
} from '../core/neutral/image'
import type { Warn } from '../core/neutral/codec'
import { pixelsOf } from '../core/neutral/image-size'
import { textOrNull, textsOf, omitUndefined } from '../core/neutral/read'
import { maskFor } from '../core/shared/edit-mask'

/**
 * Amazon's own image models at Bedrock: Nova Canvas and Titan.
 * https://docs.aws.amazon.com/nova/latest/userguide/image-gen-req-resp-structure.html
 */
const titanImagesCodec: UpstreamImageCodec = {
  writeCall: (call, warn) => {
    warnOf(call, ['aspectRatio', 'background', 'format', 'compression', 'user'], warn)
    const pixels = pixelsOf(call.size)
    return {
      ...taskOf(call, warn),
      imageGenerationConfig: omitUndefined({
        numberOfImages: call.count,
        width: pixels?.width,
        height: pixels?.height,
        quality: call.quality === null ? undefined : isHigh(call.quality) ? 'premium' : 'standard',
        seed: call.seed ?? undefined,
      }),
    }
  },

  readAnswer: ({ images, error }) => ({
    ...noImages,
    images: textsOf(images).map((text) => imageData(text)),
    refusal: textOrNull(error),
  }),
}

const isHigh = (quality: string): boolean => ['hd', 'high', 'premium'].includes(quality)

/** The task follows from the images in the request. */
function taskOf(call: NeutralImageCall, warn: Warn): JsonObject {
  const texts = { text: call.prompt, negativeText: call.negativePrompt ?? undefined }
  const images = requireInline(call.images).map(({ data }) => data)
  const [mask] = requireInline(call.mask ? [maskFor(call.mask, 'black')] : [], 'mask')
  if (images.length === 0) return { taskType: 'TEXT_IMAGE', textToImageParams: omitUndefined(texts) }
  if (mask === undefined)
    return { taskType: 'IMAGE_VARIATION', imageVariationParams: omitUndefined({ ...texts, images }) }
  if (images.length > 1) warn('images after the first')
  const inPaintingParams = omitUndefined({ ...texts, image: images[0], maskImage: mask.data })
  return { taskType: 'INPAINTING', inPaintingParams }
}

/** `POST /model/{model}/invoke` of Amazon's own models; only upstreams speak it. */
export const titanImages: Dialect = imageDialect('titan-images', titanImagesCodec)
