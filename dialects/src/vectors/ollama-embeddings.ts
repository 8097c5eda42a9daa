import type { Dialect } from '../core/dialect'
import { embeddingDialect } from '../core/dialect-from-codec'
import { ollamaError, ollamaErrorEvent } from '../chat/ollama-chat/errors'
import { commonNames } from '../chat/ollama-chat/known-names'
import { knownNames, leaves } from '../core/shared/known-names'
import { inputPrompt } from '../core/shared/prompt'
import { type JsonObject, isObject } from '../core/json'
import { elapsedMs } from '../core/neutral/codec'
import {
  type ClientEmbeddingCodec,
  type EmbeddingCodec,
  type NeutralEmbedding,
  textInputs,
  vectorsOf,
} from '../core/neutral/embedding'
import { numberOrNull, objectOf, textOf, textsOf, omitUndefined } from '../core/neutral/read'
import { nanoseconds } from '../chat/ollama-chat/write/response'
import { promptUsage } from '../core/shared/reported-usage'
import { readUsage } from '../core/shared/usage'
import type { PathContext, RequestView } from '../core/views'
import { missing, readMaxTokens, readModel, requireInput, wholeView, wrongType } from '../core/shared/fields'

/** Ollama's `POST /api/embed`. https://docs.ollama.com/api/embed */
export const ollamaEmbeddingsCodec: EmbeddingCodec = {
  readCall: (body, pathContext) => {
    const { model } = readEmbedRequest(body, pathContext)
    const { input, dimensions } = body
    const inputs = typeof input === 'string' ? [input] : textsOf(input)
    return { ...readCommonMembers(body), model, inputs, isBatch: true, dimensions: numberOrNull(dimensions) }
  },

  writeCall: (call, warn) => {
    if (call.task !== null) warn('the task')
    if (call.title !== null) warn('the title')
    if (call.user !== null) warn('user')
    const { truncate, keep_alive } = call.own
    const options = optionsOf(call.own)
    return omitUndefined({
      model: call.model,
      input: textInputs(call),
      dimensions: call.dimensions ?? undefined,
      truncate: typeof truncate === 'boolean' ? truncate : undefined,
      keep_alive,
      options: Object.keys(options).length > 0 ? options : undefined,
    })
  },

  readAnswer: (answer) => ({
    model: textOf(answer['model']),
    vectors: vectorsOf(answer['embeddings']),
    usage: promptUsage(readUsage({ prompt_tokens: answer['prompt_eval_count'] })),
  }),

  writeAnswer: ({ vectors, usage }, answering) => ({
    model: answering.model,
    embeddings: vectors,
    total_duration: nanoseconds(elapsedMs(answering)),
    load_duration: 0,
    prompt_eval_count: usage?.promptTokens ?? 0,
  }),
}

const ownNames = ['truncate', 'keep_alive', 'options'] as const

/** What requests for one vector and for several have in common. */
const readCommonMembers = (
  body: JsonObject,
): Pick<NeutralEmbedding, 'encoding' | 'task' | 'title' | 'user' | 'own'> => ({
  encoding: 'float',
  task: null,
  title: null,
  user: null,
  own: omitUndefined(Object.fromEntries(ownNames.map((name) => [name, body[name] ?? undefined]))),
})

const optionNames = ['seed', 'temperature', 'top_p', 'frequency_penalty', 'presence_penalty', 'num_ctx'] as const

/** What clients say apart from the call and the vendor has in a place of its own. */
const optionsOf = (own: JsonObject): JsonObject => ({
  ...objectOf(own['options']),
  ...omitUndefined(Object.fromEntries(optionNames.map((name) => [name, numberOrNull(own[name]) ?? undefined]))),
})

/** Ollama's older `POST /api/embeddings`: one prompt, one vector. */
const ollamaEmbeddingCodec: ClientEmbeddingCodec = {
  readCall: (body, pathContext) => ({
    ...readCommonMembers(body),
    model: readPromptRequest(body, pathContext).model,
    inputs: [textOf(body['prompt'])],
    isBatch: false,
    dimensions: null,
  }),
  writeAnswer: ({ vectors }) => ({ embedding: vectors[0] ?? [] }),
}

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

/** `POST /api/embeddings`; only clients speak it. */
export const ollamaEmbedding: Dialect = {
  ...ollamaEmbeddings,
  id: 'ollama-embedding',
  codec: { kind: 'embeddings', client: ollamaEmbeddingCodec },
  names: knownNames({ ...commonNames, ...leaves('prompt') }),
  readRequest: readPromptRequest,
  readPrompt: (body) => inputPrompt(body, 'prompt'),
}

/**
 * The view of a request for vectors. https://docs.ollama.com/api/embed
 * @throws DialectError
 */
function readEmbedRequest(body: JsonObject, { model }: PathContext): RequestView {
  const view = wholeView(readModel(body, model || undefined))
  const { input } = body
  requireInput(body, 'input')
  const index = Array.isArray(input) ? input.findIndex((text) => typeof text !== 'string') : -1
  if (index >= 0 && Array.isArray(input)) throw wrongType(`input[${index}]`, 'a string', input[index])
  readMaxTokens(body, 'dimensions')
  requireOptions(body)
  return view
}

/**
 * The view of a request for one vector, by the older call. https://github.com/ollama/ollama/blob/main/docs/api.md#generate-embedding
 * @throws DialectError
 */
function readPromptRequest(body: JsonObject, { model }: PathContext): RequestView {
  const view = wholeView(readModel(body, model || undefined))
  const { prompt = null } = body
  if (prompt === null) throw missing('prompt')
  if (typeof prompt !== 'string') throw wrongType('prompt', 'a string', prompt)
  requireOptions(body)
  return view
}

function requireOptions({ options = null }: JsonObject): void {
  if (options !== null && !isObject(options)) throw wrongType('options', 'an object', options)
}
