import type { Logger } from 'pino'

import type { TraceSettings } from '../../config/config'
import { randomHex, type Random } from '../../random'
import type { Clock } from '../../time/clock'
import type { Timers } from '../../time/timers'
import { callSpans, type CallRecord } from './call-spans'
import { Exporter } from './exporter'
import { otlpBody, type Span } from './otlp'
import type { AdmittedFacts, CallFacts, CallTrace, ChargedFacts, Tracing } from './tracing'

export interface TracingOptions {
  readonly settings: TraceSettings
  readonly workerId: string
  readonly version: string
  readonly clock: Clock
  readonly timers: Timers
  readonly random: Random
  readonly log: Logger
  readonly onDropped: (count: number) => void
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
}

export function createTracing({ settings, workerId, version, clock, random, ...options }: TracingOptions): Tracing {
  const resource = {
    'service.name': settings.serviceName,
    'service.version': version,
    'service.instance.id': workerId,
    'telemetry.sdk.name': 'tollgate',
    'telemetry.sdk.language': 'nodejs',
    'telemetry.sdk.version': version,
  }
  const exporter = new Exporter({
    ...options,
    url: settings.url,
    headers: settings.headers,
    intervalMs: settings.intervalMs,
    encode: (spans) => otlpBody(spans, resource, version),
  })
  const isSampled = createSampler(settings)
  return {
    begin(facts) {
      const parent = traceContextIn(facts.request.headers.get('traceparent'))
      const traceId = parent?.traceId ?? newTraceId(random)
      if (!isSampled(traceId, parent)) return null
      return new RunningTrace(facts, traceId, parent?.spanId ?? '', {
        clock,
        random,
        goesUpstream: settings.goesUpstream,
        export: (spans) => exporter.add(spans),
      })
    },
    close: () => exporter.close(),
  }
}

interface Services {
  readonly clock: Clock
  readonly random: Random
  readonly goesUpstream: boolean
  readonly export: (spans: readonly Span[]) => void
}

/** Collects facts, and creates its spans at the end: nothing is built while the client waits. */
class RunningTrace implements CallTrace {
  readonly #spanId: string
  readonly #epochMs: number
  readonly #attemptSpanIds: string[] = []
  readonly #stages: Record<string, number> = {}
  #admitted: AdmittedFacts | null = null
  #charged: ChargedFacts | null = null
  #status = 0
  #errorType: string | undefined
  #isStreaming = false
  #isOver = false

  constructor(
    private readonly facts: CallFacts,
    private readonly traceId: string,
    private readonly parentSpanId: string,
    private readonly services: Services,
  ) {
    this.#spanId = newSpanId(services.random)
    this.#epochMs = services.clock.now() - services.clock.monotonic()
  }

  recordAdmission(facts: AdmittedFacts): void {
    this.#admitted = facts
  }

  stage(name: string, milliseconds: number): void {
    this.#stages[name] = (this.#stages[name] ?? 0) + milliseconds
  }

  attemptHeaders(): Readonly<Record<string, string>> | null {
    if (!this.services.goesUpstream) return null
    const spanId = newSpanId(this.services.random)
    this.#attemptSpanIds.push(spanId)
    return { traceparent: traceparent(this.traceId, spanId) }
  }

  recordCharge(facts: ChargedFacts): void {
    this.#charged = facts
    if (facts.ending !== 'complete') this.#errorType ??= facts.ending
  }

  streams(): void {
    this.#isStreaming = true
  }

  recordResponse(status: number, errorType?: string): void {
    this.#status = status
    this.#errorType ??= errorType
    if (!this.#isStreaming) this.end()
    // A client that left before its response began.
    else if (this.#isOver) this.#export()
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    if (this.#status !== 0) this.#export()
  }

  #export() {
    const { random, clock } = this.services
    const attempts = this.#admitted?.attempts.length ?? 0
    while (this.#attemptSpanIds.length < attempts) this.#attemptSpanIds.push(newSpanId(random))
    const record: CallRecord = {
      facts: this.facts,
      traceId: this.traceId,
      spanId: this.#spanId,
      parentSpanId: this.parentSpanId,
      attemptSpanIds: this.#attemptSpanIds,
      admitted: this.#admitted,
      charged: this.#charged,
      stages: this.#stages,
      status: this.#status,
      errorType: this.#errorType,
      endedAt: clock.monotonic(),
      epochMs: this.#epochMs,
    }
    this.services.export(callSpans(record))
  }
}

/** Returns whether a call is traced: a new trace by its id alone, a caller's as the caller decided. */
type Sampler = (traceId: string, parent: TraceContext | null) => boolean

/** https://opentelemetry.io/docs/languages/sdk-configuration/general/#otel_traces_sampler */
export function createSampler({ sampler, share }: Pick<TraceSettings, 'sampler' | 'share'>): Sampler {
  const isBelow = (traceId: string) => Number.parseInt(traceId.slice(-13), 16) < share * 16 ** 13
  const decide: Record<string, (traceId: string) => boolean> = {
    always_on: () => true,
    always_off: () => false,
    traceidratio: isBelow,
  }
  const root = decide[sampler.replace('parentbased_', '')] ?? (() => true)
  if (!sampler.startsWith('parentbased_')) return root
  return (traceId, parent) => (parent ? parent.isSampled : root(traceId))
}

/** Which trace a call belongs to. https://www.w3.org/TR/trace-context/ */
interface TraceContext {
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
  const digits = randomHex(random, length)
  return /^0+$/.test(digits) ? hex(random, length) : digits
}
