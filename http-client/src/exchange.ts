import { ResponseBody, type BodySource, type ByteReader, type Bytes } from './response-body'
import type { HeaderList, ResponseHead } from './response-head'
import type { ResponseSink } from './response-parser'
import { Cancelled, type Cancellation } from './cancellation'

/** An upstream's response, once its head is complete. */
export interface UpstreamResponse {
  readonly status: number
  readonly headers: Pick<HeaderList, 'get' | 'has'>
  readonly body: ByteReader<Bytes>
}

/** A request as it is written to the connection, in one piece or in several. */
export type Outgoing = string | Iterable<Uint8Array>

/** What an exchange needs from the connection that carries it. */
interface Carrier {
  pause(): void
  resume(): void
  destroy(): void
}

/** A request and its response: on one connection, or on a second one when the first was over before anything was sent. */
export class Exchange implements ResponseSink, BodySource {
  readonly #response = Promise.withResolvers<UpstreamResponse>()
  #body: ResponseBody | null = null
  #connection: Carrier | null = null
  #isOver = false

  constructor(
    readonly request: Outgoing,
    cancellation: Cancellation,
    /** Called when a connection takes over the exchange: from then on the upstream may read the request. */
    private readonly onStart?: () => void,
  ) {
    cancellation.onCancel(() => this.#stop())
  }

  /** @throws Error when no connection can be made, it breaks, or what comes is no HTTP; Cancelled. */
  get response(): Promise<UpstreamResponse> {
    return this.#response.promise
  }

  get isOver(): boolean {
    return this.#isOver
  }

  get hasResponse(): boolean {
    return this.#body !== null
  }

  /** Called when a connection takes over the exchange. */
  startOn(connection: Carrier): void {
    this.#connection = connection
    this.onStart?.()
  }

  head({ status, headers }: ResponseHead): void {
    this.#body = new ResponseBody(this)
    this.#response.resolve({ status, headers, body: this.#body })
  }

  body(bytes: Bytes): void {
    this.#body?.push(bytes)
  }

  end(): void {
    this.#finish()
    this.#body?.end()
  }

  fail(error: Error): void {
    if (this.#isOver) return
    this.#finish()
    this.#response.reject(error)
    this.#body?.fail(error)
  }

  pause(): void {
    this.#connection?.pause()
  }

  resume(): void {
    this.#connection?.resume()
  }

  /** Discards the rest: its connection cannot be reused. */
  cancel(): void {
    const connection = this.#connection
    this.#finish()
    connection?.destroy()
  }

  #stop() {
    const connection = this.#connection
    this.fail(new Cancelled())
    connection?.destroy()
  }

  #finish() {
    this.#isOver = true
    this.#connection = null
  }
}
