import type { Dialect } from '../core/dialect'
import { imageDialect } from '../core/dialect-from-codec'
import { addressOf, type UpstreamImageCodec, warnOf } from '../core/neutral/image'
import { aspectRatioOf } from '../core/neutral/image-size'
import { objectOf, objectsOf, textOf, textOrNull, omitUndefined } from '../core/neutral/read'
import { openAiImagesCodec } from './openai-images/dialect'

/** The sizes that the vendor recommends for 2K. */
const sizes: ReadonlyMap<string, string> = new Map([
  ['1:1', '2048x2048'],
  ['4:3', '2304x1728'],
  ['3:4', '1728x2304'],
  ['16:9', '2560x1440'],
  ['9:16', '1440x2560'],
  ['3:2', '2496x1664'],
  ['2:3', '1664x2496'],
  ['21:9', '3024x1296'],
])

/** They draw PNG and JPEG. Earlier models draw JPEG and refuse to be asked for it. */
const choosesFormat = /seedream-(?:[5-9]|\d{2})/

/** Calls of Seedream with images. https://www.volcengine.com/docs/82379/1541523 */
const seedreamImagesCodec: UpstreamImageCodec = {
  writeCall: (call, warn) => {
    warnOf(call, ['quality', 'background', 'compression', 'negativePrompt', 'mask', 'user'], warn)
    const hasFormat = choosesFormat.test(call.model) && call.format !== 'webp'
    if (!hasFormat) warnOf(call, ['format'], warn)
    const [first, ...others] = call.images.map(addressOf)
    const ratio = call.size === null ? aspectRatioOf(call, [...sizes.keys()]) : null
    return omitUndefined({
      model: call.model,
      prompt: call.prompt,
      image: others.length > 0 ? [first, ...others] : first,
      size: call.size ?? (ratio === null ? undefined : sizes.get(ratio)),
      seed: call.seed ?? undefined,
      response_format: call.isInline === null ? undefined : call.isInline ? 'b64_json' : 'url',
      output_format: hasFormat ? (call.format ?? undefined) : undefined,
    })
  },

  /** An image of a series may have failed; it stands among the others with its error. */
  readAnswer: (answer) => {
    const images = openAiImagesCodec.readAnswer(answer)
    const sizesDrawn = new Set(objectsOf(answer['data']).flatMap(({ size }) => textOrNull(size) ?? []))
    const reasons = objectsOf(answer['data']).map(({ error }) => textOf(objectOf(error)['message']))
    return {
      ...images,
      size: sizesDrawn.size === 1 ? ([...sizesDrawn][0] ?? null) : null,
      refusal: images.images.length > 0 ? null : textOrNull(reasons.filter((reason) => reason !== '').join(' ')),
    }
  },
}

/** `POST /api/v3/images/generations` of Seedream with images; only upstreams speak it. */
export const seedreamImages: Dialect = imageDialect('seedream-images', seedreamImagesCodec)
