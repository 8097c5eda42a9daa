import { concat } from './sse-frames'

const maxBytes = 64 * 1024 * 1024
const noBytes = new Uint8Array(0)
const encoder = new TextEncoder()
const before = encoder.encode('data: ')
const after = encoder.encode('\n\n')
const space = 0x20

/**
 * Makes one server-sent event of a whole JSON answer, for vendors that do not stream. A line break inside JSON is mere space,
 * for in its texts it is escaped. Of an answer longer than `limit` bytes nothing comes out.
 */
export class WholeFrames {
  readonly #limit: number
  #parts: Uint8Array[] = []
  #size = 0

  constructor(limit: number = maxBytes) {
    this.#limit = limit
  }

  push(bytes: Uint8Array): Uint8Array {
    this.#size += bytes.length
    if (this.#size > this.#limit) this.#parts = []
    else this.#parts.push(bytes.map((byte) => (byte === 0x0a || byte === 0x0d ? space : byte)))
    return noBytes
  }

  end(): Uint8Array {
    const answer = concat(this.#parts)
    this.#parts = []
    return answer.every((byte) => byte === space) ? noBytes : concat([before, answer, after])
  }
}
