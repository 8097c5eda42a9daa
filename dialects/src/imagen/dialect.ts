import type { Dialect } from '../dialect'
import { imageDialect } from '../dialect-from-codec'
import { errorEventText, geminiError, readError } from '../gemini/errors'
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
  errorBody: geminiError,
  errorEvent: (error) => encoder.encode(errorEventText(error)),
  readError,
}
