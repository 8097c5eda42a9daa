import type { Dialect } from '../core/dialect'
import { imageDialect } from '../core/dialect-from-codec'
import { addressOf, type UpstreamImageCodec, warnOf } from '../core/neutral/image'
import { aspectRatioOf, commonRatios, isResolution, resolutionOf } from '../core/neutral/image-size'
import { omitUndefined } from '../core/neutral/read'
import { openAiImagesCodec } from './openai-images/dialect'

/** Images of all makers in one form, one in a call. https://openrouter.ai/blog/tutorials/image-generation/ */
const openRouterImagesCodec: UpstreamImageCodec = {
  writeCall: (call, warn) => {
    warnOf(call, ['negativePrompt', 'mask', 'user'], warn)
    const images = call.images.map((source) => ({ type: 'image_url', image_url: { url: addressOf(source) } }))
    return omitUndefined({
      model: call.model,
      prompt: call.prompt,
      aspect_ratio: aspectRatioOf(call, commonRatios) ?? undefined,
      resolution: resolutionOf(call) ?? undefined,
      quality: isResolution(call.quality) ? undefined : (call.quality ?? undefined),
      background: call.background ?? undefined,
      output_format: call.format ?? undefined,
      output_compression: call.compression ?? undefined,
      seed: call.seed ?? undefined,
      input_references: images.length > 0 ? images : undefined,
    })
  },
  readAnswer: openAiImagesCodec.readAnswer,
}

/** `POST /v1/images` of OpenRouter; only upstreams speak it. */
export const openRouterImages: Dialect = imageDialect('openrouter-images', openRouterImagesCodec)
