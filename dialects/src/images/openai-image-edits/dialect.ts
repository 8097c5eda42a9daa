import type { Dialect } from '../../core/dialect'
import { openAiImages } from '../openai-images/dialect'
import { imageNames } from '../../core/shared/names'
import { openAiImageEditsCodec } from './codec'
import { editPrompt, readEditRequest } from './request'

/** `POST /v1/images/edits` and `/v1/images/variations`. */
export const openAiImageEdits: Dialect = {
  ...openAiImages,
  id: 'openai-image-edits',
  codec: { kind: 'images', client: openAiImageEditsCodec, upstream: openAiImageEditsCodec },
  names: imageNames,
  readRequest: (body, place) => readEditRequest(body, place.model || undefined),
  readPrompt: editPrompt,
}
