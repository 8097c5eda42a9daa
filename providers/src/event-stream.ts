/** One message of a stream in Amazon's binary form. */
export interface EventMessage {
  /** Those that are text. */
  readonly headers: ReadonlyMap<string, string>
  readonly payload: Uint8Array
}

const preludeBytes = 12
const checksumBytes = 4
const maxBytes = 24 * 1024 * 1024
const textHeader = 7
/** Bytes of a header's value by its type; those of types 6 and 7 say their length themselves. */
const valueBytes: ReadonlyMap<number, number> = new Map([
  [0, 0],
  [1, 0],
  [2, 1],
  [3, 2],
  [4, 4],
  [5, 8],
  [8, 8],
  [9, 16],
])
const decoder = new TextDecoder()

/**
 * Reads `application/vnd.amazon.eventstream`, however the network cut it: lengths of the message and of its headers, a checksum
 * of these, headers, payload, a checksum of all. https://docs.aws.amazon.com/transcribe/latest/dg/streaming-setting-up.html
 */
export class EventStream {
  #parts: Uint8Array[] = []
  #size = 0

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#parts.push(bytes)
    this.#size += bytes.length
  }

  /** The next message, or null until more bytes have come. @throws RangeError when what came is no such stream. */
  next(): EventMessage | null {
    if (this.#size < preludeBytes) return null
    const prelude = this.#view(preludeBytes)
    const total = prelude.getUint32(0)
    const headers = prelude.getUint32(4)
    if (prelude.getUint32(8) !== checksum(bytesOf(prelude, 0, 8))) throw new RangeError('A message begins wrongly')
    if (total > maxBytes || total < preludeBytes + headers + checksumBytes)
      throw new RangeError('A message has an impossible length')
    if (this.#size < total) return null
    const message = this.#view(total)
    const body = total - checksumBytes
    if (message.getUint32(body) !== checksum(bytesOf(message, 0, body))) throw new RangeError('A message is damaged')
    this.#drop(total)
    return {
      headers: readHeaders(bytesOf(message, preludeBytes, preludeBytes + headers)),
      payload: bytesOf(message, preludeBytes + headers, body),
    }
  }

  /** The first bytes, which are there. */
  #view(length: number): DataView {
    const [first] = this.#parts
    if (first === undefined || first.length < length) this.#parts = [Buffer.concat(this.#parts)]
    const [whole = new Uint8Array()] = this.#parts
    return new DataView(whole.buffer, whole.byteOffset, length)
  }

  #drop(length: number): void {
    const [first = new Uint8Array(), ...rest] = this.#parts
    this.#parts = first.length > length ? [first.subarray(length), ...rest] : rest
    this.#size -= length
  }
}

const checksum = (bytes: Uint8Array): number => Bun.hash.crc32(bytes)

const bytesOf = (view: DataView, from: number, to: number): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset + from, to - from)

/** @throws RangeError when a header does not end where the headers do. */
function readHeaders(bytes: Uint8Array): Map<string, string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const headers = new Map<string, string>()
  let at = 0
  while (at < bytes.length) {
    const nameEnd = at + 1 + view.getUint8(at)
    const type = view.getUint8(nameEnd)
    const fixed = valueBytes.get(type)
    const start = nameEnd + (fixed === undefined ? 3 : 1)
    const end = start + (fixed ?? view.getUint16(nameEnd + 1))
    if (end > bytes.length) throw new RangeError('A header has an impossible length')
    if (type === textHeader)
      headers.set(decoder.decode(bytes.subarray(at + 1, nameEnd)), decoder.decode(bytes.subarray(start, end)))
    at = end
  }
  return headers
}
