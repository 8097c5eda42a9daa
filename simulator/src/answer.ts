import type { Framing } from './wire'

/** What a dialect answers, before time, network and faults get hold of it. */
export type Answer = WholeAnswer | StreamAnswer

export interface WholeAnswer {
  readonly kind: 'whole'
  readonly status: number
  readonly body: unknown
  readonly counted: Counted | null
  readonly answerId: string | null
  readonly headers?: Readonly<Record<string, string>>
}

export interface StreamAnswer {
  readonly kind: 'stream'
  readonly events: readonly StreamEvent[]
  /** The event that ends the stream in this dialect. */
  readonly last: StreamEvent | null
  readonly counted: Counted
  readonly answerId: string
  readonly headers?: Readonly<Record<string, string>>
  /** Default: server-sent events. */
  readonly framing?: Framing
}

export interface StreamEvent {
  /** The `event:` line, in dialects that have one. */
  readonly name?: string
  /** JSON text, or the bare text of a terminator. */
  readonly data: string
  /** An exception, in framings that tell it apart. */
  readonly isException?: boolean
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
  answerId: string | null = null,
  status = 200,
): WholeAnswer => ({
  kind: 'whole',
  status,
  body,
  counted,
  answerId,
})
