import type { JsonObject } from '../../json'
import type { Citation } from '../../neutral/call'

/** Gathers the sources of one choice. Places count bytes of all its text. */
export class SourceWriter {
  #before = 0
  #text = ''
  /** Sources of the open block: those that name no end belong to all of it. */
  #open: Citation[] = []
  readonly #chunks: JsonObject[] = []
  readonly #supports: JsonObject[] = []
  readonly #places = new Map<string, number>()

  append(text: string): void {
    this.#text += text
  }

  cite(citation: Citation): void {
    if (citation.url !== undefined) this.#open.push(citation)
  }

  close(): void {
    for (const citation of this.#open) this.#support(citation)
    this.#before += Buffer.byteLength(this.#text)
    this.#text = ''
    this.#open = []
  }

  /** https://ai.google.dev/api/generate-content#GroundingMetadata; null without a source. */
  written(): JsonObject | null {
    if (this.#chunks.length === 0) return null
    return { groundingChunks: this.#chunks, groundingSupports: this.#supports }
  }

  #support({ url = '', title, start = 0, end = this.#text.length }: Citation): void {
    const index = this.#places.get(url) ?? this.#chunks.length
    if (index === this.#chunks.length) {
      this.#places.set(url, index)
      this.#chunks.push({ web: { uri: url, title: title ?? url } })
    }
    const text = this.#text.slice(start, end)
    if (text === '') return
    const startIndex = this.#before + Buffer.byteLength(this.#text.slice(0, start))
    const endIndex = startIndex + Buffer.byteLength(text)
    const last = this.#supports.at(-1)
    const segment = { startIndex, endIndex, text }
    if (JSON.stringify(last?.['segment']) === JSON.stringify(segment) && Array.isArray(last?.['groundingChunkIndices']))
      last['groundingChunkIndices'].push(index)
    else this.#supports.push({ segment, groundingChunkIndices: [index] })
  }
}
