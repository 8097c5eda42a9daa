import type { JsonObject } from '../../core/json'
import type { Citation } from '../../core/neutral/call'
import { numberOrNull, objectsOf, textOrNull } from '../../core/neutral/read'
import { dialectId } from './name'

/** An annotation: a page, or a file that only the vendor knows. Places are those in its own part of the content. */
export function readAnnotation(annotation: JsonObject): Citation {
  const url = textOrNull(annotation['url'])
  const title = textOrNull(annotation['title']) ?? textOrNull(annotation['filename'])
  const start = numberOrNull(annotation['start_index'])
  const end = numberOrNull(annotation['end_index'])
  return {
    ...(url !== null && { url }),
    ...(title !== null && { title }),
    ...(start !== null && end !== null && { start, end }),
    own: { dialect: dialectId, value: annotation },
  }
}

export const readAnnotations = (part: JsonObject): readonly Citation[] =>
  objectsOf(part['annotations']).map(readAnnotation)

/** An annotation; `length` is that of the text, where a source without a place ends. Null when it names no page. */
export function writeAnnotation({ url, title, start, end, own }: Citation, length: number): JsonObject | null {
  if (own?.dialect === dialectId) return own.value
  if (url === undefined) return null
  return { type: 'url_citation', start_index: start ?? 0, end_index: end ?? length, url, title: title ?? url }
}
