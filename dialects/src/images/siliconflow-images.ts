import type { Dialect } from '../core/dialect'
import { imageDialect } from '../core/dialect-from-codec'
import { addressOf, type UpstreamImageCodec, warnOf } from '../core/neutral/image'
import { pixelsOf } from '../core/neutral/image-size'
import { omitUndefined } from '../core/neutral/read'
import { openAiImagesCodec } from './openai-images/dialect'

const names = ['image', 'image2', 'image3']

/** Calls of SiliconFlow with images. https://docs.siliconflow.cn/cn/api-reference/images/images-generations */
const siliconFlowImagesCodec: UpstreamImageCodec = {
  writeCall: (call, warn) => {
    warnOf(call, ['aspectRatio', 'quality', 'background', 'format', 'compression', 'mask', 'user'], warn)
    if (call.images.length > names.length) warn(`images after the first ${names.length}`)
    const pixels = pixelsOf(call.size)
    return omitUndefined({
      model: call.model,
      prompt: call.prompt,
      negative_prompt: call.negativePrompt ?? undefined,
      image_size: pixels ? `${pixels.width}x${pixels.height}` : undefined,
      batch_size: call.count > 1 ? call.count : undefined,
      seed: call.seed ?? undefined,
      ...Object.fromEntries(call.images.slice(0, names.length).map((source, at) => [names[at], addressOf(source)])),
    })
  },
  readAnswer: openAiImagesCodec.readAnswer,
}

/** `POST /v1/images/generations` of SiliconFlow with images; only upstreams speak it. */
export const siliconFlowImages: Dialect = imageDialect('siliconflow-images', siliconFlowImagesCodec)
