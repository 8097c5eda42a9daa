import { concat } from './sse-frames'

const lineFeed = 0x0a
const largest = 16 * 1024 * 1024
const nothing = new Uint8Array(0)
const encoder = new TextEncoder()
const before = encoder.encode('data: ')
const after = encoder.encode('\n\n')

/**
 * Makes server-sent events of a stream of JSON values that stand on a line each, for vendors that stream so. Bytes stay as
 * they are; what comes out does not depend on where the network cut. A line longer than `limit` bytes is left out.
 */
export class NdjsonFrames {
  readonly #limit: number
  /** The begun line. */
  #parts: Uint8Array[] = []
  #size = 0

  constructor(limit: number = largest) {
    this.#limit = limit
  }

  push(bytes: Uint8Array): Uint8Array {
    const out: Uint8Array[] = []
    let start = 0
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
      this.#keep(bytes.subarray(start, end))
      this.#take(out)
      start = end + 1
    }
    this.#keep(bytes.subarray(start))
    return concat(out)
  }

  /** The last line may have no end. */
  end(): Uint8Array {
    const out: Uint8Array[] = []
    this.#take(out)
    return concat(out)
  }

  /** Of a line that is too long nothing is kept but how long it is. */
  #keep(part: Uint8Array): void {
    this.#size += part.length
    if (this.#size > this.#limit) this.#parts = []
    else if (part.length > 0) this.#parts.push(part)
  }

  #take(out: Uint8Array[]): void {
    const line = this.#size > this.#limit ? nothing : trimmed(concat(this.#parts))
    this.#parts = []
    this.#size = 0
    if (line.length > 0) out.push(before, line, after)
  }
}

/** Without the white space around it, a carriage return among it. */
function trimmed(line: Uint8Array): Uint8Array {
  let start = 0
  let end = line.length
  while (start < end && isSpace(line[start])) start += 1
  while (end > start && isSpace(line[end - 1])) end -= 1
  return line.subarray(start, end)
}

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d
