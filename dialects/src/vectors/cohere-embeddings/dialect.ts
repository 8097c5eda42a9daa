import { cohereError } from '../../chat/cohere-chat/errors'
import type { Dialect } from '../../core/dialect'
import { embeddingDialect } from '../../core/dialect-from-codec'
import { openAiErrorEvent } from '../../core/shared/errors'
import { knownNames, leaves } from '../../core/shared/known-names'
import { embedPrompt, readEmbedRequest } from './request'
import { readCohereUsage } from '../../chat/cohere-chat/usage'
import { readCall } from './read-call'
import { promptUsage } from '../../core/shared/reported-usage'
import { isObject, type JsonObject } from '../../core/json'
import type {
  ClientEmbeddingCodec,
  EmbeddingAnswering,
  EmbeddingCodec,
  EmbeddingTask,
  MixedInput,
  NeutralEmbedding,
  NeutralVectors,
} from '../../core/neutral/embedding'
import { objectOf, textOf, written } from '../../core/neutral/read'
import { imageUrl, isMixed, mixedInputs, packedVector, textInputs, vectorsOf } from '../../core/neutral/vectors'

/** Cohere's `POST /v2/embed`. https://docs.cohere.com/reference/embed */
export const cohereEmbeddingsCodec: EmbeddingCodec = {
  readCall,

  writeCall: (call, warn) => {
    if (call.title !== null) warn('the title')
    if (call.user !== null) warn('user')
    return written({
      model: call.model,
      ...(call.inputs.some(isMixed) ? { inputs: mixedInputs(call).map(writeMixed) } : { texts: textInputs(call) }),
      input_type: inputTypes[call.task ?? 'document'],
      embedding_types: ['float'],
      output_dimension: call.dimensions ?? undefined,
      truncate: textOf(call.own['truncate']) || undefined,
    })
  },

  /** Older answers have the vectors without the name of their kind. */
  readAnswer: ({ embeddings, meta }) => ({
    model: '',
    vectors: vectorsOf(isObject(embeddings) ? embeddings['float'] : embeddings),
    usage: promptUsage(readCohereUsage(objectOf(meta))),
  }),

  writeAnswer: (answer, answering) => writeByType(answer, answering),
}

/** Cohere's `POST /v1/embed`. Only clients speak it. */
const cohereEmbeddingsV1Codec: ClientEmbeddingCodec = {
  readCall,
  writeAnswer: (answer, answering) => writeFirstVersion(answer, answering),
}

/** https://docs.cohere.com/docs/multimodal-embeddings */
const writeMixed = ({ parts }: MixedInput): JsonObject => ({
  content: parts.map((part) =>
    'text' in part
      ? { type: 'text', text: part.text }
      : { type: 'image_url', image_url: { url: imageUrl(part.image) } },
  ),
})

/** The vendor wants one of four; a client that says nothing most often fills an index. */
const inputTypes: Readonly<Record<EmbeddingTask, string>> = {
  query: 'search_query',
  document: 'search_document',
  similarity: 'clustering',
  classification: 'classification',
  clustering: 'clustering',
  'question-answering': 'search_query',
  'fact-verification': 'search_query',
  'code-query': 'search_query',
}

/** An answer of the second version: the vectors by their type. https://docs.cohere.com/reference/embed */
const writeByType = (answer: NeutralVectors, answering: EmbeddingAnswering): JsonObject => ({
  ...common(answer, answering, '2'),
  embeddings: byType(answer.vectors, answering.call.encoding),
  response_type: 'embeddings_by_type',
})

/** An answer of the first version: the vectors alone, where no types were asked for. https://docs.cohere.com/v1/reference/embed */
const writeFirstVersion = (answer: NeutralVectors, answering: EmbeddingAnswering): JsonObject => ({
  ...(answering.call.isBatch ? writeByType(answer, answering) : plain(answer)),
  ...common(answer, answering, '1'),
})

const plain = ({ vectors }: NeutralVectors): JsonObject => ({ embeddings: vectors, response_type: 'embeddings_floats' })

const common = ({ usage }: NeutralVectors, { call, newId }: EmbeddingAnswering, version: '1' | '2') => ({
  id: newId(''),
  texts: call.inputs.filter((input) => typeof input === 'string'),
  meta: { api_version: { version }, billed_units: { input_tokens: usage?.promptTokens ?? 0 } },
})

const byType = (vectors: NeutralVectors['vectors'], encoding: NeutralEmbedding['encoding']): JsonObject => ({
  ...(encoding !== 'base64' && { float: vectors }),
  ...(encoding !== 'float' && { base64: vectors.map(packedVector) }),
})

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
