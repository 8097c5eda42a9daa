import type { JsonObject } from '../../../core/json'
import type { Citation } from '../../../core/neutral/call'
import { numberOrNull, objectOf, objectsOf, textOrNull, written } from '../../../core/neutral/read'

/** One citation for each source of a stretch of text. https://docs.cohere.com/docs/rag-citations */
export function readCitations(citation: JsonObject): readonly Citation[] {
  const sources = objectsOf(citation['sources'])
  const place = written({
    start: numberOrNull(citation['start']) ?? undefined,
    end: numberOrNull(citation['end']) ?? undefined,
  })
  return (sources.length > 0 ? sources : [{}]).map((source) => ({
    ...place,
    ...readSource(source),
    own: { dialect: 'cohere-chat', value: citation },
  }))
}

/** A document that the client gave, or what a tool answered; their members are the client's. */
function readSource(source: JsonObject): Citation {
  const of = objectOf(source['document'] ?? source['tool_output'])
  return written({
    url: textOrNull(of['url']) ?? undefined,
    title: textOrNull(of['title']) ?? undefined,
    quote: textOrNull(of['snippet']) ?? textOrNull(of['text']) ?? undefined,
  })
}
