import { nextTurn } from '../../../platform/time/timers'

/** A recording, or the beginning of one. */
export interface Recording {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Size of the whole recording in bytes. */
  readonly size: number
}

/** Parsed in one turn of the event loop. */
const pieceBytes = 4 * 1024
/** A file that takes more processor time to parse is not a recording. */
const maxParseMicroseconds = 2_000_000
/** The highest bit rate of lossy formats: a header that implies a higher one is not trusted. */
const maxLossyBytesPerSecond = 64_000

/**
 * Resolves with the duration of a recording in seconds, from its frames and tables; null when it cannot be determined. A beginning is
 * extrapolated to the whole.
 */
export async function measuredSeconds({ bytes, size }: Recording): Promise<number | null> {
  // Loaded with the first recording.
  const { parseWebStream } = await import('music-metadata')
  try {
    const options = { duration: true, skipCovers: true, skipPostHeaders: true }
    const { format } = await parseWebStream(inPieces(bytes), { size: bytes.byteLength }, options)
    const { duration, sampleRate = 0, numberOfChannels = 0, bitsPerSample = 0 } = format
    if (format.container === 'WAVE' && format.lossless) {
      const bySize = size / ((sampleRate * numberOfChannels * bitsPerSample) / 8)
      if (!Number.isFinite(bySize)) return null
      // Streamed files have a placeholder for the length, and a beginning yields its own length.
      return size > bytes.byteLength ? bySize : Math.min(duration || bySize, bySize)
    }
    if (duration === undefined || !(duration > 0)) return null
    const whole = (duration * size) / bytes.byteLength
    return format.lossless ? whole : Math.max(whole, size / maxLossyBytesPerSecond)
  } catch {
    return null
  }
}

/** Other work between two pieces does not count towards the limit, and neither does time in which the process is suspended. */
function inPieces(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0
  let spent = 0
  let since = processorMicroseconds()
  return new ReadableStream(
    {
      async pull(controller) {
        spent += processorMicroseconds() - since
        if (at > 0) await nextTurn()
        if (at >= bytes.byteLength) return controller.close()
        if (spent > maxParseMicroseconds) return controller.error(new Error('Parsing takes too long'))
        since = processorMicroseconds()
        controller.enqueue(bytes.subarray(at, (at += pieceBytes)))
      },
    },
    { highWaterMark: 0 },
  )
}

/** What this thread has used so far. */
function processorMicroseconds(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}
