import type { Dialect } from '../../core/dialect'
import { isObject, type JsonObject } from '../../core/json'
import { objectsOf, textOf } from '../../core/neutral/read'
import { seedOf, summed } from '../../core/shared/joined-images'
import { imageNames } from '../../core/shared/names'
import { textlessDialect } from '../../core/shared/textless-dialect'
import { PassingTap } from '../../core/streaming/passing-tap'
import { openAiImagesCodec } from './codec'
import { ImagesObserver } from './observe'
import { countNames, imagePrompt, readImageRequest } from './request'
import { imagesIn, readImageAnswer } from './response'

/** As much as the gateway reads of a whole response. */
const largestImageBytes = 64 * 1024 * 1024

/** `POST /v1/images/generations`. */
export const openAiImages: Dialect = {
  ...textlessDialect({
    id: 'openai-images',
    names: imageNames,
    readRequest: (body, place) => readImageRequest(body, place.model || undefined),
    readPrompt: imagePrompt,
    readAnswer: readImageAnswer,
  }),
  codec: { kind: 'images', client: openAiImagesCodec, upstream: openAiImagesCodec },
  createTap: () => new PassingTap(new ImagesObserver(), largestImageBytes),
  isBulky: true,
  withShare: (body, share) => {
    const dropped: readonly string[] = ['stream', 'partial_images', ...countNames]
    const rest = Object.entries(body).filter(([name]) => !dropped.includes(name))
    return { ...Object.fromEntries(rest), n: share.count, ...seedOf(body['seed'], share) }
  },
  joined: (answers) => {
    const [{ images: _, ...first } = {}] = answers
    const usages = answers.map(({ usage }) => usage).filter(isObject)
    return { ...first, data: answers.flatMap(imagesIn), ...(usages.length > 0 && { usage: summed(usages) }) }
  },
  inlining: {
    isWanted: (request) => request['response_format'] === 'b64_json',
    // An outline of images that are there already must not be written again.
    addressesIn: ({ data }) =>
      objectsOf(data).some(({ b64_json: inline }) => textOf(inline) !== '')
        ? []
        : objectsOf(data)
            .map(({ url }) => textOf(url))
            .filter((url) => url !== ''),
    filled: (answer, images) => ({
      ...answer,
      data: objectsOf(answer['data']).map((image) => withImage(image, images)),
    }),
  },
}

function withImage({ url, ...image }: JsonObject, images: ReadonlyMap<string, string>): JsonObject {
  const data = images.get(textOf(url))
  return data === undefined ? { url, ...image } : { ...image, b64_json: data }
}
