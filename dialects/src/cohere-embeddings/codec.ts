import { readCohereUsage } from '../cohere-chat/usage'
import { promptUsage } from '../shared/reported-usage'
import { isObject, type JsonObject } from '../json'
import type { EmbeddingTask, MixedInput, UpstreamEmbeddingCodec } from '../neutral/embedding'
import { objectOf, textOf, written } from '../neutral/read'
import { imageUrl, isMixed, mixedInputs, textInputs, vectorsOf } from '../neutral/vectors'

/** Cohere's `POST /v2/embed`. https://docs.cohere.com/reference/embed */
export const cohereEmbeddingsCodec: UpstreamEmbeddingCodec = {
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
