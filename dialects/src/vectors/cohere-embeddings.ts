import { cohereError } from '../chat/cohere-chat/errors'
import type { Dialect } from '../core/dialect'
import { embeddingDialect } from '../core/dialect-from-codec'
import { openAiErrorEvent } from '../core/shared/errors'
import { knownNames, leaves } from '../core/shared/known-names'
import { readCohereUsage } from '../chat/cohere-chat/usage'
import { promptUsage } from '../core/shared/reported-usage'
import { isObject, type JsonObject } from '../core/json'
import {
  type ClientEmbeddingCodec,
  type EmbeddingAnswering,
  type EmbeddingCodec,
  type EmbeddingInput,
  type EmbeddingTask,
  imageUrl,
  isMixed,
  type MixedInput,
  mixedInputs,
  type NeutralEmbedding,
  type NeutralVectors,
  packedVector,
  textInputs,
  vectorsOf,
} from '../core/neutral/embedding'
import { objectOf, textOf, omitUndefined, objectsOf, textsOf, numberOrNull } from '../core/neutral/read'
import type { PathContext, PromptShape, RequestView } from '../core/views'
import { missing, readMaxTokens, readModel, wholeView, wrongType } from '../core/shared/fields'
import { inputPrompt } from '../core/shared/prompt'
import { DialectError } from '../core/dialect-error'

/** Cohere's `POST /v2/embed`. https://docs.cohere.com/reference/embed */
export const cohereEmbeddingsCodec: EmbeddingCodec = {
  readCall,

  writeCall: (call, warn) => {
    if (call.title !== null) warn('the title')
    if (call.user !== null) warn('user')
    return omitUndefined({
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

const lists = ['texts', 'images', 'inputs'] as const

/**
 * The view of a request for vectors. https://docs.cohere.com/reference/embed
 * @throws DialectError
 */
function readEmbedRequest(body: JsonObject, { model }: PathContext): RequestView {
  const view = wholeView(readModel(body, model || undefined))
  const presentLists = lists.filter((name) => body[name] !== undefined && body[name] !== null)
  if (presentLists.length === 0) throw missing('texts')
  for (const name of presentLists) requireList(name, body[name])
  readMaxTokens(body, 'output_dimension')
  return view
}

function requireList(name: (typeof lists)[number], list: unknown): void {
  if (!Array.isArray(list)) throw wrongType(name, 'an array', list)
  const isRight = name === 'inputs' ? isObject : (item: unknown) => typeof item === 'string'
  const index = list.findIndex((item: unknown) => !isRight(item))
  if (index >= 0) throw wrongType(`${name}[${index}]`, name === 'inputs' ? 'an object' : 'a string', list[index])
}

function embedPrompt(body: JsonObject): PromptShape {
  const parts = objectsOf(body['inputs']).flatMap(({ content }) => objectsOf(content))
  const shape = inputPrompt({ texts: body['texts'], parts }, 'texts', 'parts')
  return { ...shape, images: shape.images + textsOf(body['images']).length }
}

/** A client's call for vectors. `isBatch`: it names the types that it wants. @throws DialectError */
function readCall(body: JsonObject, pathContext: PathContext): NeutralEmbedding {
  const { model } = readEmbedRequest(body, pathContext)
  return {
    model,
    inputs: [
      ...textsOf(body['texts']),
      ...textsOf(body['images']).map((image) => ({ parts: [{ image }] })),
      ...objectsOf(body['inputs']).map(readInput),
    ],
    isBatch: Array.isArray(body['embedding_types']),
    dimensions: numberOrNull(body['output_dimension']),
    encoding: readEncoding(textsOf(body['embedding_types'])),
    task: tasks[textOf(body['input_type'])] ?? null,
    title: null,
    user: null,
    own: Object.fromEntries(Object.entries(body).filter(([name, value]) => !knownMembers.has(name) && value !== null)),
  }
}

const knownMembers: ReadonlySet<string> = new Set([
  'model',
  'texts',
  'images',
  'inputs',
  'input_type',
  'embedding_types',
  'output_dimension',
])

const tasks: Readonly<Record<string, EmbeddingTask>> = {
  search_query: 'query',
  search_document: 'document',
  classification: 'classification',
  clustering: 'clustering',
}

function readInput({ content }: JsonObject): EmbeddingInput {
  const parts = objectsOf(content).map((part): MixedInput['parts'][number] => {
    const url = textOf(objectOf(part['image_url'])['url'])
    return part['type'] === 'image_url' ? { image: url } : { text: textOf(part['text']) }
  })
  const [only] = parts
  return parts.length === 1 && only !== undefined && 'text' in only ? only.text : { parts }
}

/** @throws DialectError for types that only the vendor can make. */
function readEncoding(types: readonly string[]): NeutralEmbedding['encoding'] {
  const other = types.find((type) => type !== 'float' && type !== 'base64')
  if (other !== undefined)
    throw new DialectError(
      'embedding_types',
      'invalid_value',
      "Invalid 'embedding_types': the model gives 'float' and 'base64' alone.",
    )
  if (!types.includes('base64')) return 'float'
  return types.includes('float') ? 'both' : 'base64'
}
