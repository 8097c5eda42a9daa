import type { Dialect } from '../../core/dialect'
import { imageDialect } from '../../core/dialect-from-codec'
import { errorEventText, geminiError, readError } from '../../chat/gemini/errors'
import { nameIn } from '../../core/shared/google-members'
import type { JsonObject } from '../../core/json'
import { objectOf, objectsOf, textOf } from '../../core/neutral/read'
import { predictNames } from '../../chat/gemini/known-names'
import { seedOf } from '../../core/shared/joined-images'
import { imagenCodec } from './codec'
import { predictPrompt, readPredictRequest } from './request'

const encoder = new TextEncoder()

/** `POST /v1beta/models/{model}:predict`. */
export const imagen: Dialect = {
  ...imageDialect('imagen', imagenCodec, predictPrompt),
  codec: { kind: 'images', client: imagenCodec, upstream: imagenCodec },
  names: predictNames,
  readRequest: readPredictRequest,
  withModel: (body) => body,
  withShare: (body, share) => {
    const parameters = objectOf(body['parameters'])
    const drawn = { [nameIn(parameters, 'sampleCount')]: share.count, ...seedOf(parameters['seed'], share) }
    return { ...body, parameters: { ...parameters, ...drawn } }
  },
  joined: (answers) => ({ ...answers[0], predictions: answers.flatMap(({ predictions }) => objectsOf(predictions)) }),
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
