import { contentsPrompt } from '../../chat/gemini/prompt'
import type { Dialect } from '../../core/dialect'
import { imageDialect } from '../../core/dialect-from-codec'
import { geminiError, readError } from '../../chat/gemini/errors'
import { geminiImagesCodec } from './codec'

/** `:generateContent` of models that draw, as the upstream of calls for images. */
export const geminiImages: Dialect = {
  ...imageDialect('gemini-images', geminiImagesCodec, contentsPrompt),
  withModel: (body) => body,
  errorBody: geminiError,
  readError,
}
