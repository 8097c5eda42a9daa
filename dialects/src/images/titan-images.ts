import type { Dialect } from '../core/dialect'
import { imageDialect } from '../core/dialect-from-codec'
import type { JsonObject } from '../core/json'
import { imageData, type NeutralImageCall, noImages, type UpstreamImageCodec, warnOf } from '../core/neutral/image'
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
      ...taskOf(call),
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
function taskOf(call: NeutralImageCall): JsonObject {
  const texts = { text: call.prompt, negativeText: call.negativePrompt ?? undefined }
  const [image, mask] = [call.images.flatMap(dataOf), call.mask ? dataOf(maskFor(call.mask, 'black'))[0] : undefined]
  if (image.length === 0) return { taskType: 'TEXT_IMAGE', textToImageParams: omitUndefined(texts) }
  if (mask === undefined)
    return { taskType: 'IMAGE_VARIATION', imageVariationParams: omitUndefined({ ...texts, images: image }) }
  return { taskType: 'INPAINTING', inPaintingParams: omitUndefined({ ...texts, image: image[0], maskImage: mask }) }
}

/** Bedrock takes no addresses. */
const dataOf = (source: NeutralImageCall['images'][number]): string[] => (source.kind === 'data' ? [source.data] : [])

/** `POST /model/{model}/invoke` of Amazon's own models; only upstreams speak it. */
export const titanImages: Dialect = imageDialect('titan-images', titanImagesCodec)
