import type { Dialect } from '../../core/dialect'
import { ocrNames } from '../../core/shared/names'
import { textlessDialect } from '../../core/shared/textless-dialect'
import { ocrPrompt, readOcrRequest } from './request'
import { readOcrAnswer } from './response'

/** `POST /v1/ocr`: the pages of a document as Markdown. https://docs.mistral.ai/api/endpoint/ocr */
export const mistralOcr: Dialect = {
  ...textlessDialect({
    id: 'mistral-ocr',
    names: ocrNames,
    readRequest: (body, place) => readOcrRequest(body, place.model || undefined),
    readPrompt: ocrPrompt,
    readAnswer: readOcrAnswer,
  }),
  isBulky: true,
}
