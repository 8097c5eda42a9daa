import { type SimulatedResponse, whole } from '../simulated-response'
import type { StreamEvent } from '../wire'
import { plainRequest } from '../generation-request'
import type { Behaviour } from '../behaviour'
import { vectorOf } from '../content'
import type { Call, Dialect } from '../dialect'
import { listOr, numberOr, objectOr, type JsonObject } from '../json'
import { inputTokensOf, plainCounted, promptTokensOf } from '../usage-report'
import { generationFor, type Generation, type GenerationEnding } from '../generation'

const workshop = /\/rpc\/2\.0\/ai_custom\/v1\/wenxinworkshop\/(chat|embeddings)\/[^/]+$/
const isTokenCall = ({ method, path }: Call): boolean => method === 'POST' && path.endsWith('/oauth/2.0/token')

/** Baidu's first Qianfan API, with the tokens that let in to it. Errors come with status 200. */
export const baidu: Dialect = {
  wire: { errorBody: (status, { message }) => ({ error_code: status, error_msg: message, id: 'as-sim' }) },
  serves: (call) => isTokenCall(call) || (call.method === 'POST' && workshop.test(call.path)),
  isAside: isTokenCall,
  respond(call, behaviour) {
    if (isTokenCall(call)) return token(call)
    if (!new URLSearchParams(call.query).get('access_token')?.startsWith('24.'))
      return whole({ error_code: 110, error_msg: 'Access token invalid or no longer valid' })
    const body = objectOr(call.json)
    return workshop.exec(call.path)?.[1] === 'chat'
      ? chat(body, behaviour, call.number)
      : embed(body, behaviour, call.number)
  },
}

/** The token names the account. */
function token({ query }: Call): SimulatedResponse {
  const { grant_type: grant, client_id: id, client_secret: secret } = Object.fromEntries(new URLSearchParams(query))
  if (grant === 'client_credentials' && id && secret)
    return whole({ access_token: `24.${id}`, expires_in: 2_592_000, scope: 'public' })
  return whole({ error: 'invalid_client', error_description: 'unknown client id' }, null, null, 401)
}

const finishReasons = {
  stop: 'normal',
  'stop-sequence': 'stop',
  tools: 'function_call',
  length: 'length',
  refusal: 'normal',
  'content-filter': 'content_filter',
  blocked: 'content_filter',
  pause: 'normal',
  'context-window': 'length',
  failed: 'normal',
} satisfies Record<GenerationEnding, string>

function chat(body: JsonObject, behaviour: Behaviour, number: number): SimulatedResponse {
  const messages = listOr(body['messages']).map(objectOr)
  const limit = numberOr(body['max_output_tokens'], 0)
  const prompt = [...messages.map(({ content }) => content), ...('system' in body ? [body['system']] : [])]
  const speech = generationFor(
    {
      ...plainRequest,
      prompt,
      tools: listOr(body['functions']).map((tool) => {
        const { name, parameters } = objectOr(tool)
        return { name: typeof name === 'string' ? name : 'unnamed', schema: parameters }
      }),
      isParallel: false,
      hasToolResults: messages.some(({ role }) => role === 'function'),
      limit: limit > 0 ? limit : null,
      stop: listOr(body['stop']).filter((one) => typeof one === 'string'),
    },
    behaviour,
  )
  const counted = plainCounted(behaviour.promptTokens ?? promptTokensOf(prompt), speech.completionTokens, behaviour)
  const responseId = `as-sim${number}`
  const about = { id: responseId, object: 'chat.completion', created: 1_700_000_000 }
  const end = {
    is_truncated: false,
    need_clear_history: false,
    finish_reason: finishReasons[speech.ending],
    ...callIn(speech),
    ...(counted.reported === undefined ? {} : { usage: counted.reported }),
  }
  if (body['stream'] !== true) return whole({ ...about, result: speech.pieces.join(''), ...end }, counted, responseId)
  const eventOf = (members: JsonObject): StreamEvent => ({ data: JSON.stringify({ ...about, ...members }) })
  const pieces = [...speech.pieces, ...(behaviour.hugeFrame ? ['x'.repeat(behaviour.hugeFrame)] : [])]
  const events = pieces.map((result, index) => eventOf({ sentence_id: index, is_end: false, result }))
  const last = eventOf({ sentence_id: pieces.length, is_end: true, result: '', ...end })
  return { kind: 'stream', events, last, counted, responseId }
}

/** One call an answer. */
function callIn({ toolCalls: [call] }: Generation): JsonObject {
  if (call === undefined) return {}
  return { function_call: { name: call.name, arguments: JSON.stringify(call.arguments) } }
}

function embed(body: JsonObject, behaviour: Behaviour, number: number): SimulatedResponse {
  const inputs = listOr(body['input'])
  const counted = plainCounted(behaviour.promptTokens ?? inputTokensOf(inputs), 0, behaviour)
  const data = inputs.map((one, index) => ({ object: 'embedding', embedding: vectorOf(JSON.stringify(one), 8), index }))
  const usage = counted.reported === undefined ? {} : { usage: counted.reported }
  return whole({ id: `as-sim${number}`, object: 'embedding_list', created: 1_700_000_000, data, ...usage }, counted)
}
