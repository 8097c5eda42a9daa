/** What is longer is not looked into for places. */
const maxTextLength = 4 * 1024 * 1024
const markUnits = 1024
/** Characters that searches for words may pass over in one answer. */
const maxSearched = 16 * 1024 * 1024

interface Mark {
  readonly bytes: number
  readonly units: number
}

/** A growing text whose places are given in bytes of UTF-8. Finding a place takes the same time however long the text is. */
export class ByteText {
  #bytes = Buffer.alloc(0)
  #length = 0
  #units = 0
  #marks: Mark[] = [{ bytes: 0, units: 0 }]
  #searched = 0

  append(text: string): void {
    for (let start = 0; start < text.length && this.#length < maxTextLength;) {
      const end = pieceEnd(text, start)
      this.#add(text.slice(start, end))
      start = end
    }
  }

  clear(): void {
    this.#length = 0
    this.#units = 0
    this.#marks = [{ bytes: 0, units: 0 }]
  }

  /** Returns how many UTF-16 units stand before a byte. */
  unitsBefore(byte: number): number {
    const end = Math.min(Math.max(byte, 0), this.#length)
    const { bytes, units } = this.#markBefore(end)
    return units + this.#bytes.toString('utf8', bytes, end).length
  }

  /** Whether these words stand between two bytes. */
  holds(words: string, start: number, end: number): boolean {
    const length = Math.min(Math.max(end, 0), this.#length) - Math.max(start, 0)
    if (length !== Buffer.byteLength(words)) return false
    return this.#bytes.toString('utf8', Math.max(start, 0), Math.max(start, 0) + length) === words
  }

  /** Returns the byte at which these words stand first; -1 where they do not, or too much was searched already. */
  indexOf(words: string): number {
    if (this.#searched > maxSearched) return -1
    this.#searched += this.#length
    const found = this.#bytes.indexOf(words)
    return found >= 0 && found + Buffer.byteLength(words) <= this.#length ? found : -1
  }

  #add(piece: string): void {
    const bytes = Buffer.byteLength(piece)
    if (this.#length + bytes > this.#bytes.length) {
      const grown = Buffer.alloc(Math.max(markUnits, (this.#length + bytes) * 2))
      this.#bytes.copy(grown, 0, 0, this.#length)
      this.#bytes = grown
    }
    this.#bytes.write(piece, this.#length)
    this.#length += bytes
    this.#units += piece.length
    const last = this.#marks.at(-1)
    if (!last || this.#units - last.units >= markUnits) this.#marks.push({ bytes: this.#length, units: this.#units })
  }

  #markBefore(byte: number): Mark {
    let [low, high] = [0, this.#marks.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((this.#marks[middle]?.bytes ?? Infinity) <= byte) low = middle
      else high = middle - 1
    }
    return this.#marks[low] ?? { bytes: 0, units: 0 }
  }
}

/** Not in the middle of a character. */
function pieceEnd(text: string, start: number): number {
  const end = Math.min(start + markUnits, text.length)
  const code = text.charCodeAt(end)
  return code >= 0xdc00 && code <= 0xdfff && end - 1 > start ? end - 1 : end
}
