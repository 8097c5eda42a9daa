import { Refusal, type SimulatedResponse, whole } from '../simulated-response'
import type { Behaviour } from '../behaviour'
import type { Call, Dialect } from '../dialect'
import { objectOr, type JsonObject, listOr, numberOr } from '../json'
import { promptTokensOf, inputTokensOf } from '../usage-report'
import { generate } from './generate'
import { readRequest, contentOf } from './request'
import { geminiWire } from './wire'
import { vectorOf } from '../content'
import type { Account } from '../openai/account'

const action = /\/models\/[^/]+:(\w+)$/
const models = /\/models(?:\/([^/]+))?$/

type Endpoint = (body: JsonObject, behaviour: Behaviour, call: Call) => SimulatedResponse

const endpoints: Readonly<Record<string, Endpoint>> = {
  generateContent: (body, behaviour, { model, number }) => generate({ body, model, number, stream: null }, behaviour),
  streamGenerateContent: (body, behaviour, { model, number, query }) => {
    const isSse = new URLSearchParams(query).get('alt') === 'sse'
    return generate({ body, model, number, stream: isSse ? 'sse' : 'list' }, behaviour)
  },
  countTokens: (body, behaviour) => {
    const requested = 'generateContentRequest' in body ? objectOr(body['generateContentRequest']) : body
    const totalTokens = behaviour.promptTokens ?? promptTokensOf(readRequest(requested).prompt)
    return whole({ totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] })
  },
  embedContent,
  batchEmbedContents,
}

/** The action of a model that a path asks for. Null: Gemini has no such call. */
export function geminiAction(call: Call, behaviour: Behaviour): SimulatedResponse | null {
  const name = action.exec(call.path)?.[1] ?? ''
  const endpoint = Object.hasOwn(endpoints, name) ? endpoints[name] : undefined
  return endpoint && call.method === 'POST' ? endpoint(objectOr(call.json), behaviour, call) : null
}

/** Google's own API. Its list of models is distinguished from OpenAI's by the version in the path or by the header of the key. */
export const gemini: Dialect = {
  wire: geminiWire,
  serves({ method, path, headers }) {
    if (method === 'POST') return action.test(path)
    const isGoogle = path.includes('/v1beta/') || headers['x-goog-api-key'] !== undefined
    return isGoogle && models.test(path) && !path.includes('/openai/')
  },
  respond(call, behaviour, account) {
    if (call.method !== 'GET') return geminiAction(call, behaviour)
    const id = models.exec(call.path)?.[1]
    return id === undefined ? modelPage(account, call.query) : oneModel(account, decodeURIComponent(id))
  },
}

/** Answer embedContent: one vector, and no usage. */
function embedContent(body: JsonObject, behaviour: Behaviour): SimulatedResponse {
  return whole({ embedding: embeddingOf(body) }, countUsage([body], behaviour))
}

/** Answer batchEmbedContents: a vector for each request. */
function batchEmbedContents(body: JsonObject, behaviour: Behaviour): SimulatedResponse {
  const requests = listOr(body['requests']).map(objectOr)
  return whole({ embeddings: requests.map(embeddingOf) }, countUsage(requests, behaviour))
}

function embeddingOf(request: JsonObject): JsonObject {
  const text = JSON.stringify(contentOf(request['content']))
  return { values: vectorOf(text, numberOr(request['outputDimensionality'], 8)) }
}

const countUsage = (requests: readonly JsonObject[], behaviour: Behaviour) => ({
  promptTokens: behaviour.promptTokens ?? inputTokensOf(requests.map(({ content }) => contentOf(content))),
  completionTokens: 0,
  reported: undefined,
})

const model = (id: string) => ({
  name: `models/${id}`,
  version: '001',
  displayName: id,
  inputTokenLimit: 1_048_576,
  outputTokenLimit: 65_536,
  supportedGenerationMethods: id.includes('embedding')
    ? ['embedContent', 'batchEmbedContents', 'countTokens']
    : ['generateContent', 'countTokens'],
})

/** A page of the models: `pageSize` of them, 50 if not said. */
function modelPage(account: Account, query: string): SimulatedResponse {
  const params = new URLSearchParams(query)
  const start = Number(params.get('pageToken') ?? 0)
  const end = start + Number(params.get('pageSize') ?? 50)
  const isMore = end < account.models.length
  return whole({
    models: account.models.slice(start, end).map(model),
    ...(isMore ? { nextPageToken: String(end) } : {}),
  })
}

function oneModel(account: Account, id: string): SimulatedResponse {
  if (!account.models.includes(id)) throw new Refusal(404, `Model is not found: models/${id}`)
  return whole(model(id))
}
