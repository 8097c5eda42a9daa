import type { Dialect } from '../../core/dialect'
import { errorEventText, geminiError, readError } from '../../chat/gemini/errors'
import { sharedList } from '../../core/shared/joined-embeddings'
import { chunkTap } from '../../core/shared/observe'
import { geminiEmbeddingsCodec } from './codec'
import { readEmbedAnswer } from './response'
import { embedPrompt, readEmbedRequest, withEmbedModel } from './request'
import { embedNames } from '../../chat/gemini/known-names'

const encoder = new TextEncoder()
const chunks = { object: 'list', empty: {}, collect: () => false }

/** `POST /v1beta/models/{model}:embedContent` and `:batchEmbedContents`. Never streams. */
export const geminiEmbeddings: Dialect = {
  id: 'gemini-embeddings',
  codec: { kind: 'embeddings', client: geminiEmbeddingsCodec, upstream: geminiEmbeddingsCodec },
  names: embedNames,
  readRequest: readEmbedRequest,
  readPrompt: embedPrompt,
  withModel: withEmbedModel,
  countInputs: ({ requests }) => (Array.isArray(requests) ? requests.length : 1),
  withShare: (body, share) => ({ ...body, requests: sharedList(body['requests'], share) }),
  readAnswer: readEmbedAnswer,
  createTap: (options) => chunkTap(chunks, options),
  errorBody: geminiError,
  errorEvent: (error) => encoder.encode(errorEventText(error)),
  readError,
}
