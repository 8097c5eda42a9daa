import type { Dialect } from '../core/dialect'
import {
  type EmbeddingCodec,
  type EmbeddingInput,
  type EmbeddingTask,
  isMixed,
  isNumbers,
  type MixedInput,
  type NeutralEmbedding,
  packedVector,
  vectorOf,
} from '../core/neutral/embedding'
import { sharedList } from '../core/shared/joined-responses'
import { readTextlessAnswer } from '../core/shared/response'
import { inputPrompt } from '../core/shared/prompt'
import { textlessDialect } from '../core/dialect-from-codec'
import { embeddingNames } from '../core/shared/names'
import { DialectError } from '../core/dialect-error'
import { isObject, type JsonObject } from '../core/json'
import { numberOrNull, objectsOf, textOf, textOrNull, omitUndefined } from '../core/neutral/read'
import { readMaxTokens, wrongType, readModel, requireInput, wholeView } from '../core/shared/fields'
import type { RequestView } from '../core/views'

/** OpenAI's embeddings to and from the neutral form. https://platform.openai.com/docs/api-reference/embeddings */
export const openAiEmbeddingsCodec: EmbeddingCodec = {
  readCall: (body, pathContext) => ({
    model: readEmbeddingRequest(body, pathContext.model || undefined).model,
    inputs: readInputs(body['input']),
    isBatch: true,
    dimensions: readMaxTokens(body, 'dimensions'),
    encoding: readEncoding(body['encoding_format']),
    task: tasks[(textOf(body['input_type']) || textOf(body['task'])).toLowerCase()] ?? null,
    title: null,
    user: textOrNull(body['user']),
    own: Object.fromEntries(Object.entries(body).filter(([name]) => !knownMembers.has(name))),
  }),

  /** Numbers are asked for as they are, which all followers know. */
  writeCall: (call, warn) => {
    if (call.task !== null) warn('the task')
    if (call.title !== null) warn('the title')
    return omitUndefined({
      model: call.model,
      input: writeInputs(call),
      dimensions: call.dimensions ?? undefined,
      user: call.user ?? undefined,
    })
  },

  readAnswer: (answer) => ({
    model: textOf(answer['model']),
    vectors: inOrder(objectsOf(answer['data'])).map(({ embedding }) => vectorOf(embedding)),
    usage: readTextlessAnswer(answer, ['data']).usage,
  }),

  writeAnswer: ({ vectors, usage }, { model, call }) => ({
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: call.encoding === 'base64' ? packedVector(vector) : vector,
    })),
    model,
    usage: { prompt_tokens: usage?.promptTokens ?? 0, total_tokens: usage?.promptTokens ?? 0 },
  }),
}

const knownMembers = new Set(['model', 'input', 'dimensions', 'encoding_format', 'user', 'input_type', 'task'])

/** The words of followers whose models know what the vectors are for. */
const tasks: Readonly<Partial<Record<string, EmbeddingTask>>> = {
  query: 'query',
  search_query: 'query',
  'retrieval.query': 'query',
  retrieval_query: 'query',
  document: 'document',
  passage: 'document',
  search_document: 'document',
  'retrieval.passage': 'document',
  retrieval_document: 'document',
  'text-matching': 'similarity',
  semantic_similarity: 'similarity',
  classification: 'classification',
  clustering: 'clustering',
  separation: 'clustering',
  question_answering: 'question-answering',
  fact_verification: 'fact-verification',
  code_retrieval_query: 'code-query',
}

/** One text, one list of tokens, or a list of either. */
function readInputs(input: unknown): readonly EmbeddingInput[] {
  if (typeof input === 'string') return [input]
  if (isNumbers(input)) return [input]
  if (!Array.isArray(input)) throw wrongType('input', 'a string or an array', input)
  return input.map((item: unknown, index) => {
    if (typeof item === 'string' || isNumbers(item)) return item
    const parts = isObject(item) ? readParts(item) : []
    const [only] = parts
    if (only === undefined) throw wrongType(`input[${index}]`, 'a string or an array of integers', item)
    return parts.length === 1 && 'text' in only ? only.text : { parts }
  })
}

/** A text or a picture in the words of Jina, of OpenAI's chats, or of Cohere and Voyage, which put several into `content`. */
function readParts(item: JsonObject): MixedInput['parts'] {
  const { text, image, image_url: url, image_base64: data, content } = item
  if (Array.isArray(content)) return objectsOf(content).flatMap(readParts)
  if (typeof text === 'string') return [{ text }]
  const source = [image, isObject(url) ? url['url'] : url, data].find((one) => typeof one === 'string')
  return source === undefined ? [] : [{ image: source }]
}

/** One input stands alone, as most clients write it. */
function writeInputs({ inputs }: NeutralEmbedding): unknown {
  const [only] = inputs
  if (only !== undefined && inputs.length === 1 && !isMixed(only)) return only
  return inputs.map((input) => (isMixed(input) ? writeMixed(input) : input))
}

const writeMixed = ({ parts }: MixedInput): unknown => {
  const [only] = parts
  return parts.length === 1 ? only : { content: parts }
}

function readEncoding(format: unknown): NeutralEmbedding['encoding'] {
  if (format === undefined || format === null) return 'float'
  if (format === 'float' || format === 'base64') return format
  throw new DialectError('encoding_format', 'invalid_value', "Invalid 'encoding_format': expected 'float' or 'base64'.")
}

/** By their numbers, where they have such. */
const inOrder = (items: readonly JsonObject[]): readonly JsonObject[] =>
  items.every(({ index }) => numberOrNull(index) !== null)
    ? items.toSorted((a, b) => Number(a['index']) - Number(b['index']))
    : items

/** `POST /v1/embeddings`. */
export const openAiEmbeddings: Dialect = {
  codec: { kind: 'embeddings', client: openAiEmbeddingsCodec, upstream: openAiEmbeddingsCodec },
  countInputs: ({ input }) => (isNumbers(input) || !Array.isArray(input) ? 1 : input.length),
  withShare: (body, share) => ({ ...body, input: sharedList(body['input'], share) }),
  ...textlessDialect({
    id: 'openai-embeddings',
    names: embeddingNames,
    readRequest: (body, pathContext) => readEmbeddingRequest(body, pathContext.model || undefined),
    readPrompt: (body) => inputPrompt(body, 'input'),
    readAnswer: (answer) => readTextlessAnswer(answer, ['data']),
  }),
}

/**
 * The view of an embedding request. https://platform.openai.com/docs/api-reference/embeddings/create
 * @throws DialectError
 */
function readEmbeddingRequest(body: JsonObject, model?: string): RequestView {
  const view = wholeView(readModel(body, model))
  requireInput(body, 'input')
  return view
}

/**
 * An answer with its vectors packed where the client asked for that and the vendor does not know how: OpenAI's SDK asks for packed vectors
 * unless told otherwise, and reads nothing else then. The same object when nothing must change.
 */
export function completeEmbeddings(answer: JsonObject, request: JsonObject): JsonObject {
  const { data } = answer
  if (request['encoding_format'] !== 'base64' || !Array.isArray(data)) return answer
  if (!data.some((item: unknown) => isObject(item) && isNumbers(item['embedding']))) return answer
  return { ...answer, data: data.map(packItem) }
}

const packItem = (item: unknown): unknown =>
  isObject(item) && isNumbers(item['embedding']) ? { ...item, embedding: packedVector(item['embedding']) } : item
