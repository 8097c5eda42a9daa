const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * Writes whole numbers and texts as bytes. Numbers have seven bits per byte, the lowest first, and each byte of a number except its last
 * has the highest bit set. A text is written once; later occurrences refer to its first position.
 */
export class ByteWriter {
  #bytes = new Uint8Array(1024)
  #length = 0
  readonly #texts = new Map<string, number>()

  /** What is not a whole number from 0 on is written as 0: no charge must fail because of an impossible figure. */
  number(value: number): void {
    if (this.#length + 8 > this.#bytes.length) this.#grow(8)
    let left = Number.isSafeInteger(value) && value > 0 ? value : 0
    for (; left > 127; left = Math.floor(left / 128)) this.#bytes[this.#length++] = (left % 128) + 128
    this.#bytes[this.#length++] = left
  }

  text(text: string): void {
    const known = this.#texts.get(text)
    if (known !== undefined) return this.number(known)
    this.number(this.#texts.size)
    this.#texts.set(text, this.#texts.size)
    const bytes = encoder.encode(text)
    this.number(bytes.length)
    if (this.#length + bytes.length > this.#bytes.length) this.#grow(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  #grow(by: number): void {
    const bytes = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + by))
    bytes.set(this.#bytes)
    this.#bytes = bytes
  }
}

/** Reads what a `ByteWriter` wrote. */
export class ByteReader {
  at = 0
  readonly #texts: string[] = []

  constructor(readonly bytes: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length
  }

  byte(): number {
    return this.bytes[this.at++] ?? 0
  }

  number(): number {
    let byte = this.byte()
    if (byte < 128) return byte
    let value = byte & 127
    for (let factor = 128; byte > 127; factor *= 128) {
      byte = this.byte()
      value += (byte & 127) * factor
    }
    return value
  }

  text(): string {
    const index = this.number()
    const known = this.#texts[index]
    if (known !== undefined) return known
    const length = this.number()
    const text = decoder.decode(this.bytes.subarray(this.at, this.at + length))
    this.at += length
    this.#texts.push(text)
    return text
  }
}
