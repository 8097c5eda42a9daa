import { textlessDialect } from '../../core/dialect-from-codec'
import { rerankNames } from '../../core/shared/names'
import type { AnswerView, PromptShape, RequestView } from '../../core/views'
import { type JsonObject, isObject } from '../../core/json'
import { readCohereUsage } from '../../chat/cohere-chat/usage'
import { objectOf } from '../../core/neutral/read'
import { readTextlessAnswer } from '../../core/shared/response'
import { promptUsage } from '../../core/shared/reported-usage'
import { DialectError } from '../../core/dialect-error'
import { missing, readFlag, readMaxTokens, readModel, wholeView, wrongType } from '../../core/shared/fields'
import { inputPrompt } from '../../core/shared/prompt'

/** `POST /v1/rerank`, in the shape that Jina, Cohere's first version and the servers of open models share. */
export const rerank = textlessDialect({
  id: 'rerank',
  names: rerankNames,
  readRequest: (body, place) => readRerankRequest(body, place.model || undefined),
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
  documents.forEach((document: unknown, place) => {
    if (typeof document !== 'string' && !isObject(document))
      throw wrongType(`documents[${place}]`, 'a string or an object', document)
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
export function documentText(document: unknown): string {
  if (typeof document === 'string') return document
  if (!isObject(document)) return ''
  return typeof document['text'] === 'string' ? document['text'] : JSON.stringify(document)
}
