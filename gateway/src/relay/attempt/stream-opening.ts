import {
  dialects,
  isTooComplex,
  type StreamTap,
  type AnswerView,
  type JsonObject,
  type WholeAnswer,
} from '@tollgate/dialects'
import type { ModeDescription, Unframer } from '@tollgate/providers'

import { type ByteReader, pour, type Take } from '@tollgate/http-client'
import {
  createMalformedError,
  createWithheldError,
  errorInResponse,
  isBare,
  refuseEmpty,
  type EmptyResponsePolicy,
} from '../../channels/calls/parse-response-object'
import type { AttemptClocks } from '../../channels/calls/clocks'
import { toUpstreamError } from '../../channels/calls/upstream-call'
import { UpstreamError } from '../../channels/calls/upstream-error'
import type { Timers } from '../../platform/time/timers'
import type { UpstreamResponse } from '@tollgate/http-client'
import type { Prepared } from '../../channels/calls/prepare'
import type { BytesTap } from './bytes-tap'

/** How much of a stream is held back while it has no content. */
export interface HoldLimits {
  readonly bytes: number
  /** From its first event on. A client, or a proxy in front of it, may time out if the headers take longer. */
  readonly ms: number
  /** Which answers without any output are failures; those of other calls than chats never are. */
  readonly emptyResponsePolicy: EmptyResponsePolicy
  /** Returns whether the vendor withheld the answer, which ended without content. Absent: another model would not be asked. */
  readonly isWithheld?: ((events: Uint8Array) => boolean) | undefined
  /** Returns whether something was done for the response that its client pays for, though it has no content yet. Absent: nothing is. */
  readonly hasStartedWork?: () => boolean
}

export const holdLimits: HoldLimits = { bytes: 1024 * 1024, ms: 15_000, emptyResponsePolicy: 'none' }

/** A stream whose head has arrived. */
interface StartedStream {
  readonly reader: ByteReader
  readonly tap: StreamTap
  readonly clocks: AttemptClocks
  readonly description: Pick<ModeDescription, 'errorStatuses'> & Partial<Pick<ModeDescription, 'dialect'>>
}

/** A stream that another channel cannot take over any more. */
export interface StreamOpening {
  /** What arrived through the tap so far. */
  readonly first: readonly Uint8Array[]
  /** The rest. */
  readonly reader: ByteReader
  /** Content has arrived: the channel serves. */
  readonly isProven: boolean
}

/** A response of which the first bytes have arrived. */
export interface BytesOpening extends StreamOpening {
  readonly tap: BytesTap
  /** One of the known types: never a document that a browser would render. */
  readonly contentType: string
}

/** No first event is that large; what is read before it stays in memory, decompressed. */
const maxBeginningBytes = 16 * 1024 * 1024
/** The same where it may hold an image. */
const maxImageBytes = 64 * 1024 * 1024

/** Shorter ones cannot be nested so deeply that their reader notices. */
const longBeginningBytes = 64 * 1024

/**
 * Reads a stream until content arrives. What vendors send before that (the role, that the request was accepted) does not tell whether a
 * response will come: an overloaded one sends it and breaks off. So all of it is held back, and a stream that fails until then can still
 * go to another channel. One that takes long is forwarded as it is.
 * @throws UpstreamError; AppError when the gateway stops.
 */
export async function openingOf(
  { reader, tap, clocks, description }: StartedStream,
  limits: HoldLimits,
  timers: Timers,
): Promise<StreamOpening> {
  using hold = new Hold(limits.ms, timers)
  const mayHoldImage = description.dialect !== undefined && dialects[description.dialect].isBulky === true
  const maxBytes = mayHoldImage ? maxImageBytes : maxBeginningBytes
  const first: Uint8Array[] = []
  const came: Uint8Array[] = []
  let size = 0
  let isOver = false
  const isOpen = limits.emptyResponsePolicy === 'none' && !limits.isWithheld ? hasStarted : hasContent
  while (!isOpen(tap) && !limits.hasStartedWork?.()) {
    const reading = reader.read()
    const read = await readOrThrow(hold.orOver(reading), clocks, tap)
    if (read === 'abandoned') return { first, reader, isProven: false }
    if (read === null)
      return { first: checkComplexity(first, came, size), reader: new ResumedReader(reader, reading), isProven: false }
    if (read.done) {
      tap.end()
      if (tap.error) throw errorInResponse(tap.error, description)
      if (tap.events === 0) throw createMalformedError('The stream is empty')
      if (hasNoOutput(tap)) throw createMalformedError('The stream ended without content')
      isOver = true
      break
    }
    size += read.value.byteLength
    came.push(read.value)
    first.push(tap.push(read.value))
    if (tap.error) throw errorInResponse(tap.error, description)
    if (tap.events === 0) {
      if (size > maxBytes) throw createMalformedError('The stream does not begin')
      continue
    }
    clocks.began()
    if (size > limits.bytes) break
    hold.begin()
  }
  if (tap.isDone && hasNoOutput(tap)) throw createMalformedError('The stream ended without content')
  if ((isOver || tap.isDone) && tap.contentEvents === 0 && limits.isWithheld?.(Buffer.concat(came)))
    throw createWithheldError()
  if ((isOver || tap.isDone) && tap.contentEvents === 0) refuseEmpty(tap, limits.emptyResponsePolicy)
  return { first: checkComplexity(first, came, size), reader, isProven: hasStarted(tap) }
}

/** Content arrived, or the reason why there is none. */
const hasStarted = (tap: StreamTap): boolean => tap.contentEvents > 0 || tap.isDone || !hasNoOutput(tap)

