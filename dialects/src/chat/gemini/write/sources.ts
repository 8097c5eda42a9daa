import type { JsonObject } from '../../../core/json'
import type { Citation } from '../../../core/neutral/call'
import type { Search } from '../../../core/neutral/events'

/** More sources than an answer has; the others are left out. */
const maxSources = 10_000
/** Characters of text that segments repeat. Beyond, they have their places alone. */
const maxRepeated = 1024 * 1024
const markUnits = 1024

interface Segment {
  readonly startIndex: number
  readonly endIndex: number
  readonly text?: string
}

interface Support {
  readonly segment: Segment
  readonly groundingChunkIndices: number[]
}

/** Gathers the sources of one choice. Places count bytes of all its text. */
export class SourceWriter {
  #before = 0
  #text = ''
  /** Sources of the open block: those that name no end belong to all of it. */
  #open: Citation[] = []
  readonly #queries: string[] = []
  readonly #chunks: JsonObject[] = []
  readonly #supports: Support[] = []
  readonly #places = new Map<string, number>()
  #repeated = 0
  #sources = 0

  append(text: string): void {
    this.#text += text
  }

  cite(citation: Citation): void {
    if (citation.url === undefined || this.#sources >= maxSources) return
    this.#sources += 1
    this.#open.push(citation)
  }

  search({ queries }: Search): void {
    this.#queries.push(...queries)
  }

  close(): void {
    const bytesBefore = bytesBeforeIn(this.#text)
    for (const citation of this.#open) this.#support(citation, bytesBefore)
    this.#before += Buffer.byteLength(this.#text)
    this.#text = ''
    this.#open = []
  }

  /** https://ai.google.dev/api/generate-content#GroundingMetadata; null without a source and a search. */
  writeMetadata(): JsonObject | null {
    const queries = this.#queries
    if (this.#chunks.length === 0 && queries.length === 0) return null
    return {
      ...(queries.length > 0 && { webSearchQueries: queries }),
      groundingChunks: this.#chunks,
      groundingSupports: this.#supports,
    }
  }

  #support({ url = '', title, start = 0, end = this.#text.length }: Citation, bytesBefore: BytesBefore): void {
    const index = this.#places.get(url) ?? this.#chunks.length
    if (index === this.#chunks.length) {
      this.#places.set(url, index)
      this.#chunks.push({ web: { uri: url, title: title ?? url } })
    }
    const text = this.#text.slice(start, end)
    if (text === '') return
    const startIndex = this.#before + bytesBefore(start)
    const endIndex = this.#before + bytesBefore(Math.min(end, this.#text.length))
    const last = this.#supports.at(-1)
    if (last?.segment.startIndex === startIndex && last.segment.endIndex === endIndex) {
      last.groundingChunkIndices.push(index)
      return
    }
    this.#repeated += text.length
    const segment = { startIndex, endIndex, ...(this.#repeated <= maxRepeated && { text }) }
    this.#supports.push({ segment, groundingChunkIndices: [index] })
  }
}

/** Returns how many bytes of UTF-8 the text has before a UTF-16 unit. */
type BytesBefore = (unit: number) => number

/** Each place takes the same time, however long the text is. */
function bytesBeforeIn(text: string): BytesBefore {
  const marks = [0]
  /** Not in the middle of a character. */
  const offsetOf = (mark: number): number => {
    const code = text.charCodeAt(mark * markUnits)
    return mark * markUnits - (code >= 0xdc00 && code <= 0xdfff ? 1 : 0)
  }
  return (unit) => {
    const requested = Math.floor(unit / markUnits)
    for (let mark = marks.length; mark <= requested; mark += 1)
      marks.push((marks[mark - 1] ?? 0) + Buffer.byteLength(text.slice(offsetOf(mark - 1), offsetOf(mark))))
    return (marks[requested] ?? 0) + Buffer.byteLength(text.slice(offsetOf(requested), unit))
  }
}
