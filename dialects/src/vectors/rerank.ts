import { textlessDialect } from '../core/dialect-from-codec'
import { rerankNames } from '../core/shared/names'
import type { AnswerView, PromptShape, RequestView } from '../core/views'
import { isObject, type JsonObject } from '../core/json'
import { readCohereUsage } from '../chat/cohere-chat/usage'
import { objectOf, objectsOf, omitUndefined, textOf } from '../core/neutral/read'
import { readTextlessAnswer } from '../core/shared/response'
import { promptUsage } from '../core/shared/reported-usage'
import { DialectError } from '../core/dialect-error'
import { missing, readFlag, readMaxTokens, readModel, wholeView, wrongType } from '../core/shared/fields'
import { inputPrompt } from '../core/shared/prompt'
import type { Warn } from '../core/neutral/codec'
import type { Usage } from '../core/usage'

/** `POST /v1/rerank`, in the shape that Jina, Cohere's first version and the servers of open models share. */
export const rerank = textlessDialect({
  id: 'rerank',
  names: rerankNames,
  readRequest: (body, pathContext) => readRerankRequest(body, pathContext.model || undefined),
  readPrompt: rerankPrompt,
  readAnswer: readRerankAnswer,
})

/**
 * A whole answer. Its usage stands in `usage`, or as Cohere and SiliconFlow write it in `meta`; all of it is the prompt's,
 * for nothing is generated.
 */
function readRerankAnswer(answer: JsonObject): AnswerView {
  const view = readTextlessAnswer(answer, ['results', 'data'])
  return { ...view, usage: view.usage ?? promptUsage(readCohereUsage(objectOf(answer['meta']))) }
}

/**
 * The view of a request to rank documents by their relevance to a query.
 * https://jina.ai/reranker and https://docs.cohere.com/v1/reference/rerank
 * @throws DialectError
 */
function readRerankRequest(body: JsonObject, model?: string): RequestView {
  const view = wholeView(readModel(body, model))
  requireQuery(body['query'])
  requireDocuments(body['documents'])
  readMaxTokens(body, 'top_n', 0)
  readMaxTokens(body, 'top_k', 0)
  readFlag(body, 'return_documents')
  return view
}

function requireQuery(query: unknown): void {
  if (query === undefined || query === null || query === '') throw missing('query')
  if (typeof query !== 'string' && !isObject(query)) throw wrongType('query', 'a string', query)
}

function requireDocuments(documents: unknown): void {
  if (documents === undefined || documents === null) throw missing('documents')
  if (!Array.isArray(documents)) throw wrongType('documents', 'an array of strings or objects', documents)
  if (documents.length === 0)
    throw new DialectError('documents', 'empty_array', "Invalid 'documents': the array is empty.")
  documents.forEach((document: unknown, index) => {
    if (typeof document !== 'string' && !isObject(document))
      throw wrongType(`documents[${index}]`, 'a string or an object', document)
  })
}

/** The query and all documents; one without a text of its own counts with all its members. */
function rerankPrompt({ query, documents }: JsonObject): PromptShape {
  const all: readonly unknown[] = [query, ...(Array.isArray(documents) ? documents : [])]
  const isImage = (item: unknown) => isObject(item) && typeof item['image'] === 'string'
  const texts = all.filter((item) => !isImage(item)).map(documentText)
  return { ...inputPrompt({ texts }, 'texts'), images: all.filter(isImage).length }
}

/** A document as text, for vendors that take nothing else. Of structured ones the vendor reads their members. */
function documentText(document: unknown): string {
  if (typeof document === 'string') return document
  if (!isObject(document)) return ''
  return typeof document['text'] === 'string' ? document['text'] : JSON.stringify(document)
}

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
  if (request['return_documents'] !== true) return requested
  // Each comes once: a vendor may rank one many times.
  const listed = new Set<unknown>()
  return requested.map((result) => {
    const isFirst = !listed.has(result['index'])
    listed.add(result['index'])
    return withDocument(result, isFirst ? documents : [])
  })
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
