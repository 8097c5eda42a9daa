import { isTooComplex, type StreamTap } from '@tollgate/dialects'
import type { ModeDescription } from '@tollgate/providers'

import type { ByteReader } from '../../upstream/answer-body'
import { errorInAnswer, malformed } from '../../channels/calls/answer-object'
import type { AttemptClocks } from '../../channels/calls/clocks'
import { toUpstreamError } from '../../channels/calls/upstream-call'

/** How much of a stream is kept back while it says nothing. */
export interface HoldLimits {
  readonly bytes: number
  /** From its first event on. A client that waits longer for the headers may give up, or a proxy before it. */
  readonly ms: number
}

export const holdLimits: HoldLimits = { bytes: 1024 * 1024, ms: 15_000 }

/** A stream of which the head is there. */
interface BegunStream {
  readonly reader: ByteReader
  readonly tap: StreamTap
  readonly clocks: AttemptClocks
  readonly description: Pick<ModeDescription, 'errorStatuses'>
}

/** A stream that another channel cannot take over any more. */
export interface StreamOpening {
  /** What came through the tap. */
  readonly first: readonly Uint8Array[]
  /** The rest. */
  readonly reader: ByteReader
  /** The answer has begun: the channel serves. */
  readonly isProven: boolean
}

/** No first event is that large; what is read until it comes stays in memory, unpacked. */
const largestBeginningBytes = 16 * 1024 * 1024

/** Shorter ones cannot be nested so deeply that their reader notices. */
const longBeginningBytes = 64 * 1024

/**
 * Read a stream until it says something. What vendors send before that (who speaks, that the request was taken) tells nothing of
 * whether an answer will come: an overloaded one sends it and breaks off. So all of it is kept back, and a stream that fails until
 * then can still go to another channel. One that takes long is given on as it is.
 * @throws UpstreamError; AppError when the gateway stops.
 */
export async function openingOf(
  { reader, tap, clocks, description }: BegunStream,
  limits: HoldLimits,
): Promise<StreamOpening> {
  using hold = new Hold(limits.ms)
  const first: Uint8Array[] = []
  const came: Uint8Array[] = []
  let size = 0
  while (!hasBegun(tap)) {
    const reading = reader.read()
    const read = await readOrThrow(hold.orOver(reading), clocks, tap)
    if (read === 'abandoned') return { first, reader, isProven: false }
    if (read === null) return { first: checked(first, came, size), reader: resumed(reader, reading), isProven: false }
    if (read.done) {
      tap.end()
      if (tap.error) throw errorInAnswer(tap.error, description)
      if (tap.events === 0) throw malformed('The stream is empty')
      if (saysNothing(tap)) throw malformed('The stream ended before it said anything')
      break
    }
    size += read.value.byteLength
    came.push(read.value)
    first.push(tap.push(read.value))
    if (tap.error) throw errorInAnswer(tap.error, description)
    if (tap.events === 0) {
      if (size > largestBeginningBytes) throw malformed('The stream does not begin')
      continue
    }
    clocks.began()
    if (size > limits.bytes) break
    hold.begin()
  }
  if (tap.isDone && saysNothing(tap)) throw malformed('The stream ended before it said anything')
  return { first: checked(first, came, size), reader, isProven: hasBegun(tap) }
}

/** Something was said, or why nothing is. */
const hasBegun = (tap: StreamTap): boolean => tap.contentEvents > 0 || tap.isDone || !saysNothing(tap)

const saysNothing = (tap: StreamTap): boolean =>
  tap.contentEvents === 0 && tap.toolCalls === 0 && tap.isEmpty && !tap.isFinished

/** @throws UpstreamError when what came is too deep or too large to parse. */
function checked(first: readonly Uint8Array[], came: readonly Uint8Array[], size: number): readonly Uint8Array[] {
  if (size > longBeginningBytes && isTooComplex(Buffer.concat(came).toString('latin1')))
    throw malformed('The stream is nested too deeply or has too much structure')
  return first
}

/** A client that leaves when the upstream has begun its work leaves an answer that is charged. */
async function readOrThrow<Read>(
  reading: Promise<Read>,
  clocks: AttemptClocks,
  tap: StreamTap,
): Promise<Read | 'abandoned'> {
  try {
    return await reading
  } catch (cause) {
    if (clocks.reason === 'client' && tap.events > 0) return 'abandoned'
    throw toUpstreamError(clocks, cause)
  }
}

/** The time for which a stream is kept back. It begins once. */
class Hold implements Disposable {
  #timer: ReturnType<typeof setTimeout> | undefined
  #over: Promise<null> | null = null

  constructor(private readonly ms: number) {}

  begin(): void {
    this.#over ??= new Promise((resolve) => {
      this.#timer = setTimeout(() => resolve(null), this.ms)
    })
  }

  /** What was waited for, or null when the time is over first. */
  orOver<Value>(waited: Promise<Value>): Promise<Value | null> {
    return this.#over ? Promise.race([waited, this.#over]) : waited
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
  }
}

/** The reader again, of which one read is under way. */
function resumed(reader: ByteReader, reading: ReturnType<ByteReader['read']>): ByteReader {
  let pending: typeof reading | null = reading
  // Nothing may read it any more: its failure must not be an unhandled rejection.
  pending.catch(() => {})
  return {
    read() {
      const next = pending ?? reader.read()
      pending = null
      return next
    },
    cancel: () => reader.cancel(),
  }
}
