import { whole, type Answer } from '../answer'
import type { Behaviour } from '../behaviour'
import type { Call, Dialect } from '../dialect'
import { objectOr, type JsonObject } from '../json'
import { promptTokensOf } from '../prompt-tokens'
import { batchEmbedContents, embedContent } from './embeddings'
import { generate } from './generate'
import { modelPage, oneModel } from './models'
import { readRequest } from './request'
import { geminiWire } from './wire'

const action = /\/models\/[^/]+:(\w+)$/
const models = /\/models(?:\/([^/]+))?$/

type Endpoint = (body: JsonObject, behaviour: Behaviour, call: Call) => Answer

const endpoints: Readonly<Record<string, Endpoint>> = {
  generateContent: (body, behaviour, { model, number }) => generate({ body, model, number, stream: null }, behaviour),
  streamGenerateContent: (body, behaviour, { model, number, query }) => {
    const isSse = new URLSearchParams(query).get('alt') === 'sse'
    return generate({ body, model, number, stream: isSse ? 'sse' : 'list' }, behaviour)
  },
  countTokens: (body, behaviour) => {
    const asked = 'generateContentRequest' in body ? objectOr(body['generateContentRequest']) : body
    const totalTokens = behaviour.promptTokens ?? promptTokensOf(readRequest(asked).prompt)
    return whole({ totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] })
  },
  embedContent,
  batchEmbedContents,
}

/** The action of a model that a path asks for. Null: Gemini has no such call. */
export function geminiAction(call: Call, behaviour: Behaviour): Answer | null {
  const name = action.exec(call.path)?.[1] ?? ''
  const endpoint = Object.hasOwn(endpoints, name) ? endpoints[name] : undefined
  return endpoint && call.method === 'POST' ? endpoint(objectOr(call.json), behaviour, call) : null
}

/** Google's own API. Its list of models is told from OpenAI's by the version in the path or by the header of the key. */
export const gemini: Dialect = {
  wire: geminiWire,
  serves({ method, path, headers }) {
    if (method === 'POST') return action.test(path)
    const isGoogle = path.includes('/v1beta/') || headers['x-goog-api-key'] !== undefined
    return isGoogle && models.test(path) && !path.includes('/openai/')
  },
  answer(call, behaviour, account) {
    if (call.method !== 'GET') return geminiAction(call, behaviour)
    const id = models.exec(call.path)?.[1]
    return id === undefined ? modelPage(account, call.query) : oneModel(account, decodeURIComponent(id))
  },
}
