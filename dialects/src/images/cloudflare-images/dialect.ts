import type { Dialect } from '../../core/dialect'
import { imageDialect } from '../../core/dialect-from-codec'
import { FormFile } from '../../core/form-file'
import type { JsonObject } from '../../core/json'
import { imageData, type NeutralImageCall, noImages, type UpstreamImageCodec, warnOf } from '../../core/neutral/image'
import { pixelsOf } from '../../core/neutral/image-size'
import { objectOf, textOf, omitUndefined } from '../../core/neutral/read'
import type { Source } from '../../core/neutral/call'

/** These take a form. */
export const takesForm = (model: string): boolean => /\/flux-2-/.test(model)
/** This one always draws a square. */
const hasNoSize = (model: string): boolean => model.endsWith('/flux-1-schnell')

const maxReferences = 4

/** Models of Workers AI, each of which draws one image. https://developers.cloudflare.com/workers-ai/models/?tasks=Text-to-Image */
const cloudflareImagesCodec: UpstreamImageCodec = {
  writeCall: (call, warn) => {
    warnOf(call, ['aspectRatio', 'quality', 'background', 'format', 'compression', 'mask', 'user'], warn)
    if (hasNoSize(call.model)) warnOf(call, ['size', 'negativePrompt', 'images'], warn)
    const pixels = hasNoSize(call.model) ? null : pixelsOf(call.size)
    const common = omitUndefined({
      prompt: call.prompt,
      width: pixels?.width,
      height: pixels?.height,
      seed: call.seed ?? undefined,
    })
    if (hasNoSize(call.model)) return common
    if (takesForm(call.model)) {
      warnOf(call, ['negativePrompt'], warn)
      return { ...common, ...references(call.images) }
    }
    return { ...common, ...ofDiffusion(call) }
  },

  readAnswer: (answer) => {
    const { image, mime } = objectOf(answer['result'])
    const data = textOf(image)
    return { ...noImages, images: data === '' ? [] : [imageData(data, textOf(mime) || kindOf(data))] }
  },
}

const ofDiffusion = ({ images: [image], negativePrompt }: NeutralImageCall): JsonObject =>
  omitUndefined({
    negative_prompt: negativePrompt ?? undefined,
    image_b64: image?.kind === 'data' ? image.data : undefined,
  })

/** The fields `input_image_0` to `input_image_3` of a form. */
const references = (images: readonly Source[]): JsonObject =>
  Object.fromEntries(
    images
      .flatMap((source) => (source.kind === 'data' ? [source] : []))
      .slice(0, maxReferences)
      .map(({ data, mime }, at) => [
        `input_image_${at}`,
        new FormFile(`${at}.${mime.split('/').at(-1)}`, mime, new Uint8Array(Buffer.from(data, 'base64'))),
      ]),
  )

/** JPEG begins with these letters in base64. */
const kindOf = (data: string): string => (data.startsWith('/9j/') ? 'image/jpeg' : 'image/png')

/** `POST …/ai/run/{model}` of models that draw; only upstreams speak it. */
export const cloudflareImages: Dialect = {
  ...imageDialect('cloudflare-images', cloudflareImagesCodec),
  withModel: (body) => body,
}
