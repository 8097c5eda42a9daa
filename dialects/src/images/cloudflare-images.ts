import type { Dialect } from '../core/dialect'
import { imageDialect } from '../core/dialect-from-codec'
import { FormFile } from '../core/form-file'
import type { JsonObject } from '../core/json'
import {
  imageData,
  type NeutralImageCall,
  noImages,
  requireInline,
  type UpstreamImageCodec,
  warnOf,
} from '../core/neutral/image'
import { pixelsOf } from '../core/neutral/image-size'
import { objectOf, omitUndefined, textOf } from '../core/neutral/read'
import type { Source } from '../core/neutral/call'
import { imageMimeOf } from '../core/shared/prompt-media'
import { concat } from '../core/streaming/sse-frames'

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
      if (call.images.length > maxReferences) warn(`images after the first ${maxReferences}`)
      return { ...common, ...references(call.images) }
    }
    if (call.images.length > 1) warn('images after the first')
    return { ...common, ...ofDiffusion(call) }
  },

  readAnswer: (answer) => {
    const { image, mime } = objectOf(answer['result'])
    const data = textOf(image)
    return { ...noImages, images: data === '' ? [] : [imageData(data, textOf(mime) || kindOf(data))] }
  },
}

const ofDiffusion = ({ images, negativePrompt }: NeutralImageCall): JsonObject =>
  omitUndefined({
    negative_prompt: negativePrompt ?? undefined,
    image_b64: requireInline(images)[0]?.data,
  })

/** The fields `input_image_0` to `input_image_3` of a form. */
const references = (images: readonly Source[]): JsonObject =>
  Object.fromEntries(
    requireInline(images)
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

const brace = 0x7b
const encoder = new TextEncoder()
const noBytes = new Uint8Array(0)
/** As much as the gateway reads of a whole response. */
const maxBytes = 64 * 1024 * 1024

/** Returns an image that came as its bytes as JSON, in the form of those that come in JSON. Anything else stays as it is. */
export function wrappedImage(body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const mime = imageType(body)
  if (mime === null) return body
  const image = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64')
  return encoder.encode(JSON.stringify({ result: { image, mime }, success: true }))
}

function imageType(body: Uint8Array): string | null {
  return body[0] === brace ? null : imageMimeOf(Buffer.from(body.subarray(0, 12)).toString('latin1'))
}

/** The same for a response that is read piece by piece. */
export class WrappedImage {
  #parts: Uint8Array[] = []
  #size = 0

  push(bytes: Uint8Array): Uint8Array {
    this.#size += bytes.length
    if (this.#size > maxBytes) this.#parts = []
    else this.#parts.push(bytes.slice())
    return noBytes
  }

  end(): Uint8Array {
    const body = concat(this.#parts)
    this.#parts = []
    return wrappedImage(new Uint8Array(body))
  }
}
