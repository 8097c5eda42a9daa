import { InlineImages, minImageLength } from '../../shared/inline-images'

const firstCapacity = 256
const maxBytes = 1024 * 1024

/** Collects pieces of escaped JSON strings, up to a megabyte, without keeping what they were cut from. */
export class TextBuffer {
  #bytes = new Uint8Array(0)
  #length = 0
  #seen = 0
  #images: InlineImages | null = null

  get length(): number {
    return this.#length
  }

  /** How many pictures there were in the text, which are left out. */
  get images(): number {
    return this.#images?.count ?? 0
  }

  /** How many bytes of text were appended, kept or not. */
  get seen(): number {
    return this.#seen
  }

  /** Append characters `start` to `end` of a Latin-1 text. */
  append(text: string, start: number, end: number): void {
    if (end - start < minImageLength && this.#images?.isInside !== true) return this.#append(text, start, end)
    this.#images ??= new InlineImages()
    this.#images.around(text, start, end, (from, to) => this.#append(text, from, to))
  }

  #append(text: string, start: number, end: number): void {
    const room = this.#room(end - start)
    const bytes = this.#bytes
    for (let at = 0; at < room; at += 1) bytes[this.#length + at] = text.charCodeAt(start + at)
    this.#length += room
  }

  /** The same from bytes. */
  appendBytes(text: Uint8Array, start: number, end: number): void {
    const room = this.#room(end - start)
    const bytes = this.#bytes
    for (let at = 0; at < room; at += 1) bytes[this.#length + at] = text[start + at] ?? 0
    this.#length += room
  }

  /** Makes room for more bytes and returns how many of them fit. */
  #room(requested: number): number {
    this.#seen += Math.max(requested, 0)
    const room = Math.max(Math.min(requested, maxBytes - this.#length), 0)
    this.#grow(this.#length + room)
    return room
  }

  #grow(needed: number): void {
    if (needed <= this.#bytes.length) return
    const grown = new Uint8Array(Math.min(maxBytes, Math.max(needed, this.#bytes.length * 2, firstCapacity)))
    grown.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = grown
  }

  /** A view of what was collected, good until more is appended. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  /** What was collected from this byte on, with its escapes resolved. */
  text(from = 0): string {
    const escaped = new TextDecoder().decode(this.#bytes.subarray(from, this.#length))
    if (!escaped.includes('\\')) return escaped
    try {
      const value: unknown = JSON.parse(`"${escaped}"`)
      return String(value)
    } catch {
      // Cut at the limit in the middle of an escape: the length is right but for it.
      return escaped
    }
  }
}
