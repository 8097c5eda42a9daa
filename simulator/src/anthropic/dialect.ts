import { Refusal, type SimulatedResponse, whole } from '../simulated-response'
import type { Behaviour } from '../behaviour'
import type { Call, Dialect } from '../dialect'
import { objectOr } from '../json'
import { promptTokensOf } from '../usage-report'
import { messages } from './messages'
import { readRequest } from './request'
import { anthropicWire } from './wire'
import type { Account } from '../openai/account'

const models = /\/models(?:\/([^/]+))?$/

/** Anthropic's API. Its list of models is distinguished from OpenAI's by the version header. */
export const anthropic: Dialect = {
  wire: anthropicWire,
  serves({ method, path, headers }) {
    if (method === 'GET') return models.test(path) && headers['anthropic-version'] !== undefined
    return /\/messages(?:\/count_tokens)?$/.test(path)
  },
  respond(call, behaviour, account) {
    if (call.headers['anthropic-version'] === undefined) throw new Refusal(400, 'anthropic-version: header is required')
    if (call.method === 'GET') {
      const id = models.exec(call.path)?.[1]
      return id === undefined ? modelPage(account, call.query) : oneModel(account, decodeURIComponent(id))
    }
    return call.path.endsWith('/count_tokens') ? countTokens(call, behaviour) : message(call, behaviour)
  },
}

const message = ({ json, model, isStream, number }: Call, behaviour: Behaviour): SimulatedResponse =>
  messages({ body: objectOr(json), model, isStream, number }, behaviour)

function countTokens({ json }: Call, behaviour: Behaviour): SimulatedResponse {
  const { prompt } = readRequest(objectOr(json))
  return whole({ input_tokens: behaviour.promptTokens ?? promptTokensOf(prompt) })
}

const model = (id: string) => ({ type: 'model', id, display_name: id, created_at: '2025-06-15T00:00:00Z' })

/** A page of the models: `limit` of them, 20 if not said, after `after_id`. */
function modelPage(account: Account, query: string): SimulatedResponse {
  const params = new URLSearchParams(query)
  const after = params.get('after_id')
  const start = after === null ? 0 : account.models.indexOf(after) + 1
  const end = start + Number(params.get('limit') ?? 20)
  const data = account.models.slice(start, end).map(model)
  return whole({
    data,
    has_more: end < account.models.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  })
}

function oneModel(account: Account, id: string): SimulatedResponse {
  if (!account.models.includes(id)) throw new Refusal(404, `model: ${id}`)
  return whole(model(id))
}
