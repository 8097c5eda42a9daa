/** How an attempt went wrong. */
export type UpstreamFault =
  /** It answered with an error. */
  | 'refused'
  /** No connection, or it broke before an answer. */
  | 'unreachable'
  /** A kept connection broke as it was used again: the upstream most likely never read the call. */
  | 'stale'
  /** An answer that is none. */
  | 'malformed'
  /** No connection, no beginning or no more of its answer in time. */
  | 'silent'
  /** The time for the whole call ran out. */
  | 'timeout'
  /** As many calls as the channel takes are under way, and no place was free in time: it was not asked. */
  | 'busy'
  /** The client left first. */
  | 'abandoned'

export interface UpstreamErrorDetails {
  readonly fault: UpstreamFault
  /** After the channel's status mapping. */
  readonly status: number
  /** The upstream's own words; masked before anyone but the log sees them. */
  readonly message: string
  readonly type?: string
  readonly code?: string
  readonly param?: string | null
  /** A body of no known shape, for rules that look for phrases; never shown. */
  readonly words?: string
  readonly retryAfterSeconds?: number
  readonly cause?: unknown
}

/** One attempt's failure, before anything reached the client. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'
  readonly fault: UpstreamFault
  readonly status: number
  readonly type: string
  readonly code: string
  readonly param: string | null
  #retryAfterSeconds: number | undefined
  /** Out of the reach of loggers, as the secrets. */
  readonly #words: string
  #secrets: readonly string[] = []

  constructor(details: UpstreamErrorDetails) {
    super(details.message, { cause: details.cause })
    this.fault = details.fault
    this.status = details.status
    this.type = details.type ?? ''
    this.code = details.code ?? ''
    this.param = details.param ?? null
    this.#retryAfterSeconds = details.retryAfterSeconds
    this.#words = details.words ?? ''
  }

  /** Returns whether the upstream wrote this phrase, in any letter case and in whatever shape. */
  says(phrase: string): boolean {
    return `${this.message}\n${this.#words}`.toLowerCase().includes(phrase.toLowerCase())
  }

  /** Returns whether the upstream's words match, in whatever shape they came. */
  matches(pattern: RegExp): boolean {
    return pattern.test(this.message) || pattern.test(this.#words)
  }

  /** When it makes sense to call again; undefined when nobody said. */
  get retryAfterSeconds(): number | undefined {
    return this.#retryAfterSeconds
  }

  /** Somebody else may serve earlier than the upstream said. */
  comeBackWithin(seconds: number): void {
    if (this.#retryAfterSeconds !== undefined) this.#retryAfterSeconds = Math.min(this.#retryAfterSeconds, seconds)
  }

  /** Keeps these out of what is shown of its message, besides those it was given before. */
  hide(...secrets: readonly string[]): void {
    this.#secrets = [...this.#secrets, ...secrets]
  }

  get secrets(): readonly string[] {
    return this.#secrets
  }
}
