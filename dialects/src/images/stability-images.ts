import type { Dialect } from '../core/dialect'
import { imageDialect } from '../core/dialect-from-codec'
import { imageData, noImages, requireInline, type UpstreamImageCodec, warnOf } from '../core/neutral/image'
import { aspectRatioOf, commonRatios } from '../core/neutral/image-size'
import { textOrNull, textsOf, omitUndefined } from '../core/neutral/read'

const ratios = [...commonRatios, '4:5', '5:4', '21:9', '9:21']

/** How much an image changes where the request does not tell; the vendor wants a number. */
const usualStrength = 0.7

/** Stability AI's models at Bedrock, which draw one image. https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-stability-diffusion.html */
const stabilityImagesCodec: UpstreamImageCodec = {
  writeCall: (call, warn) => {
    warnOf(call, ['quality', 'background', 'compression', 'mask', 'user'], warn)
    const [image, ...others] = requireInline(call.images)
    if (image) warnOf(call, ['size', 'aspectRatio'], warn)
    if (others.length > 0) warn('images after the first')
    return omitUndefined({
      prompt: call.prompt,
      negative_prompt: call.negativePrompt ?? undefined,
      seed: call.seed ?? undefined,
      output_format: call.format ?? undefined,
      ...(image
        ? { mode: 'image-to-image', image: image.data, strength: usualStrength }
        : { aspect_ratio: aspectRatioOf(call, ratios) ?? undefined }),
    })
  },

  /** A filtered image is there, blurred, with its reason. */
  readAnswer: ({ images, finish_reasons: reasons }) => {
    const found: readonly unknown[] = Array.isArray(reasons) ? reasons : []
    return {
      ...noImages,
      images: textsOf(images).flatMap((text, index) => (textOrNull(found[index]) === null ? [imageData(text)] : [])),
      refusal: textOrNull(
        found
          .map((reason) => textOrNull(reason) ?? '')
          .join(' ')
          .trim(),
      ),
    }
  },
}

/** `POST /model/{model}/invoke` of Stability AI's models; only upstreams speak it. */
export const stabilityImages: Dialect = imageDialect('stability-images', stabilityImagesCodec)
