/** Smaller bodies are read in the ordinary way. */
const leastBytes = 256 * 1024

/**
 * Resolves with the body of a request in one buffer. A large one of known length is copied into it piece by piece, and each piece is
 * freed at once: the runtime would collect them late, and let its own buffer grow by copies, up to twice the size of the body.
 */
export async function readWhole(request: Request): Promise<Buffer<ArrayBuffer>> {
  const length = Number(request.headers.get('content-length') ?? 0)
  if (!(length >= leastBytes) || !request.body) return Buffer.from(await request.arrayBuffer())
  const whole = Buffer.from(new ArrayBuffer(length))
  let size = 0
  for await (const piece of request.body) {
    whole.set(piece, size)
    size += piece.byteLength
    detach(piece)
  }
  return whole.subarray(0, size)
}

/** Frees the memory of a view that has its buffer to itself; the view is empty afterwards. */
export function detach({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void {
  if (byteLength === buffer.byteLength) buffer.transfer(0)
}
