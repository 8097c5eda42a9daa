/** How an attempt failed. */
export type UpstreamFault =
  /** It responded with an error. */
  | 'refused'
  /** No connection, or it broke before a response. */
  | 'unreachable'
  /** A kept connection broke when it was reused: the upstream most likely never read the call. */
  | 'stale'
  /** The response could not be parsed. */
  | 'malformed'
  /** No connection, no beginning or no more of its response in time. */
  | 'silent'
  /** The time for the whole call ran out. */
  | 'timeout'
  /** A submission was sent and its response was lost: the upstream may have accepted it. */
  | 'unanswered'
  /** The channel is at its concurrency cap and no slot became free in time: it was not called. */
  | 'busy'
  /** The client left first. */
  | 'abandoned'

export interface UpstreamErrorDetails {
  readonly fault: UpstreamFault
  /** After the channel's status mapping. */
  readonly status: number
  /** The upstream's own message; masked before it appears anywhere but in the log. */
  readonly message: string
  readonly type?: string
  readonly code?: string
  readonly param?: string | null
  /** A body of no known shape, for rules that search for phrases; never shown. */
  readonly words?: string
  /** When it makes sense to call again, as reported by the upstream. */
  readonly retryAfterSeconds?: number
  /** It concerns the client's own account at the vendor, which it called with its own login. */
  readonly isOfClient?: boolean
  /** Keys and tokens to mask wherever the message is shown. */
  readonly secrets?: readonly string[]
  readonly cause?: unknown
}

/** An apostrophe inside a word quotes nothing. */
const quotes = /(?<!\w)'[^'\n]{0,200}'(?!\w)|"[^"\n]{0,200}"|`[^`\n]{0,200}`/g

/** One attempt's failure, before anything reached the client. Immutable: what is learned about it later makes another error. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'
  readonly fault: UpstreamFault
  readonly status: number
  readonly type: string
  readonly code: string
  readonly param: string | null
  /** Undefined when the upstream named no time. */
  readonly retryAfterSeconds: number | undefined
  /** Private, as a logger writes all that it can read: the upstream's message and our secrets. */
  readonly #details: UpstreamErrorDetails

  constructor(details: UpstreamErrorDetails) {
    super(details.message, { cause: details.cause })
    this.fault = details.fault
    this.status = details.status
    this.type = details.type ?? ''
    this.code = details.code ?? ''
    this.param = details.param ?? null
    this.retryAfterSeconds = details.retryAfterSeconds
    this.#details = details
  }

  /** The upstream's message, in whatever shape it came. Never shown. */
  get text(): string {
    return `${this.message}\n${this.#words}`
  }

  /** Returns whether the upstream's message contains this phrase, in any letter case and in whatever shape. */
  contains(phrase: string): boolean {
    return this.text.toLowerCase().includes(phrase.toLowerCase())
  }

  /** Returns whether the upstream's message matches, in whatever shape it came. */
  matches(pattern: RegExp): boolean {
    return pattern.test(this.message) || pattern.test(this.#words)
  }

  /** What the upstream says itself, in each shape it came: values that it quotes may be the caller's words. */
  get unquoted(): readonly string[] {
    return [this.message, this.#words].map((text) => text.replace(quotes, ' '))
  }

  /** Returns the same failure with another time to call again. */
  withRetryAfter(seconds: number): UpstreamError {
    return new UpstreamError({ ...this.#details, retryAfterSeconds: seconds })
  }

  /** Returns the same failure of a call with its client's own login, whose account it concerns. */
  ofClient(): UpstreamError {
    return new UpstreamError({ ...this.#details, isOfClient: true })
  }

  get isOfClient(): boolean {
    return this.#details.isOfClient === true
  }

  /** Returns the same failure of a submission that the upstream may have accepted. */
  asUnanswered(): UpstreamError {
    return new UpstreamError({ ...this.#details, fault: 'unanswered' })
  }

  /** Returns the same failure with secrets to mask, besides those it has already. */
  withSecrets(...secrets: readonly string[]): UpstreamError {
    return new UpstreamError({ ...this.#details, secrets: [...this.secrets, ...secrets] })
  }

  get secrets(): readonly string[] {
    return this.#details.secrets ?? []
  }

  get #words(): string {
    return this.#details.words ?? ''
  }
}
