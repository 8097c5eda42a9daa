import type { StreamTap } from '@tollgate/dialects'

const noBytes = new Uint8Array()
/** Enough for transcripts, and to estimate the duration of speech. */
const maxRetainedBytes = 256 * 1024

/** Passes bytes through as they arrive, except for the last one, which is held until the call is charged. */
export class BytesTap implements StreamTap {
  events = 0
  contentEvents = 0
  isFinished = false
  readonly isDone = false
  readonly usage = null
  readonly error = null
  readonly toolCalls = 0
  readonly textBytes = 0
  readonly counter = null
  #size = 0
  #last: Uint8Array = noBytes
  readonly #retained: Uint8Array[] = []
  #retainedBytes = 0

  constructor(private readonly isText: boolean) {}

  get isEmpty(): boolean {
    return this.#size === 0
  }

  /** Bytes received. */
  get size(): number {
    return this.#size
  }

  /** Returns the first bytes received. */
  beginning(): Buffer<ArrayBuffer> {
    return Buffer.concat(this.#retained)
  }

  completionText(): string {
    return this.isText ? this.beginning().toString('utf8') : ''
  }

  push(chunk: Uint8Array): Uint8Array {
    if (chunk.byteLength === 0) return noBytes
    this.events += 1
    this.contentEvents += 1
    this.#size += chunk.byteLength
    this.#keep(chunk)
    const before = this.#last
    this.#last = chunk.slice(-1)
    return Buffer.concat([before, chunk.subarray(0, -1)])
  }

  /** The end of the transfer is the end of the response: a transfer that breaks off throws. */
  end(): void {
    this.isFinished = true
  }

  /** Such a response cannot be ended early. */
  cut(): void {}

  finish(): Uint8Array {
    const last = this.#last
    this.#last = noBytes
    return last
  }

  #keep(chunk: Uint8Array) {
    const retained = chunk.subarray(0, maxRetainedBytes - this.#retainedBytes)
    if (retained.byteLength === 0) return
    this.#retained.push(retained.slice())
    this.#retainedBytes += retained.byteLength
  }
}
