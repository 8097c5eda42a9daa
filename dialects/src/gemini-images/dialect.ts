import { contentsPrompt } from '../gemini/prompt'
import type { Dialect } from '../dialect'
import { imageDialect } from '../dialect-from-codec'
import { geminiError, readError } from '../gemini/errors'
import { geminiImagesCodec } from './codec'

/** `:generateContent` of models that draw, as the upstream of calls for images. */
export const geminiImages: Dialect = {
  ...imageDialect('gemini-images', geminiImagesCodec, contentsPrompt),
  withModel: (body) => body,
  errorBody: geminiError,
  readError,
}
