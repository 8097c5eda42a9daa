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

/** Speech is hardly ever compressed below 16 kilobits a second. */
export const minBytesPerSecond = 2000

/** Returns the longest duration in seconds that a recording can have. `data` is base64. */
export function maxSeconds(data: string): number {
  const bytes = (data.length * 3) / 4
  return bytes / (waveBytesPerSecond(data) ?? minBytesPerSecond)
}

/** Returns the rate in the header of a WAV file. */
function waveBytesPerSecond(data: string): number | null {
  const head = Buffer.from(data.slice(0, 48), 'base64')
  if (head.length < 36 || head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 16) !== 'WAVEfmt ')
    return null
  return Math.max(head.readUInt32LE(28), minBytesPerSecond)
}
