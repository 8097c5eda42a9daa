import type { Dialect } from '../dialect'
import { embeddingDialect } from '../dialect-from-codec'
import { ollamaError, ollamaErrorEvent } from '../ollama-chat/errors'
import { commonNames } from '../ollama-chat/known-names'
import { knownNames, leaves } from '../shared/known-names'
import { inputPrompt } from '../shared/prompt'
import { ollamaEmbeddingsCodec } from './codec'
import { readEmbedRequest } from './request'

/** `POST /api/embed`. */
export const ollamaEmbeddings: Dialect = {
  ...embeddingDialect(
    'ollama-embeddings',
    ollamaEmbeddingsCodec,
    (body) => inputPrompt(body, 'input'),
    ({ embeddings }) => Array.isArray(embeddings) && embeddings.length > 0,
  ),
  names: knownNames({ ...commonNames, ...leaves('input', 'dimensions') }),
  readRequest: readEmbedRequest,
  errorBody: ollamaError,
  errorEvent: ollamaErrorEvent,
}
