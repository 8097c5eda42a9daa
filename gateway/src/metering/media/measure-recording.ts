/** A recording, or the beginning of one. */
export interface Recording {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Of all of it. */
  readonly size: number
}

/** So much is parsed without a turn for other work. */
const pieceBytes = 32 * 1024
/** A file that takes longer is no recording. */
const longestParseMs = 2_000
/** No lossy format is written at more, so a head that tells less time is not believed. */
const mostLossyBytesPerSecond = 64_000

/**
 * Resolves with the seconds of a recording by its own frames and tables; null for what is no recording, or one that does not tell. A
 * beginning stands for the whole.
 */
export async function measuredSeconds({ bytes, size }: Recording): Promise<number | null> {
  // Loaded when the first recording comes.
  const { parseWebStream } = await import('music-metadata')
  try {
    const options = { duration: true, skipCovers: true, skipPostHeaders: true }
    const { format } = await parseWebStream(inPieces(bytes), { size: bytes.byteLength }, options)
    const { duration, sampleRate = 0, numberOfChannels = 0, bitsPerSample = 0 } = format
    if (format.container === 'WAVE' && format.lossless) {
      const bySize = size / ((sampleRate * numberOfChannels * bitsPerSample) / 8)
      if (!Number.isFinite(bySize)) return null
      // One that is written while it is made tells no length, and a beginning tells its own.
      return size > bytes.byteLength ? bySize : Math.min(duration || bySize, bySize)
    }
    if (duration === undefined || !(duration > 0)) return null
    const whole = (duration * size) / bytes.byteLength
    return format.lossless ? whole : Math.max(whole, size / mostLossyBytesPerSecond)
  } catch {
    return null
  }
}

function inPieces(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const begunAt = performance.now()
  let at = 0
  return new ReadableStream(
    {
      async pull(controller) {
        if (at > 0) await new Promise((resolve) => setImmediate(resolve))
        if (at >= bytes.byteLength) return controller.close()
        if (performance.now() - begunAt > longestParseMs) return controller.error(new Error('This takes too long'))
        controller.enqueue(bytes.slice(at, (at += pieceBytes)))
      },
    },
    { highWaterMark: 0 },
  )
}
