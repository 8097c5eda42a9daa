import type { Dialect } from '../dialect'
import { imageNames } from '../shared/names'
import { textlessDialect } from '../shared/textless-dialect'
import { PassingTap } from '../streaming/passing-tap'
import { ImagesObserver } from './observe'
import { imagePrompt, readImageRequest } from './request'
import { readImageAnswer } from './response'

/** `POST /v1/images/generations`. */
export const openAiImages: Dialect = {
  ...textlessDialect({
    id: 'openai-images',
    names: imageNames,
    readRequest: (body, place) => readImageRequest(body, place.model || undefined),
    readPrompt: imagePrompt,
    readAnswer: readImageAnswer,
  }),
  createTap: () => new PassingTap(new ImagesObserver()),
  isBulky: true,
}
