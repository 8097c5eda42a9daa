import type { Dialect } from '../dialect'
import { imageDialect } from '../dialect-from-codec'
import { errorEventText, geminiError, readError } from '../gemini/errors'
import type { JsonObject } from '../json'
import { objectsOf, textOf } from '../neutral/read'
import { predictNames } from '../gemini/known-names'
import { imagenCodec } from './codec'
import { predictPrompt, readPredictRequest } from './request'

const encoder = new TextEncoder()

/** `POST /v1beta/models/{model}:predict`. */
export const imagen: Dialect = {
  ...imageDialect('imagen', imagenCodec, predictPrompt),
  names: predictNames,
  readRequest: readPredictRequest,
  withModel: (body) => body,
  inlining: {
    isWanted: () => true,
    addressesIn: (answer) =>
      objectsOf(answer['predictions'])
        .map(({ gcsUri }) => textOf(gcsUri))
        .filter((url) => url.startsWith('https:')),
    filled: (answer, images) => ({
      ...answer,
      predictions: objectsOf(answer['predictions']).map((image) => withImage(image, images)),
    }),
  },
  errorBody: geminiError,
  errorEvent: (error) => encoder.encode(errorEventText(error)),
  readError,
}

function withImage({ gcsUri, ...image }: JsonObject, images: ReadonlyMap<string, string>): JsonObject {
  const data = images.get(textOf(gcsUri))
  if (data !== undefined) return { ...image, bytesBase64Encoded: data }
  return gcsUri === undefined ? image : { ...image, gcsUri }
}
