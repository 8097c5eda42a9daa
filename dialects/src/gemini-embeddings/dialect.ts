import type { Dialect } from '../dialect'
import { errorEventText, geminiError, readError } from '../gemini/errors'
import { chunkTap } from '../shared/observe'
import { readEmbedAnswer } from './response'
import { embedPrompt, readEmbedRequest, withEmbedModel } from './request'
import { embedNames } from '../gemini/known-names'

const encoder = new TextEncoder()
const chunks = { object: 'list', empty: {}, collect: () => false }

/** `POST /v1beta/models/{model}:embedContent` and `:batchEmbedContents`. Never streams. */
export const geminiEmbeddings: Dialect = {
  id: 'gemini-embeddings',
  names: embedNames,
  readRequest: readEmbedRequest,
  readPrompt: embedPrompt,
  withModel: withEmbedModel,
  readAnswer: readEmbedAnswer,
  createTap: (options) => chunkTap(chunks, options),
  errorBody: geminiError,
  errorEvent: (error) => encoder.encode(errorEventText(error)),
  readError,
}
