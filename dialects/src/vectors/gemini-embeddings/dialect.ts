import type { Dialect } from '../../core/dialect'
import { errorEventText, geminiError, readError } from '../../chat/gemini/errors'
import { sharedList } from '../../core/shared/joined-embeddings'
import { chunkTap } from '../../core/shared/observe'
import { readEmbedAnswer, embeddingsOf, readEmbedUsage } from './response'
import { embedPrompt, readEmbedRequest, withEmbedModel, embedRequests } from './request'
import { embedNames } from '../../chat/gemini/known-names'
import { DialectError } from '../../core/dialect-error'
import { listOf, member } from '../../core/shared/google-members'
import type { JsonObject } from '../../core/json'
import type { EmbeddingCodec, EmbeddingInput, EmbeddingTask, MixedInput } from '../../core/neutral/embedding'
import { numberOrNull, objectOf, readDataUrl, textOf, textOrNull, written } from '../../core/neutral/read'
import { imageUrl, mixedInputs, vectorOf } from '../../core/neutral/vectors'

/**
 * Gemini's embeddings to and from the neutral form. What the first request of a batch asks for counts for all.
 * What is written is always a batch, for the address `:batchEmbedContents`.
 */
export const geminiEmbeddingsCodec: EmbeddingCodec = {
  readCall: (body, place) => {
    const { model } = readEmbedRequest(body, place)
    const requests = embedRequests(body)
    const first = objectOf(requests[0])
    return {
      model,
      inputs: requests.map(({ content }) => readContent(objectOf(content))),
      isBatch: Array.isArray(body['requests']),
      dimensions: numberOrNull(member(first, 'outputDimensionality')),
      encoding: 'float',
      task: byWord.get(textOf(member(first, 'taskType'))) ?? null,
      title: requests.length === 1 ? textOrNull(first['title']) : null,
      user: null,
      own: {},
    }
  },

  writeCall: (call, warn) => {
    if (call.user !== null) warn('user')
    return {
      requests: mixedInputs(call).map(({ parts }) =>
        written({
          model: `models/${call.model}`,
          content: { parts: parts.map(writePart) },
          taskType: call.task === null ? undefined : taskWords[call.task],
          title: call.title ?? undefined,
          outputDimensionality: call.dimensions ?? undefined,
        }),
      ),
    }
  },

  readAnswer: (answer) => ({
    model: '',
    vectors: embeddingsOf(answer).map(({ values }) => vectorOf(values)),
    usage: readEmbedUsage(answer),
  }),

  writeAnswer: ({ vectors, usage }, { call }) => {
    const all = vectors.map((values) => ({ values }))
    return {
      ...(call.isBatch ? { embeddings: all } : { embedding: all[0] ?? { values: [] } }),
      ...(usage && { usageMetadata: { promptTokenCount: usage.promptTokens } }),
    }
  },
}

/** Texts alone are one text. */
function readContent(content: JsonObject): EmbeddingInput {
  const parts = listOf(content['parts']).map((part) => {
    const inline = objectOf(member(part, 'inlineData'))
    const data = textOf(inline['data'])
    return data === ''
      ? { text: textOf(part['text']) }
      : { image: `data:${textOf(member(inline, 'mimeType'))};base64,${data}` }
  })
  return parts.some((part) => 'image' in part)
    ? { parts }
    : parts.map((part) => ('text' in part ? part.text : '')).join('')
}

/** @throws DialectError for a picture that is not in the request: the vendor fetches none. */
export function writePart(part: MixedInput['parts'][number]): JsonObject {
  if ('text' in part) return { text: part.text }
  const picture = readDataUrl(imageUrl(part.image))
  if (picture !== null) return { inlineData: { mimeType: picture.mime, data: picture.data } }
  throw new DialectError(
    'input',
    'invalid_value',
    "Invalid 'input': the model takes pictures as base64, not by address.",
  )
}

/** https://ai.google.dev/api/embeddings#v1beta.TaskType */
export const taskWords: Readonly<Record<EmbeddingTask, string>> = {
  query: 'RETRIEVAL_QUERY',
  document: 'RETRIEVAL_DOCUMENT',
  similarity: 'SEMANTIC_SIMILARITY',
  classification: 'CLASSIFICATION',
  clustering: 'CLUSTERING',
  'question-answering': 'QUESTION_ANSWERING',
  'fact-verification': 'FACT_VERIFICATION',
  'code-query': 'CODE_RETRIEVAL_QUERY',
}
const byWord: ReadonlyMap<string, EmbeddingTask> = new Map([
  [taskWords.query, 'query'],
  [taskWords.document, 'document'],
  [taskWords.similarity, 'similarity'],
  [taskWords.classification, 'classification'],
  [taskWords.clustering, 'clustering'],
  [taskWords['question-answering'], 'question-answering'],
  [taskWords['fact-verification'], 'fact-verification'],
  [taskWords['code-query'], 'code-query'],
])

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
