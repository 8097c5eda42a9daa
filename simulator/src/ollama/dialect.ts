import { type SimulatedResponse, whole } from '../simulated-response'
import type { StreamEvent } from '../wire'
import type { Behaviour } from '../behaviour'
import { vectorOf } from '../content'
import type { Dialect } from '../dialect'
import { numberOr, objectOr, textOr, type JsonObject } from '../json'
import { inputTokensOf } from '../usage-report'
import { chat } from './chat'

/** The calls of Ollama that are not OpenAI's. https://docs.ollama.com/api */
export const ollama: Dialect = {
  wire: { errorBody: (_status, { message }) => ({ error: message }) },
  serves: ({ path }) => /\/api\/(?:chat|generate|embed|tags)$/.test(path),
  respond({ method, path, json }, behaviour, account) {
    if (path.endsWith('/chat')) return method === 'POST' ? chat(objectOr(json), behaviour) : null
    if (path.endsWith('/generate')) return method === 'POST' ? generate(objectOr(json), behaviour) : null
    if (path.endsWith('/embed')) return method === 'POST' ? embed(objectOr(json), behaviour) : null
    return method === 'GET' ? whole({ models: account.models.map(model) }) : null
  },
}

function embed(body: JsonObject, behaviour: Behaviour): SimulatedResponse {
  const inputs = [body['input']].flat()
  const promptTokens = behaviour.promptTokens ?? inputTokensOf(inputs)
  const isReported = behaviour.usage !== 'none'
  const responseBody = {
    model: textOr(body['model'], ''),
    embeddings: inputs.map((one) => vectorOf(JSON.stringify(one) ?? '', numberOr(body['dimensions'], 8))),
    total_duration: 14_143_917,
    load_duration: 1_019_500,
    ...(isReported ? { prompt_eval_count: promptTokens } : {}),
  }
  return whole(responseBody, { promptTokens, completionTokens: 0, reported: isReported ? promptTokens : undefined })
}

const model = (name: string) => ({
  name,
  model: name,
  modified_at: '2025-06-15T00:00:00Z',
  size: 4_661_224_676,
  digest: '365c0bd3c000a25d28ddbf732fe1c6add414de7275464c4e4d1c3b5fcb5d8ad1',
  details: { format: 'gguf', family: 'sim', families: ['sim'], parameter_size: '8B', quantization_level: 'Q4_0' },
})

/** `POST /api/generate`: what a chat of one message answers, next to the other members. https://docs.ollama.com/api/generate */
function generate(body: JsonObject, behaviour: Behaviour): SimulatedResponse {
  const response = chat({ ...body, messages: [{ role: 'user', content: body['prompt'] }] }, behaviour)
  if (response.kind !== 'stream') return { ...response, body: withResponse(objectOr(response.body)) }
  const line = (event: StreamEvent): StreamEvent => ({
    ...event,
    data: JSON.stringify(withResponse(JSON.parse(event.data))),
  })
  return { ...response, events: response.events.map(line), last: response.last && line(response.last) }
}

const withResponse = ({ message, ...rest }: JsonObject): JsonObject => ({
  ...rest,
  response: objectOr(message)['content'],
})
