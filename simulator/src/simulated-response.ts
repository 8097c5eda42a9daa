import type { Framing, StreamEvent } from './wire'

/** What a dialect answers, before time, network and faults get hold of it. */
export type SimulatedResponse = WholeResponse | StreamResponse

export interface WholeResponse {
  readonly kind: 'whole'
  readonly status: number
  /** Sent as JSON unless it is a buffer. */
  readonly body: unknown
  readonly counted: Counted | null
  readonly responseId: string | null
  readonly headers?: Readonly<Record<string, string>>
}

export interface StreamResponse {
  readonly kind: 'stream'
  readonly events: readonly StreamEvent[]
  /** The event that ends the stream in this dialect. */
  readonly last: StreamEvent | null
  readonly counted: Counted
  readonly responseId: string
  readonly headers?: Readonly<Record<string, string>>
  /** Default: server-sent events. */
  readonly framing?: Framing
}

/** The tokens of one answer, and the usage as it stands on the wire. */
export interface Counted {
  readonly promptTokens: number
  readonly completionTokens: number
  /** `undefined`: withheld. */
  readonly reported: unknown
}

export const whole = (
  body: unknown,
  counted: Counted | null = null,
  responseId: string | null = null,
  status = 200,
): WholeResponse => ({
  kind: 'whole',
  status,
  body,
  counted,
  responseId,
})

/** The request is not what the vendor takes: answered with an error as the dialect writes it. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly type = 'invalid_request_error',
    readonly code: string | null = null,
  ) {
    super(message)
  }
}
