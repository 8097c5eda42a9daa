import type { Dialect } from '../core/dialect'
import { ocrNames } from '../core/shared/names'
import { textlessDialect } from '../core/dialect-from-codec'
import type { PromptShape, RequestView, AnswerView } from '../core/views'
import { isObject, type JsonObject } from '../core/json'
import { missing, readModel, wholeView, wrongType } from '../core/shared/fields'
import { inputPrompt } from '../core/shared/prompt'
import { objectOf, objectsOf, textOf } from '../core/neutral/read'
import { errorIn } from '../core/shared/errors'
import { failureIn } from '../core/shared/reported-failure'
import { noUsage, type ReportedUsage } from '../core/usage'

/** `POST /v1/ocr`: the pages of a document as Markdown. https://docs.mistral.ai/api/endpoint/ocr */
export const mistralOcr: Dialect = {
  ...textlessDialect({
    id: 'mistral-ocr',
    names: ocrNames,
    readRequest: (body, pathContext) => readOcrRequest(body, pathContext.model || undefined),
    readPrompt: ocrPrompt,
    readAnswer: readOcrAnswer,
  }),
  isBulky: true,
}

/** The vendor reads no longer documents. https://docs.mistral.ai/capabilities/document_ai/basic_ocr */
const maxPages = 1000

/**
 * The view of a request to read a document. Each page counts as a choice; where the request leaves their number to the document, at most as
 * many as the vendor reads.
 * @throws DialectError
 */
function readOcrRequest(body: JsonObject, model?: string): RequestView {
  const view = wholeView(readModel(body, model))
  const { document, pages, document_annotation_format: ofDocument, bbox_annotation_format: ofImages } = body
  if (document === undefined || document === null) throw missing('document')
  if (!isObject(document)) throw wrongType('document', 'an object', document)
  const requested = document['type'] === 'image_url' ? 1 : requestedPages(pages)
  const isAnnotated = (ofDocument ?? ofImages ?? null) !== null
  return {
    ...view,
    choices: requested ?? 1,
    ...(requested === null && { maxPages }),
    ...(isAnnotated && { image: { size: null, quality: annotated } }),
  }
}

/** The quality by which the price of pages with annotations is found. */
const annotated = 'annotated'

/** Returns how many pages are named: in a list, or as `0-3,7`; null: all of the document. */
function requestedPages(pages: unknown): number | null {
  if (pages === undefined || pages === null) return null
  if (Array.isArray(pages)) return Math.min(Math.max(pages.length, 1), maxPages)
  if (typeof pages !== 'string') throw wrongType('pages', 'a string or an array of integers', pages)
  const spans = pages.split(',').map(pagesOfSpan)
  const sum = spans.reduce((total, span) => total + span, 0)
  return sum <= maxPages ? sum : null
}

/** Returns how many pages a span such as `3` or `0-3` names; Infinity for any other text. */
function pagesOfSpan(span: string): number {
  const [first, last = first, ...others] = span.trim().split('-')
  if (!isPage(first) || !isPage(last) || others.length > 0) return Infinity
  const pages = Number(last) - Number(first) + 1
  return pages < 1 ? Infinity : pages
}

const isPage = (text: string | undefined): text is string => /^\d{1,6}$/.test(text ?? '')

/** What a person wrote, and the document. */
function ocrPrompt(body: JsonObject): PromptShape {
  return { ...inputPrompt(body, 'document_annotation_prompt'), files: 1 }
}

/** A read document. What it used are pages, which count as pictures. */
function readOcrAnswer(answer: JsonObject): AnswerView {
  const { pages } = answer
  return {
    usage: usageIn(answer),
    error: errorIn(answer) ?? failureIn(answer, Array.isArray(pages)),
    toolCalls: 0,
    isEmpty: !Array.isArray(pages) || pages.length === 0,
    completionText: () =>
      objectsOf(pages)
        .map(({ markdown }) => textOf(markdown))
        .join('\n'),
  }
}

function usageIn({ usage_info: reported, pages }: JsonObject): ReportedUsage | null {
  const { pages_processed: processed } = objectOf(reported)
  if (typeof processed === 'number' && Number.isSafeInteger(processed) && processed >= 0) return ofPages(processed)
  return Array.isArray(pages) ? ofPages(pages.length) : null
}

const ofPages = (count: number): ReportedUsage => ({ ...noUsage, details: { image_count: count } })
