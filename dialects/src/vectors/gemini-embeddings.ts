import type { Dialect } from '../core/dialect'
import { errorEventText, geminiError, readError, errorIn } from '../chat/gemini/errors'
import { sharedList } from '../core/shared/joined-responses'
import { chunkTap } from '../core/shared/observe'
import { embedNames } from '../chat/gemini/known-names'
import { DialectError } from '../core/dialect-error'
import { listOf, member, memberObject } from '../core/shared/google-members'
import { type JsonObject, isObject } from '../core/json'
import {
  type EmbeddingCodec,
  type EmbeddingInput,
  type EmbeddingTask,
  imageUrl,
  type MixedInput,
  mixedInputs,
  vectorOf,
} from '../core/neutral/embedding'
import { numberOrNull, objectOf, readDataUrl, textOf, textOrNull, omitUndefined, objectsOf } from '../core/neutral/read'
import type { AnswerView, PathContext, PromptShape, RequestView } from '../core/views'
import { failureIn, hasObjects } from '../core/shared/reported-failure'
import { readUsage } from '../core/shared/usage'
import { promptUsage } from '../core/shared/reported-usage'
import type { ReportedUsage } from '../core/usage'
import { contentsPrompt } from '../chat/gemini/prompt'
import { missing, readModel, wholeView, wrongType } from '../core/shared/fields'

/**
 * Gemini's embeddings to and from the neutral form. What the first request of a batch asks for counts for all.
 * What is written is always a batch, for the address `:batchEmbedContents`.
 */
export const geminiEmbeddingsCodec: EmbeddingCodec = {
  readCall: (body, pathContext) => {
    const { model } = readEmbedRequest(body, pathContext)
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
        omitUndefined({
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
  const inline = readDataUrl(imageUrl(part.image))
  if (inline !== null) return { inlineData: { mimeType: inline.mime, data: inline.data } }
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

/** A whole answer, of one or of many. */
function readEmbedAnswer(answer: JsonObject): AnswerView {
  return {
    usage: readEmbedUsage(answer),
    error: errorIn(answer) ?? failureIn(answer, hasObjects(answer['embeddings']) || isObject(answer['embedding'])),
    toolCalls: 0,
    isEmpty: false,
    completionText: () => '',
  }
}

/** The vectors with the statistics of each. */
const embeddingsOf = (answer: JsonObject): readonly JsonObject[] =>
  Array.isArray(answer['embeddings']) ? objectsOf(answer['embeddings']) : [objectOf(answer['embedding'])]

/** Most models tell none; newer ones tell one of all, those of the cloud one of each vector. */
function readEmbedUsage(answer: JsonObject): ReportedUsage | null {
  const reported = member(memberObject(answer, 'usageMetadata'), 'promptTokenCount')
  const each = embeddingsOf(answer).map((embedding) =>
    numberOrNull(member(objectOf(embedding['statistics']), 'tokenCount')),
  )
  return promptUsage(
    readUsage({ prompt_tokens: reported ?? each.reduce<number>((sum, count) => sum + (count ?? 0), 0) }),
  )
}

/**
 * The view of `embedContent`, or of `batchEmbedContents`, which has a list of such requests.
 * https://ai.google.dev/api/embeddings
 * @throws DialectError
 */
function readEmbedRequest(body: JsonObject, { model }: PathContext): RequestView {
  const requests = body['requests']
  if (requests === undefined || requests === null) requireContent(body, '')
  else if (!Array.isArray(requests)) throw wrongType('requests', 'an array of objects', requests)
  else if (requests.length === 0)
    throw new DialectError('requests', 'empty_array', "Invalid 'requests': expected at least one request.")
  else
    requests.forEach((request: unknown, index) => {
      if (!isObject(request)) throw wrongType(`requests[${index}]`, 'an object', request)
      requireContent(request, `requests[${index}].`)
    })
  const named = model || (body['model'] ?? objectOf(embedRequests(body)[0])['model'])
  return wholeView(readModel({ model: typeof named === 'string' ? withoutKind(named) : named }))
}

function requireContent({ content = null }: JsonObject, place: string): void {
  if (content === null) throw missing(`${place}content`)
  if (!isObject(content)) throw wrongType(`${place}content`, 'an object', content)
  const { parts = null } = content
  if (parts === null) throw missing(`${place}content.parts`)
  if (!Array.isArray(parts) && !isObject(parts)) throw wrongType(`${place}content.parts`, 'an array of objects', parts)
}

/** The requests of a batch, or the one that stands alone. */
const embedRequests = (body: JsonObject): readonly JsonObject[] =>
  Array.isArray(body['requests']) ? objectsOf(body['requests']) : [body]

/** A model's name without the kind of resource it is. */
const withoutKind = (model: string): string => model.replace(/^models\//, '')

/** The contents to embed, which are not a conversation, and their titles. */
function embedPrompt(body: JsonObject): PromptShape {
  const requests = embedRequests(body)
  const prompt = contentsPrompt({ contents: requests.map(({ content }) => content) })
  const titles = requests.map((request) => member(request, 'title'))
  return {
    ...prompt,
    texts: [...prompt.texts, ...titles.filter((title): title is string => typeof title === 'string' && title !== '')],
    messages: 0,
  }
}

/** The model stands in the path; the requests repeat it and must agree. */
function withEmbedModel(body: JsonObject, model: string): JsonObject {
  const renamed = renamedIn(body, model)
  const requests = objectsOf(body['requests'])
  const changed = requests.map((request) => renamedIn(request, model))
  return changed.every((request, index) => request === requests[index]) ? renamed : { ...renamed, requests: changed }
}

const renamedIn = (request: JsonObject, model: string): JsonObject => {
  const named = request['model']
  return typeof named !== 'string' || withoutKind(named) === model ? request : { ...request, model: `models/${model}` }
}
