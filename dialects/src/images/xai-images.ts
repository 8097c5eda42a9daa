import type { Dialect } from '../core/dialect'
import { imageDialect } from '../core/dialect-from-codec'
import { addressOf, type UpstreamImageCodec, warnOf } from '../core/neutral/image'
import { aspectRatioOf, commonRatios, isResolution, resolutionOf } from '../core/neutral/image-size'
import { omitUndefined } from '../core/neutral/read'
import { openAiImagesCodec } from './openai-images/dialect'

const ratios = [...commonRatios, '1:2', '2:1']
const resolutions: ReadonlySet<string | null> = new Set(['1K', '2K'])

/** xAI's edits, which are JSON. https://docs.x.ai/developers/model-capabilities/images/editing */
const xAiImagesCodec: UpstreamImageCodec = {
  writeCall: (call, warn) => {
    if (!isResolution(call.quality)) warnOf(call, ['quality'], warn)
    warnOf(call, ['background', 'format', 'compression', 'negativePrompt', 'seed', 'mask'], warn)
    const resolution = resolutionOf(call)
    if (resolution !== null && !resolutions.has(resolution)) warn(`pictures in ${resolution}`)
    const images = call.images.map((source) => ({ url: addressOf(source), type: 'image_url' }))
    return omitUndefined({
      model: call.model,
      prompt: call.prompt,
      n: call.count,
      ...(images.length === 1 ? { image: images[0] } : { images: images.length > 1 ? images : undefined }),
      aspect_ratio: aspectRatioOf(call, ratios) ?? undefined,
      resolution: resolutions.has(resolution) ? resolution?.toLowerCase() : undefined,
      response_format: call.isInline === null ? undefined : call.isInline ? 'b64_json' : 'url',
      user: call.user ?? undefined,
    })
  },
  readAnswer: openAiImagesCodec.readAnswer,
}

/** `POST /v1/images/edits` of xAI; only upstreams speak it. */
export const xAiImages: Dialect = imageDialect('xai-images', xAiImagesCodec)
