import { messages } from '../anthropic/messages'
import { anthropicWire } from '../anthropic/wire'
import type { Call, Dialect } from '../dialect'
import { geminiAction } from '../gemini/dialect'
import { geminiWire } from '../gemini/wire'
import { objectOr } from '../json'
import { chat } from '../openai/chat'
import { Refusal } from '../refusal'
import { isTokenCall, token } from './token'

const place = '/projects/[^/]+/locations/[^/]+'
const google = new RegExp(`${place}/publishers/google/models/[^/]+:\\w+$`)
const anthropic = new RegExp(`${place}/publishers/anthropic/models/[^/]+:(?:stream)?[rR]awPredict$`)
const openapi = new RegExp(`${place}/endpoints/openapi/chat/completions$`)

/** Google's models, and others in OpenAI's form, on Vertex AI, with the tokens that let in to it. */
export const vertex: Dialect = {
  wire: geminiWire,
  serves: (call) => isTokenCall(call) || google.test(call.path) || openapi.test(call.path),
  isAside: isTokenCall,
  answer(call, behaviour) {
    if (isTokenCall(call)) return token(call)
    checkToken(call)
    return openapi.test(call.path) ? chat(objectOr(call.json), behaviour, call.number) : geminiAction(call, behaviour)
  },
}

/** Claude on Vertex AI. */
export const vertexAnthropic: Dialect = {
  wire: anthropicWire,
  serves: ({ path }) => anthropic.test(path),
  answer(call, behaviour) {
    checkToken(call)
    const body = objectOr(call.json)
    if (body['anthropic_version'] !== 'vertex-2023-10-16') throw new Refusal(400, 'anthropic_version: Field required')
    if ('model' in body) throw new Refusal(400, 'model: Extra inputs are not permitted')
    const { model, isStream, number } = call
    return messages({ body, model: model.replace('@', '-'), isStream, number }, behaviour)
  },
}

function checkToken({ headers, query }: Call): void {
  const isLetIn = /^Bearer \S+/.test(headers['authorization'] ?? '') || new URLSearchParams(query).has('key')
  if (!isLetIn) throw new Refusal(401, 'Request is missing required authentication credential.')
}
