import { whole, type Answer } from '../answer'
import type { Behaviour } from '../behaviour'
import type { Call, Dialect } from '../dialect'
import { objectOr } from '../json'
import { promptTokensOf } from '../prompt-tokens'
import { Refusal } from '../refusal'
import { messages } from './messages'
import { modelPage, oneModel } from './models'
import { readRequest } from './request'
import { anthropicWire } from './wire'

const models = /\/models(?:\/([^/]+))?$/

/** Anthropic's API. Its list of models is told from OpenAI's by the version header. */
export const anthropic: Dialect = {
  wire: anthropicWire,
  serves({ method, path, headers }) {
    if (method === 'GET') return models.test(path) && headers['anthropic-version'] !== undefined
    return /\/messages(?:\/count_tokens)?$/.test(path)
  },
  answer(call, behaviour, account) {
    if (call.headers['anthropic-version'] === undefined) throw new Refusal(400, 'anthropic-version: header is required')
    if (call.method === 'GET') {
      const id = models.exec(call.path)?.[1]
      return id === undefined ? modelPage(account, call.query) : oneModel(account, decodeURIComponent(id))
    }
    return call.path.endsWith('/count_tokens') ? counted(call, behaviour) : message(call, behaviour)
  },
}

const message = ({ json, model, isStream, number }: Call, behaviour: Behaviour): Answer =>
  messages({ body: objectOr(json), model, isStream, number }, behaviour)

function counted({ json }: Call, behaviour: Behaviour): Answer {
  const { prompt } = readRequest(objectOr(json))
  return whole({ input_tokens: behaviour.promptTokens ?? promptTokensOf(prompt) })
}
