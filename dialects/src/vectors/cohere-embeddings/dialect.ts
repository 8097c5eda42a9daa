import { cohereError } from '../../chat/cohere-chat/errors'
import type { Dialect } from '../../core/dialect'
import { embeddingDialect } from '../../core/dialect-from-codec'
import { openAiErrorEvent } from '../../core/shared/errors'
import { knownNames, leaves } from '../../core/shared/known-names'
import { cohereEmbeddingsCodec, cohereEmbeddingsV1Codec } from './codec'
import { embedPrompt, readEmbedRequest } from './request'

/** `POST /v2/embed`. */
export const cohereEmbeddings: Dialect = {
  ...embeddingDialect(
    'cohere-embeddings',
    cohereEmbeddingsCodec,
    embedPrompt,
    ({ embeddings }) => typeof embeddings === 'object' && embeddings !== null,
  ),
  codec: { kind: 'embeddings', client: cohereEmbeddingsCodec, upstream: cohereEmbeddingsCodec },
  names: knownNames({
    ...leaves('model', 'texts', 'images', 'input_type', 'embedding_types', 'output_dimension', 'max_tokens'),
    ...leaves('truncate', 'priority'),
    inputs: { content: { ...leaves('type', 'text', 'refusal', 'detail'), image_url: leaves('url', 'detail') } },
  }),
  readRequest: readEmbedRequest,
  errorBody: cohereError,
  errorEvent: openAiErrorEvent,
}

/** `POST /v1/embed`; only clients speak it. */
export const cohereEmbeddingsV1: Dialect = {
  ...cohereEmbeddings,
  id: 'cohere-embeddings-v1',
  codec: { kind: 'embeddings', client: cohereEmbeddingsV1Codec },
}