/** Content arrived, or all of the stream: an end without content may be a failure, and its usage comes last. */
const hasContent = (tap: StreamTap): boolean => tap.contentEvents > 0 || tap.isDone || !isBare(tap)

const hasNoOutput = (tap: StreamTap): boolean =>
  tap.contentEvents === 0 && tap.toolCalls === 0 && tap.isEmpty && !tap.isFinished

/** @throws UpstreamError when what came is too deep or too large to parse. */
function checkComplexity(
  first: readonly Uint8Array[],
  came: readonly Uint8Array[],
  size: number,
): readonly Uint8Array[] {
  if (size > longBeginningBytes && isTooComplex(Buffer.concat(came).toString('latin1')))
    throw createMalformedError('The stream is nested too deeply or has too much structure')
  return first
}

/** A client that leaves after the upstream began its work is charged for the response. */
async function readOrThrow<Read>(
  reading: Promise<Read>,
  clocks: AttemptClocks,
  tap: StreamTap,
): Promise<Read | 'abandoned'> {
  try {
    return await reading
  } catch (cause) {
    if (clocks.reason === 'client' && tap.events > 0) return 'abandoned'
    throw cause instanceof UpstreamError ? cause : toUpstreamError(clocks, cause)
  }
}

/** The time for which a stream is held back. It starts once. */
class Hold implements Disposable {
  #cancel = () => {}
  #over: Promise<null> | null = null

  constructor(
    private readonly ms: number,
    private readonly timers: Timers,
  ) {}

  begin(): void {
    this.#over ??= new Promise((resolve) => {
      this.#cancel = this.timers.after(this.ms, () => resolve(null))
    })
  }

  /** Resolves with the awaited value, or with null when the time is over first. */
  orOver<Value>(waited: Promise<Value>): Promise<Value | null> {
    return this.#over ? Promise.race([waited, this.#over]) : waited
  }

  [Symbol.dispose](): void {
    this.#cancel()
  }
}

/** Continues with a read already in progress. */
class ResumedReader implements ByteReader {
  #pending: ReturnType<ByteReader['read']> | null

  constructor(
    private readonly reader: ByteReader,
    reading: ReturnType<ByteReader['read']>,
  ) {
    this.#pending = reading
    // If no one reads any more, its failure must not be an unhandled rejection.
    reading.catch(() => {})
  }

  read(): ReturnType<ByteReader['read']> {
    const next = this.#pending ?? this.reader.read()
    this.#pending = null
    return next
  }

  cancel(): Promise<void> {
    return this.reader.cancel()
  }
}

/** Returns a reader of server-sent events over a stream in another framing. The same reader where nothing must change. */
export const unframe = (reader: ByteReader, unframer: Unframer | undefined): ByteReader =>
  unframer ? new UnframedReader(reader, unframer) : reader

class UnframedReader implements ByteReader {
  #isOver = false

  constructor(
    private readonly reader: ByteReader,
    private readonly unframer: Unframer,
  ) {}

  async read(): ReturnType<ByteReader['read']> {
    if (this.#isOver) return { done: true }
    const { done, value } = await this.reader.read()
    if (!done) return { done: false, value: this.unframer.push(value) }
    this.#isOver = true
    return { done: false, value: this.unframer.end() }
  }

  cancel(): Promise<void> {
    return this.reader.cancel()
  }
}

/** About one or two events. */
const sliceBytes = 1024

/** Reads in short pieces, so that the beginning of a stream can be told from what arrived in the same read. Poured bytes pass unchanged. */
export class SlicedReader implements ByteReader {
  #rest: Uint8Array | null = null

  constructor(private readonly reader: ByteReader) {}

  async read(): ReturnType<ByteReader['read']> {
    const read = this.#rest ? { done: false as const, value: this.#rest } : await this.reader.read()
    this.#rest = null
    if (read.done || read.value.byteLength <= sliceBytes) return read
    this.#rest = read.value.subarray(sliceBytes)
    return { done: false, value: read.value.subarray(0, sliceBytes) }
  }

  pour(take: Take): Promise<boolean> {
    const value = this.#rest
    this.#rest = null
    return value && !take(value) ? Promise.resolve(false) : pour(this.reader, take)
  }

  cancel(): Promise<void> {
    return this.reader.cancel()
  }
}

/** What the rounds of a call have sent so far, to judge what they are said to have used. */
export interface RoundTally {
  readonly rounds: number
  /** The bytes of all requests. */
  readonly requestBytes: number
}

interface Opened {
  readonly prepared: Prepared
  readonly clocks: AttemptClocks
  /** The upstream's headers. */
  readonly headers: UpstreamResponse['headers']
  /** Milliseconds from the call's arrival to the first byte of its response. */
  readonly firstByteMs: number
  /** Set where the searches of the model are run here: what its rounds have sent so far. */
  readonly searched?: RoundTally
}

/** A response read as a whole. */
export interface WholeResponse extends Opened {
  readonly kind: 'whole'
  readonly isProven: true
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly json: JsonObject
  readonly view: AnswerView
  /** Undefined where it passes as it is. */
  readonly translated: WholeAnswer | undefined
}

/** A stream that has begun to produce content, or that the client already waits on. */
export interface StreamResponse extends Opened, StreamOpening {
  readonly kind: 'stream'
  readonly tap: StreamTap
}

/** A response that is neither JSON nor events: audio, or plain text. */
export interface BytesResponse extends Opened, BytesOpening {
  readonly kind: 'bytes'
}

/** A response that is delivered while it arrives. */
export type ArrivingResponse = StreamResponse | BytesResponse

export type OpenResponse = WholeResponse | ArrivingResponse
