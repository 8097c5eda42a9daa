/** The body of a request: a text, or pieces that are sent one after the other and never joined. */
export type RequestBody = string | readonly Uint8Array<ArrayBuffer>[]

export const byteLengthOf = (body: RequestBody): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : body.reduce((sum, { byteLength }) => sum + byteLength, 0)

/** Handed to the operating system at once. */
const sliceBytes = 256 * 1024

/** Cuts pieces into slices of limited size. */
export function* slicesOf(pieces: readonly Uint8Array[]): Generator<Uint8Array, void> {
  for (const piece of pieces)
    for (let at = 0; at < piece.byteLength; at += sliceBytes) yield piece.subarray(at, at + sliceBytes)
}
