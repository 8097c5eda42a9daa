import type { Dialect } from '../../core/dialect'
import { embeddingDialect } from '../../core/dialect-from-codec'
import { ollamaError, ollamaErrorEvent } from '../../chat/ollama-chat/errors'
import { commonNames } from '../../chat/ollama-chat/known-names'
import { knownNames, leaves } from '../../core/shared/known-names'
import { inputPrompt } from '../../core/shared/prompt'
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
  codec: { kind: 'embeddings', client: ollamaEmbeddingsCodec, upstream: ollamaEmbeddingsCodec },
  names: knownNames({ ...commonNames, ...leaves('input', 'dimensions') }),
  readRequest: readEmbedRequest,
  errorBody: ollamaError,
  errorEvent: ollamaErrorEvent,
}
