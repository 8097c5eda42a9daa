import type { Dialect } from '../core/dialect'
import { answerReader } from '../core/dialect-from-codec'
import { ollamaChat } from './ollama-chat/dialect'
import { commonNames } from './ollama-chat/known-names'
import { cutLine } from './ollama-chat/observe'
import { knownNames, leaves } from '../core/shared/known-names'
import { CodecObserver } from '../core/streaming/accumulator'
import { PassingTap } from '../core/streaming/passing-tap'
import type { PathContext, PromptShape, RequestView } from '../core/views'
import type { JsonObject } from '../core/json'
import type { ClientCodec, UpstreamCodec } from '../core/neutral/codec'
import { omitUndefined, textOf } from '../core/neutral/read'
import { readCall } from './ollama-chat/read/call'
import { createMapper } from './ollama-chat/read/response'
import { eventText, type PieceForm, wholeOf, writerOf } from './ollama-chat/write/response'
import { type MapEvent, readAsChunks } from './openai-chat/chunk-form'
import { DialectError } from '../core/dialect-error'
import { ollamaPrompt } from './ollama-chat/prompt'
import { readCommon } from './ollama-chat/request'
import { missing, wrongType } from '../core/shared/fields'

/** https://docs.ollama.com/api/generate */
const atTopLevel: PieceForm = ({ content = '', images, ...rest }) =>
  omitUndefined({ response: content, ...rest, image: images?.[0] })

/** Ollama's `POST /api/generate`: one prompt, one answer. Only Ollama's own servers are called by it. */
export const ollamaGenerateCodec: ClientCodec & Omit<UpstreamCodec, 'writeCall'> = {
  lacks: new Set(['redacted-thinking', 'signature', 'search', 'sound', 'citation']),
  readCall(body: JsonObject, pathContext: PathContext) {
    readGenerateRequest(body, pathContext)
    const call = readCall(asChatRequest(body), pathContext)
    return { ...call, leftOut: [...(call.leftOut ?? []), ...unsaidIn(body)] }
  },
  ...readAsChunks(createGenerateMapper),
  writeAnswer: wholeOf(atTopLevel),
  createWriter: writerOf(atTopLevel),
  eventText,
}

function createGenerateMapper(): MapEvent {
  const map = createMapper()
  return ({ response, thinking, tool_calls, ...rest }) =>
    map(
      response === undefined ? rest : { ...rest, message: omitUndefined({ content: response, thinking, tool_calls }) },
    )
}

/** `POST /api/generate`. */
export const ollamaGenerate: Dialect = {
  ...ollamaChat,
  id: 'ollama-generate',
  codec: { kind: 'chat', client: ollamaGenerateCodec },
  readAnswer: answerReader(ollamaGenerateCodec, ({ response }) => typeof response === 'string'),
  names: knownNames({
    ...commonNames,
    ...leaves('prompt', 'suffix', 'images', 'system', 'context', 'raw', 'width', 'height', 'steps'),
  }),
  readRequest: readGenerateRequest,
  readPrompt: generatePrompt,
  withSystemPrompt: withSystem,
  createTap: () => new PassingTap(new CodecObserver(ollamaGenerateCodec.createReader(), cutLine(atTopLevel))),
}

/**
 * The view of a request. https://docs.ollama.com/api/generate
 * A request without a prompt loads a model, and asks for no answer.
 * @throws DialectError
 */
function readGenerateRequest(body: JsonObject, pathContext: PathContext): RequestView {
  const { prompt = null, system = null } = body
  if (prompt === null || prompt === '') throw missing('prompt')
  if (typeof prompt !== 'string') throw wrongType('prompt', 'a string', prompt)
  if (system !== null && typeof system !== 'string') throw wrongType('system', 'a string', system)
  return readCommon(body, pathContext)
}

/** How a prompt is to be put to the model, and pictures to be drawn: nothing that a chat could say. */
const unsaid = ['raw', 'template', 'width', 'height', 'steps'] as const

/** Returns the names of what a chat cannot say. */
const unsaidIn = (body: JsonObject): readonly string[] => unsaid.filter((name) => Boolean(body[name]))

const requested: ReadonlySet<string> = new Set(['prompt', 'system', 'images', 'suffix', 'context', ...unsaid])

/**
 * The request as one of a chat.
 * @throws DialectError for a text to be filled in and for the tokens of an earlier talk: only the server that made these can read them.
 */
function asChatRequest(body: JsonObject): JsonObject {
  refuseFilled(body, 'suffix')
  refuseFilled(body, 'context')
  return withMessages(body)
}

function refuseFilled(body: JsonObject, name: 'suffix' | 'context'): void {
  const { [name]: value = null } = body
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return
  throw new DialectError(
    name,
    'invalid_value',
    `Invalid '${name}': the model is not served by Ollama, which alone takes it.`,
  )
}

function withMessages(body: JsonObject): JsonObject {
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !requested.has(name)))
  const system = textOf(body['system'])
  const { prompt, images } = body
  return {
    ...rest,
    messages: [
      ...(system === '' ? [] : [{ role: 'system', content: system }]),
      { role: 'user', content: prompt, images },
    ],
  }
}

function generatePrompt(body: JsonObject): PromptShape {
  const shape = ollamaPrompt(withMessages(body))
  const suffix = textOf(body['suffix'])
  const { context } = body
  return {
    ...shape,
    texts: suffix === '' ? shape.texts : [...shape.texts, suffix],
    tokenIds: shape.tokenIds + (Array.isArray(context) ? context.length : 0),
  }
}

/** The body with these instructions when it has none; with `isFirst` also before its own. */
function withSystem(body: JsonObject, text: string, isFirst: boolean): JsonObject {
  const own = textOf(body['system'])
  if (text === '' || (own !== '' && !isFirst)) return body
  return { ...body, system: own === '' ? text : `${text}\n${own}` }
}
