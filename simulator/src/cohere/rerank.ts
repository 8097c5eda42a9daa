import { whole, type Answer } from '../answer'
import type { Behaviour } from '../behaviour'
import type { JsonObject } from '../json'
import { ranked, rankingTokensOf } from '../ranking'
import { Refusal } from '../refusal'

/** Answer a call of rerank: paid by the search, not by the token. https://docs.cohere.com/reference/rerank */
export function rerank(body: JsonObject, behaviour: Behaviour, number: number, version: '1' | '2'): Answer {
  if (typeof body['query'] !== 'string') throw new Refusal(400, 'invalid request: query is required')
  if (!Array.isArray(body['documents'])) throw new Refusal(400, 'invalid request: list of documents must not be empty')
  const isShown = version === '1' && body['return_documents'] === true
  const answerId = `cohere-sim${number}`
  const reported = behaviour.usage === 'none' ? undefined : { search_units: 1 }
  const answer = {
    id: answerId,
    results: ranked(body).map(({ index, score, text }) => ({
      index,
      relevance_score: score,
      ...(isShown ? { document: { text } } : {}),
    })),
    meta: { api_version: { version }, ...(reported ? { billed_units: reported } : {}) },
  }
  const promptTokens = behaviour.promptTokens ?? rankingTokensOf(body)
  return whole(answer, { promptTokens, completionTokens: 0, reported }, answerId)
}
