import type { Dialect } from '../core/dialect'
import { imageDialect } from '../core/dialect-from-codec'
import { addressOf, imageAt, noImages, type UpstreamImageCodec, warnOf } from '../core/neutral/image'
import { pixelsOf } from '../core/neutral/image-size'
import { objectOf, objectsOf, textOf, omitUndefined } from '../core/neutral/read'

/**
 * The synchronous call of Alibaba's image models.
 * https://help.aliyun.com/zh/model-studio/qwen-image-api and https://help.aliyun.com/zh/model-studio/wan-image-generation-api-reference
 */
const dashScopeImagesCodec: UpstreamImageCodec = {
  writeCall: (call, warn) => {
    warnOf(call, ['aspectRatio', 'quality', 'background', 'format', 'compression', 'mask', 'user'], warn)
    const pixels = pixelsOf(call.size)
    return {
      model: call.model,
      input: {
        messages: [
          {
            role: 'user',
            content: [...call.images.map((source) => ({ image: addressOf(source) })), { text: call.prompt }],
          },
        ],
      },
      parameters: omitUndefined({
        n: call.count,
        size: pixels ? `${pixels.width}*${pixels.height}` : (call.size ?? undefined),
        negative_prompt: call.negativePrompt ?? undefined,
        seed: call.seed ?? undefined,
        watermark: false,
      }),
    }
  },

  readAnswer: (answer) => {
    const choices = objectsOf(objectOf(answer['output'])['choices'])
    const contents = choices.flatMap(({ message }) => objectsOf(objectOf(message)['content']))
    const { width, height } = objectOf(answer['usage'])
    return {
      ...noImages,
      images: contents.flatMap(({ image }) => (textOf(image) === '' ? [] : [imageAt(textOf(image))])),
      size: typeof width === 'number' && typeof height === 'number' ? `${width}x${height}` : null,
    }
  },
}

/** `POST /api/v1/services/aigc/multimodal-generation/generation`; only upstreams speak it. */
export const dashScopeImages: Dialect = imageDialect('dashscope-images', dashScopeImagesCodec)
