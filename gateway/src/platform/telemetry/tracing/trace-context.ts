import type { Random } from '../../random'

/** Which trace a call belongs to. https://www.w3.org/TR/trace-context/ */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** The caller's span, 16 digits. */
  readonly spanId: string
  readonly isSampled: boolean
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Parses a `traceparent` header; null when it is not usable. */
export function traceContextIn(header: string | null): TraceContext | null {
  const [, version = '', traceId = '', spanId = '', flags = '', more] = form.exec(header?.trim() ?? '') ?? []
  if (version === '' || version === 'ff' || (version === '00' && more !== undefined)) return null
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** Returns the header that makes a span the parent of what its reader does. */
export const traceparent = (traceId: string, spanId: string): string => `00-${traceId}-${spanId}-01`

export const newTraceId = (random: Random): string => hex(random, 16)
export const newSpanId = (random: Random): string => hex(random, 8)

function hex(random: Random, length: number): string {
  const digits = Buffer.from(random.bytes(length)).toString('hex')
  return /^0+$/.test(digits) ? hex(random, length) : digits
}
