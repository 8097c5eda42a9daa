/** Traces of calls. Present only where the operator set a collector. */
export interface Tracing {
  /** Null for a call that is not sampled. */
  begin(call: CallFacts): CallTrace | null
  /** Send what waits, as far as that goes in a few seconds. */
  close(): Promise<void>
}

/** Of the moment a call arrives. Nothing of who calls or what is said is ever part of a trace. */
export interface CallFacts {
  readonly request: Pick<Request, 'headers' | 'method'>
  readonly requestId: string
  /** Of the clock that never jumps. */
  readonly startedAt: number
  readonly dialect: string
  readonly mode: string
  readonly does: string
}

/** What is written down of one call, until it is over. */
export interface CallTrace {
  /** It may be served: from here on its attempts are known. */
  admitted(facts: AdmittedFacts): void
  /** A stage of the gateway's own work took this long. */
  stage(name: string, milliseconds: number): void
  /** What the next attempt sends along, where the operator wants the upstream to take part. */
  attemptHeaders(): Readonly<Record<string, string>> | null
  charged(facts: ChargedFacts): void
  /** The answer goes on after its head: the call is over with `ended`. */
  streams(): void
  /** The answer, or the head of a stream. */
  answered(status: number, errorType?: string): void
  ended(): void
}

export interface AdmittedFacts {
  readonly model: string
  readonly isStream: boolean
  /** Grows with each attempt. */
  readonly attempts: readonly AttemptFacts[]
}

export interface AttemptFacts {
  readonly channel: {
    readonly id: number
    readonly baseUrl: string
    readonly provider: { readonly id: string; readonly traceName?: string }
  }
  readonly model: string
  /** Of the clock that never jumps. */
  readonly startedAt: number
  readonly milliseconds: number
  readonly status: number
  /** Empty for the one that served. */
  readonly fault: string
}

export interface ChargedFacts {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedTokens: number
  readonly firstByteMs: number
  readonly ending: string
  /** Of the attempt that served, as the upstream names it. */
  readonly upstreamModel: string
  /** The whole answer, where there is one. */
  readonly answer?: Readonly<Record<string, unknown>>
}
