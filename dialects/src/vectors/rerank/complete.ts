import { isObject, type JsonObject } from '../../core/json'
import type { Warn } from '../../core/neutral/codec'
import { objectsOf, textOf, omitUndefined } from '../../core/neutral/read'
import type { Usage } from '../../core/usage'
import { documentText } from './dialect'

/** Members that vendors without them refuse. */
const extras = [
  'return_documents',
  'top_k',
  'truncation',
  'max_chunk_per_doc',
  'max_chunks_per_doc',
  'overlap_tokens',
  'rank_fields',
] as const

/** Those of them that the gateway fulfils itself. */
const emulatedExtras: ReadonlySet<string> = new Set(['return_documents', 'top_k'])

/**
 * A request for vendors that know only texts to rank and how many to name, as Cohere's second version does. What they leave
 * out of their answers comes back with `completeRerank`. https://docs.cohere.com/reference/rerank
 */
export function writePlainRerank(body: JsonObject, warn: Warn): JsonObject {
  const documents: readonly unknown[] = Array.isArray(body['documents']) ? body['documents'] : []
  for (const name of extras) if (!emulatedExtras.has(name) && body[name] != null) warn(name)
  return {
    ...Object.fromEntries(Object.entries(body).filter(([name]) => !extras.some((extra) => extra === name))),
    query: documentText(body['query']),
    documents: documents.map(documentText),
    top_n: topOf(body) ?? documents.length,
  }
}

const topOf = ({ top_n, top_k }: JsonObject): number | null => {
  const top = top_n ?? top_k
  return typeof top === 'number' && top > 0 ? top : null
}

/** Clients of Voyage need not send anything of its own: requests for its models are answered in both forms. */
const modelsOfVoyage = /^rerank-(?:lite-)?\d/

/** Whether a request has members of Voyage's, whose clients look for the results under another name. */
const isOfVoyage = (request: JsonObject): boolean => 'top_k' in request || 'truncation' in request

/** A request of Voyage's clients with the names that other vendors know; any other as it is. */
export function writeCommonRerank(body: JsonObject): JsonObject {
  if (!isOfVoyage(body)) return body
  const { top_k: _, truncation: __, ...rest } = body
  const top = topOf(body)
  return top === null ? rest : { ...rest, top_n: top }
}

/**
 * An answer with what the client asked for and the vendor left out: the documents next to their scores, no more results than
 * were wanted, and a usage where the vendor reports none in this dialect's words; for clients of Voyage in its form. The same object when
 * nothing is missing.
 */
export function completeRerank(reported: JsonObject, request: JsonObject, usage: Usage): JsonObject {
  const answer = withResults(reported)
  const results = selectResults(objectsOf(answer['results']), request)
  if (isOfVoyage(request)) return voyageAnswer(answer, results, usage)
  const ranked = objectsOf(answer['results'])
  if (modelsOfVoyage.test(textOf(request['model']))) return { ...voyageAnswer(answer, results, usage), results }
  const isSame = results.length === ranked.length && results.every((result, index) => result === ranked[index])
  if (isSame && isObject(answer['usage'])) return answer
  return { ...answer, results, usage: isObject(answer['usage']) ? answer['usage'] : usageBody(usage) }
}

function selectResults(ranked: readonly JsonObject[], request: JsonObject): readonly JsonObject[] {
  const documents: readonly unknown[] = Array.isArray(request['documents']) ? request['documents'] : []
  const requested = ranked.slice(0, topOf(request) ?? undefined)
  return request['return_documents'] === true ? requested.map((result) => withDocument(result, documents)) : requested
}

/** Documents are plain texts there. https://docs.voyageai.com/reference/reranker-api */
function voyageAnswer(answer: JsonObject, results: readonly JsonObject[], usage: Usage): JsonObject {
  const { results: _, ...rest } = answer
  const data = results.map((result) =>
    result['document'] === undefined ? result : { ...result, document: documentText(result['document']) },
  )
  return { ...rest, object: 'list', data, usage: { total_tokens: usageBody(usage)['total_tokens'] } }
}

/** Voyage and its followers name their results `data`. */
function withResults(answer: JsonObject): JsonObject {
  const { data, ...rest } = answer
  return 'results' in answer || !Array.isArray(data) ? answer : { ...rest, results: data }
}

const usageBody = ({ promptTokens, completionTokens }: Usage): JsonObject => ({
  prompt_tokens: promptTokens,
  total_tokens: promptTokens + completionTokens,
})

/** A text is told as an object with it; an object goes back as it came. */
function withDocument(result: JsonObject, documents: readonly unknown[]): JsonObject {
  const reported = result['document']
  if (isObject(reported)) return result
  const requested = typeof result['index'] === 'number' ? documents[result['index']] : undefined
  const document = typeof reported === 'string' ? reported : requested
  return omitUndefined({ ...result, document: typeof document === 'string' ? { text: document } : document })
}
