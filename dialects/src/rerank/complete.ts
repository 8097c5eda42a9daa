import { isObject, type JsonObject } from '../json'
import type { Warn } from '../neutral/codec'
import { objectsOf, written } from '../neutral/read'
import type { Usage } from '../usage'
import { documentText } from './request'

/** Members that vendors without them refuse. */
const extras = ['return_documents', 'max_chunk_per_doc', 'max_chunks_per_doc', 'overlap_tokens', 'rank_fields'] as const

/**
 * A request for vendors that know only texts to rank and how many to name, as Cohere's second version does. What they leave
 * out of their answers comes back with `completeRerank`. https://docs.cohere.com/reference/rerank
 */
export function writePlainRerank(body: JsonObject, warn: Warn): JsonObject {
  const documents: readonly unknown[] = Array.isArray(body['documents']) ? body['documents'] : []
  for (const name of extras) if (name !== 'return_documents' && body[name] != null) warn(name)
  return {
    ...Object.fromEntries(Object.entries(body).filter(([name]) => !extras.some((extra) => extra === name))),
    query: documentText(body['query']),
    documents: documents.map(documentText),
    top_n: topOf(body) ?? documents.length,
  }
}

const topOf = ({ top_n }: JsonObject): number | null => (typeof top_n === 'number' && top_n > 0 ? top_n : null)

/**
 * An answer with what the client asked for and the vendor left out: the documents beside their scores, no more results than
 * were wanted, and the usage that is charged.
 */
export function completeRerank(answer: JsonObject, request: JsonObject, usage: Usage): JsonObject {
  const documents: readonly unknown[] = Array.isArray(request['documents']) ? request['documents'] : []
  const wantsDocuments = request['return_documents'] === true
  const results = objectsOf(answer['results']).slice(0, topOf(request) ?? undefined)
  return {
    ...answer,
    results: wantsDocuments ? results.map((result) => withDocument(result, documents)) : results,
    usage: { prompt_tokens: usage.promptTokens, total_tokens: usage.promptTokens + usage.completionTokens },
  }
}

/** A text is told as an object with it; an object goes back as it came. */
function withDocument(result: JsonObject, documents: readonly unknown[]): JsonObject {
  const told = result['document']
  if (isObject(told)) return result
  const asked = typeof result['index'] === 'number' ? documents[result['index']] : undefined
  const document = typeof told === 'string' ? told : asked
  return written({ ...result, document: typeof document === 'string' ? { text: document } : document })
}
