import type { JsonObject } from '../../../core/json'
import type { Citation } from '../../../core/neutral/call'
import type { Page, Search } from '../../../core/neutral/events'
import { numberOrNull, textOf, textOrNull, textsOf } from '../../../core/neutral/read'
import { member, memberList, memberObject } from '../../../core/shared/google-members'
import type { ByteText } from './byte-text'

/** More than an answer has; the others are left out. */
const maxSources = 10_000

type Place = Pick<Citation, 'start' | 'end'>
/** A source, and where it is cited. */
type Found = readonly [source: Citation, place: Place]

/**
 * What a text is founded on. Places count bytes of UTF-8, and once more with each piece of a stream, so what was told is
 * kept in mind. https://ai.google.dev/api/generate-content#GroundingMetadata
 */
export class SourceReader {
  readonly #reported = new Set<string>()
  readonly #sources = new Map<string, number>()
  readonly #queries = new Set<string>()
  readonly #pages = new Map<string, Page>()

  /** The new ones; `text` is what the block they belong to said so far. */
  take(candidate: JsonObject, text: ByteText): readonly Citation[] {
    const grounding = memberObject(candidate, 'groundingMetadata')
    this.#noteSearch(grounding)
    const quoted = memberList(memberObject(candidate, 'citationMetadata'), 'citations')
    const all = [...readGrounding(grounding, text), ...quoted.map((citation) => readQuoted(citation, text))]
    // A source may be long, and cited very often.
    const numbers = new Map<Citation, number>()
    return all.flatMap(([source, place]) => {
      if (this.#reported.size >= maxSources || Object.keys(source).length === 0) return []
      const number = numbers.get(source) ?? this.#numberOf(source)
      numbers.set(source, number)
      const key = `${number} ${place.start} ${place.end}`
      if (this.#reported.has(key)) return []
      this.#reported.add(key)
      return [{ ...source, ...place }]
    })
  }

  #numberOf(source: Citation): number {
    const text = JSON.stringify(source)
    const known = this.#sources.get(text) ?? this.#sources.size
    this.#sources.set(text, known)
    return known
  }

  /** What was searched for so far, and found; null without a search. */
  get search(): Search | null {
    return this.#queries.size === 0 ? null : { queries: [...this.#queries], pages: [...this.#pages.values()] }
  }

  #noteSearch(grounding: JsonObject): void {
    for (const query of textsOf(member(grounding, 'webSearchQueries')))
      if (this.#queries.size < maxSources) this.#queries.add(query)
    for (const chunk of memberList(grounding, 'groundingChunks')) {
      const { url, title = '' } = readChunk({ web: memberObject(chunk, 'web') })
      if (url !== undefined && this.#pages.size < maxSources) this.#pages.set(url, { url, title })
    }
  }
}

function readGrounding(metadata: JsonObject, text: ByteText): Found[] {
  const chunks = memberList(metadata, 'groundingChunks').map(readChunk)
  const supports = memberList(metadata, 'groundingSupports')
  // Where no places are given, the whole text is founded on all.
  if (supports.length === 0) return chunks.map((chunk) => [chunk, {}])
  return supports.flatMap((support) => {
    const indices: unknown = member(support, 'groundingChunkIndices')
    const place = placeIn(text, memberObject(support, 'segment'))
    return (Array.isArray(indices) ? indices : []).flatMap((index): Found[] => {
      const chunk = chunks[Number(index)]
      return chunk ? [[chunk, place]] : []
    })
  })
}

function readChunk(chunk: JsonObject): Citation {
  const source = ['web', 'retrievedContext', 'maps', 'image'].map((name) => memberObject(chunk, name))
  const reported = source.find((one) => Object.keys(one).length > 0) ?? {}
  const url = textOrNull(reported['uri']) ?? textOrNull(member(reported, 'sourceUri'))
  const title = textOrNull(reported['title'])
  const quote = textOrNull(reported['text'])
  return { ...(url !== null && { url }), ...(title !== null && { title }), ...(quote !== null && { quote }) }
}

function readQuoted(citation: JsonObject, text: ByteText): Found {
  const url = textOrNull(citation['uri'])
  const title = textOrNull(citation['title'])
  return [{ ...(url !== null && { url }), ...(title !== null && { title }) }, placeIn(text, citation)]
}

/** A place in UTF-16 units; the segment's own words are believed before its numbers. */
function placeIn(text: ByteText, segment: JsonObject): Place {
  const last = numberOrNull(member(segment, 'endIndex'))
  if (last === null || last <= 0) return {}
  const first = numberOrNull(member(segment, 'startIndex')) ?? 0
  const [start, end] = [text.unitsBefore(first), text.unitsBefore(last)]
  const words = textOf(segment['text'])
  if (words === '' || text.holds(words, first, last)) return end > start ? { start, end } : {}
  const at = text.indexOf(words)
  if (at < 0) return {}
  const found = text.unitsBefore(at)
  return { start: found, end: found + words.length }
}
