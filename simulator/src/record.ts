import type { Counted } from './simulated-response'

export type Outcome = 'open' | 'completed' | 'aborted' | 'broken'

/** Everything about one request, kept for assertions and for reconciling money. */
export interface RecordedRequest {
  /** 1 for the first request since the start or the last reset. */
  readonly number: number
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The parsed body; `undefined` when it is no JSON. */
  readonly json: unknown
  /** From `Authorization`, `api-key`, `x-api-key`, `x-goog-api-key` or the query; empty without one. */
  readonly apiKey: string
  /** From the header that carries the caller's request id; empty without one. */
  readonly requestId: string
  readonly model: string
  readonly isStream: boolean
  /** Status of the response; 0 until there is one. */
  status: number
  /** The `id` inside the answer, by which a client's copy is found again. */
  responseId: string | null
  /** What the answer says it used. Null: nothing that costs, or an error. */
  counted: Counted | null
  /** The same of an answer that an error replaced after it had told of its prompt; else null. */
  started: Counted | null
  /** Bytes of the answer's body that the network took. */
  bytesDelivered: number
  framesDelivered: number
  /** Nothing more is sent, and the connection stays open. */
  isStalled: boolean
  /** `broken`: a fault ended it. `aborted`: the client went first. */
  outcome: Outcome
  /** Milliseconds of a clock that never jumps. */
  readonly startedAt: number
  endedAt: number | null
  /** Resolves with the outcome when the exchange is over. */
  readonly ended: Promise<Outcome>
}

export interface Totals {
  requests: number
  completed: number
  aborted: number
  broken: number
  /** Prompt tokens of completed responses. */
  promptTokens: number
  completionTokens: number
  /** Bytes delivered by all responses. */
  bytesDelivered: number
}

export const noTotals = (): Totals => ({
  requests: 0,
  completed: 0,
  aborted: 0,
  broken: 0,
  promptTokens: 0,
  completionTokens: 0,
  bytesDelivered: 0,
})

/** Sums of what was served, by API key and by the caller's request id. */
export class Served {
  readonly total: Totals = noTotals()
  readonly #byKey = new Map<string, Totals>()
  readonly #byRequestId = new Map<string, Totals>()

  byKey(apiKey: string): Totals {
    return this.#byKey.get(apiKey) ?? noTotals()
  }

  byRequestId(requestId: string): Totals {
    return this.#byRequestId.get(requestId) ?? noTotals()
  }

  add(request: RecordedRequest): void {
    addTo(this.total, request)
    addTo(entryOf(this.#byKey, request.apiKey), request)
    if (request.requestId !== '') addTo(entryOf(this.#byRequestId, request.requestId), request)
  }

  clear(): void {
    Object.assign(this.total, noTotals())
    this.#byKey.clear()
    this.#byRequestId.clear()
  }
}

function entryOf(totals: Map<string, Totals>, key: string): Totals {
  const known = totals.get(key)
  if (known) return known
  const fresh = noTotals()
  totals.set(key, fresh)
  return fresh
}

function addTo(totals: Totals, request: RecordedRequest): void {
  totals.requests += 1
  totals.bytesDelivered += request.bytesDelivered
  if (request.outcome === 'aborted') totals.aborted += 1
  if (request.outcome === 'broken') totals.broken += 1
  if (request.outcome !== 'completed') return
  totals.completed += 1
  totals.promptTokens += request.counted?.promptTokens ?? 0
  totals.completionTokens += request.counted?.completionTokens ?? 0
}
