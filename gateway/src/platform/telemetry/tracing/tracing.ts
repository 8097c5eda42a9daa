/** Traces of calls. Present only where the operator configured a collector. */
export interface Tracing {
  /** Returns null for a call that is not sampled. */
  begin(call: CallFacts): CallTrace | null
  /** Sends what is queued, as far as possible in a few seconds. */
  close(): Promise<void>
}

/** The facts when a call arrives. Callers and conversations are never part of a trace. */
export interface CallFacts {
  readonly request: Pick<Request, 'headers' | 'method'>
  readonly requestId: string
  /** Monotonic milliseconds. */
  readonly startedAt: number
  readonly dialect: string
  readonly mode: string
  readonly kind: string
}

/** What is recorded about one call, until it is over. */
export interface CallTrace {
  /** Called when it may be served: from here on its attempts are known. */
  recordAdmission(facts: AdmittedFacts): void
  /** Records the duration of a stage of the gateway's own work. */
  stage(name: string, milliseconds: number): void
  /** Returns the headers of the next attempt, where the operator wants the trace propagated. */
  attemptHeaders(): Readonly<Record<string, string>> | null
  recordCharge(facts: ChargedFacts): void
  /** The response continues after its head: the call is over with `ended`. */
  streams(): void
  /** Called with the response, or the head of a stream. */
  recordResponse(status: number, errorType?: string): void
  end(): void
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
  /** Monotonic milliseconds. */
  readonly startedAt: number
  readonly milliseconds: number
  readonly status: number
  /** Empty for the attempt that served. */
  readonly fault: string
}

export interface ChargedFacts {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedTokens: number
  readonly firstByteMs: number
  readonly ending: string
  /** The upstream's name for the model, of the attempt that served. */
  readonly upstreamModel: string
  /** The whole response, where there is one. */
  readonly responseBody?: Readonly<Record<string, unknown>>
}
