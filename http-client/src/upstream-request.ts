/** Reads what arrives over a WebSocket, message by message, as the body of one response. */
export interface MessageReader {
  /** Returns the bytes to add to the body, none where a message only adds to what is collected. */
  read(message: string): { readonly bytes: Uint8Array<ArrayBuffer>; readonly isLast: boolean }
}

/** A POST to an upstream, or the first message of a WebSocket. */
export interface UpstreamRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: RequestBody
  /** What the address holds in confidence. */
  readonly secrets?: readonly string[]
  /** The address is that of a WebSocket; what comes over it is the response's body by this reader. */
  readonly messages?: MessageReader
  /** http, https or socks5; undefined: directly, or as the environment says. */
  readonly proxy: string | undefined
}

/** The body of a request: a text, or pieces that are sent one after the other and never joined. */
export type RequestBody = string | readonly Uint8Array<ArrayBuffer>[]

export const byteLengthOf = (body: RequestBody): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : body.reduce((sum, { byteLength }) => sum + byteLength, 0)

/** Handed to the operating system at once. */
const sliceBytes = 256 * 1024

/** Encodes a text slice by slice, each when the one before it is sent: the bytes of a long one are never all in memory. */
export function encodedSlices(head: Uint8Array, text: string): Iterable<Uint8Array> {
  return {
    *[Symbol.iterator]() {
      yield head
      for (let start = 0; start < text.length;) {
        const end = sliceEnd(text, start)
        yield Buffer.from(text.slice(start, end))
        start = end
      }
    },
  }
}

/** Not in the middle of a character. */
function sliceEnd(text: string, start: number): number {
  const end = Math.min(start + sliceBytes, text.length)
  const code = text.charCodeAt(end)
  return code >= 0xdc00 && code <= 0xdfff && end - 1 > start ? end - 1 : end
}

/** Cuts pieces into slices of limited size. */
export function* slicesOf(pieces: Iterable<Uint8Array>): Generator<Uint8Array, void> {
  for (const piece of pieces)
    for (let at = 0; at < piece.byteLength; at += sliceBytes) yield piece.subarray(at, at + sliceBytes)
}
