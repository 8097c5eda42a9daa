import { Refusal, whole } from '../simulated-response'
import type { Dialect } from '../dialect'
import { objectOr, textOr } from '../json'
import { rankDocuments, rankingTokensOf } from '../ranking'

/** Jina's rerank, which others copy. https://jina.ai/reranker */
export const jina: Dialect = {
  wire: { errorBody: (_status, { message }) => ({ detail: message }) },
  serves: ({ method, path }) => method === 'POST' && path.endsWith('/rerank'),
  respond({ json }, behaviour) {
    const body = objectOr(json)
    if (typeof body['query'] !== 'string') throw new Refusal(422, 'query: Field required')
    if (!Array.isArray(body['documents'])) throw new Refusal(422, 'documents: Field required')
    const promptTokens = behaviour.promptTokens ?? rankingTokensOf(body)
    const usage = 'usageOverride' in behaviour ? behaviour.usageOverride : { total_tokens: promptTokens }
    const reported = behaviour.usage === 'none' ? undefined : usage
    const responseBody = {
      model: textOr(body['model'], ''),
      ...(reported === undefined ? {} : { usage: reported }),
      results: rankDocuments(body).map(({ index, score, text }) => ({
        index,
        relevance_score: score,
        ...(body['return_documents'] === false ? {} : { document: { text } }),
      })),
    }
    return whole(responseBody, { promptTokens, completionTokens: 0, reported })
  },
}
