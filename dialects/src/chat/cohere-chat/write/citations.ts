import type { JsonObject } from '../../../core/json'
import type { Citation } from '../../../core/neutral/call'
import { written } from '../../../core/neutral/read'

/** A citation of a text, whose part it names. https://docs.cohere.com/docs/rag-citations */
export function writeCitation(
  { own, url, title, quote, start = 0, end }: Citation,
  text: string,
  index: number,
): JsonObject {
  if (own?.dialect === 'cohere-chat') return own.value
  const last = end ?? text.length
  const document = written({ url, title, snippet: quote })
  return {
    start,
    end: last,
    text: text.slice(start, last),
    sources: [{ type: 'document', id: url ?? title ?? '', document }],
    content_index: index,
    type: 'TEXT_CONTENT',
  }
}
