import { detach } from '../limits/byte-budget'
import type { Timers } from '../../platform/time/timers'
import { announcedBytes, piecesOf } from './body-time'

/** Smaller bodies are read in the ordinary way. */
const minBytes = 64 * 1024

/**
 * Resolves with the body of a request in one buffer. A large one of known length is copied into it piece by piece, and each piece is
 * freed at once: the runtime would collect them late, and let its own buffer grow by copies, up to twice the size of the body. `took` is
 * called with the size of each piece of a body of unknown length, before it is kept.
 * @throws AppError `body.slow` when a large body makes no progress; whatever `took` throws.
 */
export async function readWhole(
  request: Request,
  timers: Timers,
  took?: (bytes: number) => void,
): Promise<Buffer<ArrayBuffer>> {
  const length = announcedBytes(request)
  if (!request.body || (length !== null && length < minBytes)) return Buffer.from(await request.arrayBuffer())
  if (length === null) return readUnannounced(request.body, timers, took)
  const whole = Buffer.from(new ArrayBuffer(length))
  let size = 0
  for await (const piece of piecesOf(request.body, timers)) {
    whole.set(piece, size)
    size += piece.byteLength
    detach(piece)
  }
  return whole.subarray(0, size)
}

async function readUnannounced(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  timers: Timers,
  took: ((bytes: number) => void) | undefined,
): Promise<Buffer<ArrayBuffer>> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  for await (const piece of piecesOf(body, timers)) {
    took?.(piece.byteLength)
    pieces.push(piece)
  }
  const whole = Buffer.concat(pieces)
  for (const piece of pieces) detach(piece)
  return whole
}
