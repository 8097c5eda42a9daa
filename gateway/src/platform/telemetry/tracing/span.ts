export type AttributeValue = string | number | boolean | readonly string[]
/** What is not known is undefined and left out. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>

/** A finished span. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  /** Empty for the first of a trace. */
  readonly parentSpanId: string
  readonly name: string
  readonly kind: 'server' | 'client'
  /** Milliseconds since 1970. */
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Attributes
  readonly isError: boolean
}
