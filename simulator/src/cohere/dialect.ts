import { Refusal, type SimulatedResponse, whole } from '../simulated-response'
import type { Dialect } from '../dialect'
import { objectOr, listOr, numberOr, type JsonObject } from '../json'
import { chat } from './chat'
import type { Behaviour } from '../behaviour'
import { vectorOf } from '../content'
import { packVector } from '../openai/embeddings'
import { inputTokensOf } from '../usage-report'
import { rankDocuments, rankingTokensOf } from '../ranking'

/** Cohere's API. What it shares a path with others for, it answers under `/cohere` or for models of that vendor. */
export const cohere: Dialect = {
  wire: {
    errorBody: (_status, { message }) => ({ message }),
    errorEvent: (_status, { message }) => ({
      name: 'message-end',
      data: JSON.stringify({ type: 'message-end', delta: { finish_reason: 'ERROR', error: message } }),
    }),
  },
  serves({ method, path, model }) {
    if (method === 'GET') return path.includes('/cohere/') && path.endsWith('/models')
    if (path.endsWith('/v1/rerank')) return path.includes('/cohere/') || model.startsWith('rerank-')
    return /\/v2\/(?:chat|embed|rerank)$/.test(path)
  },
  respond({ method, path, json, number }, behaviour, account) {
    const body = objectOr(json)
    if (method === 'GET') return whole({ models: account.models.map((name) => ({ name, endpoints: ['chat'] })) })
    if (path.endsWith('/chat')) return chat(body, behaviour, number)
    if (path.endsWith('/embed')) return embed(body, behaviour, number)
    return rerank(body, behaviour, number, path.endsWith('/v1/rerank') ? '1' : '2')
  },
}

/** Answer a call of v2/embed. https://docs.cohere.com/reference/embed */
function embed(body: JsonObject, behaviour: Behaviour, number: number): SimulatedResponse {
  const texts = listOr(body['texts'])
  const inputs = [...texts, ...listOr(body['images']), ...listOr(body['inputs'])]
  const vectors = inputs.map((one) => vectorOf(JSON.stringify(one), numberOr(body['output_dimension'], 8)))
  const kinds = listOr(body['embedding_types'])
  const responseId = `cohere-sim${number}`
  const promptTokens = behaviour.promptTokens ?? inputTokensOf(inputs)
  const reported = behaviour.usage === 'none' ? undefined : { input_tokens: promptTokens }
  const responseBody = {
    id: responseId,
    embeddings: {
      ...(kinds.length === 0 || kinds.includes('float') ? { float: vectors } : {}),
      ...(kinds.includes('base64') ? { base64: vectors.map(packVector) } : {}),
    },
    texts,
    meta: { api_version: { version: '2' }, ...(reported ? { billed_units: reported } : {}) },
    response_type: 'embeddings_by_type',
  }
  return whole(responseBody, { promptTokens, completionTokens: 0, reported }, responseId)
}

/** Answer a call of rerank: paid by the search, not by the token. https://docs.cohere.com/reference/rerank */
function rerank(body: JsonObject, behaviour: Behaviour, number: number, version: '1' | '2'): SimulatedResponse {
  if (typeof body['query'] !== 'string') throw new Refusal(400, 'invalid request: query is required')
  if (!Array.isArray(body['documents'])) throw new Refusal(400, 'invalid request: list of documents must not be empty')
  const isShown = version === '1' && body['return_documents'] === true
  const responseId = `cohere-sim${number}`
  const reported = behaviour.usage === 'none' ? undefined : { search_units: 1 }
  const responseBody = {
    id: responseId,
    results: rankDocuments(body).map(({ index, score, text }) => ({
      index,
      relevance_score: score,
      ...(isShown ? { document: { text } } : {}),
    })),
    meta: { api_version: { version }, ...(reported ? { billed_units: reported } : {}) },
  }
  const promptTokens = behaviour.promptTokens ?? rankingTokensOf(body)
  return whole(responseBody, { promptTokens, completionTokens: 0, reported }, responseId)
}
