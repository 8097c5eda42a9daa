import type { JsonObject } from '../../core/json'
import type { Citation } from '../../core/neutral/call'
import { objectsOf, textOf, textOrNull, omitUndefined } from '../../core/neutral/read'
import { dialectId } from './name'

/** A place that a text is founded on. */
export function readCitation(citation: JsonObject): Citation {
  const source = textOf(citation['source'])
  const url = textOrNull(citation['url']) ?? (/^https?:/.test(source) ? source : null)
  const title = textOrNull(citation['title']) ?? textOrNull(citation['document_title'])
  const quote = textOrNull(citation['cited_text'])
  return {
    ...(url !== null && { url }),
    ...(title !== null && { title }),
    ...(quote !== null && { quote }),
    own: { dialect: dialectId, value: citation },
  }
}

/** Citations of an earlier answer. One made from another vendor's proves nothing to this one and is left out. */
export const readCitations = (block: JsonObject): readonly Citation[] =>
  objectsOf(block['citations'])
    .filter((citation) => citation['encrypted_index'] !== '')
    .map(readCitation)

/** A citation for a client: its own words, or those of a search's result; null when it names no page. */
export function writeCitation({ url, title, quote, own }: Citation): JsonObject | null {
  if (own?.dialect === dialectId) return own.value
  if (url === undefined) return null
  return {
    type: 'web_search_result_location',
    cited_text: quote ?? '',
    encrypted_index: '',
    title: title ?? null,
    url,
  }
}

/** Citations for the vendor, which takes only its own. */
export function writeOwnCitations(citations: readonly Citation[] | undefined): JsonObject {
  const own = (citations ?? []).flatMap((citation) => (citation.own?.dialect === dialectId ? [citation.own.value] : []))
  return omitUndefined({ citations: own.length > 0 ? own : undefined })
}
