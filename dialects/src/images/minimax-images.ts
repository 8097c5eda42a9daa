import type { Dialect } from '../core/dialect'
import { imageDialect } from '../core/dialect-from-codec'
import { addressOf, imageAt, imageData, noImages, type UpstreamImageCodec, warnOf } from '../core/neutral/image'
import { aspectRatioOf, commonRatios } from '../core/neutral/image-size'
import { objectOf, textsOf, omitUndefined } from '../core/neutral/read'

/** https://platform.minimaxi.com/docs/api-reference/image-generation-t2i */
const miniMaxImagesCodec: UpstreamImageCodec = {
  writeCall: (call, warn) => {
    warnOf(call, ['quality', 'background', 'format', 'compression', 'negativePrompt', 'mask', 'user'], warn)
    const references = call.images.map((source) => ({ type: 'character', image_file: addressOf(source) }))
    return omitUndefined({
      model: call.model,
      prompt: call.prompt,
      n: call.count,
      aspect_ratio: aspectRatioOf(call, [...commonRatios, '21:9']) ?? undefined,
      seed: call.seed ?? undefined,
      response_format: call.isInline === true ? 'base64' : 'url',
      subject_reference: references.length > 0 ? references : undefined,
    })
  },

  readAnswer: (answer) => {
    const { image_urls: urls, image_base64: texts } = objectOf(answer['data'])
    return {
      ...noImages,
      images: [...textsOf(urls).map(imageAt), ...textsOf(texts).map((text) => imageData(text, 'image/jpeg'))],
    }
  },
}

/** `POST /v1/image_generation`; only upstreams speak it. */
export const miniMaxImages: Dialect = imageDialect('minimax-images', miniMaxImagesCodec)
