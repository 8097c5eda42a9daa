import type { PromptShape, RequestView } from '../../core/views'
import { isObject, type JsonObject } from '../../core/json'
import { missing, readModel, wholeView, wrongType } from '../../core/shared/fields'
import { inputPrompt } from '../../core/shared/prompt'

/** The vendor reads no longer documents. https://docs.mistral.ai/capabilities/document_ai/basic_ocr */
const mostPages = 1000

/**
 * The view of a request to read a document. Each page counts as a choice; where the request leaves their number to the document, at most as
 * many as the vendor reads.
 * @throws DialectError
 */
export function readOcrRequest(body: JsonObject, model?: string): RequestView {
  const view = wholeView(readModel(body, model))
  const { document, pages, document_annotation_format: ofDocument, bbox_annotation_format: ofPictures } = body
  if (document === undefined || document === null) throw missing('document')
  if (!isObject(document)) throw wrongType('document', 'an object', document)
  const requested = document['type'] === 'image_url' ? 1 : requestedPages(pages)
  const isAnnotated = (ofDocument ?? ofPictures ?? null) !== null
  return {
    ...view,
    choices: requested ?? 1,
    ...(requested === null && { mostPages }),
    ...(isAnnotated && { picture: { size: null, quality: annotated } }),
  }
}

/** The quality by which the price of pages with annotations is found. */
const annotated = 'annotated'

/** Returns how many pages are named: in a list, or as `0-3,7`; null: all of the document. */
function requestedPages(pages: unknown): number | null {
  if (pages === undefined || pages === null) return null
  if (Array.isArray(pages)) return Math.min(Math.max(pages.length, 1), mostPages)
  if (typeof pages !== 'string') throw wrongType('pages', 'a string or an array of integers', pages)
  const spans = pages.split(',').map(pagesOfSpan)
  const sum = spans.reduce((total, span) => total + span, 0)
  return sum <= mostPages ? sum : null
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
export const ocrPrompt = (body: JsonObject): PromptShape => ({
  ...inputPrompt(body, 'document_annotation_prompt'),
  files: 1,
})
