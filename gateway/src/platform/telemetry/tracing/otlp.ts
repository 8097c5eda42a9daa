const kinds = { server: 2, client: 3 } as const
const errorStatus = 2
/** A span of a sampled trace. */
const sampledFlag = 1

/** Returns spans as OTLP/HTTP carries them in JSON. https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
export const otlpBody = (spans: readonly Span[], resource: Attributes, version: string): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributeList(resource) },
        scopeSpans: [{ scope: { name: 'tollgate', version }, spans: spans.map(otlpSpan) }],
      },
    ],
  })

const otlpSpan = (span: Span) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentSpanId !== '' && { parentSpanId: span.parentSpanId }),
  flags: sampledFlag,
  name: span.name,
  kind: kinds[span.kind],
  startTimeUnixNano: nanoseconds(span.startMs),
  endTimeUnixNano: nanoseconds(Math.max(span.startMs, span.endMs)),
  attributes: attributeList(span.attributes),
  status: span.isError ? { code: errorStatus } : {},
})

/** As digits: nanoseconds since 1970 exceed the safe integers. */
function nanoseconds(milliseconds: number): string {
  const whole = Math.floor(milliseconds)
  return `${whole}${String(Math.floor((milliseconds - whole) * 1e6)).padStart(6, '0')}`
}

const attributeList = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: attributeValue(value) }],
  )

function attributeValue(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value !== 'number') return { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

type AttributeValue = string | number | boolean | readonly string[]
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
