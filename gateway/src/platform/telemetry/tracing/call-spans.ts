import type { Attributes, Span } from './otlp'
import type { AdmittedFacts, AttemptFacts, CallFacts, ChargedFacts } from './tracing'

/** Everything recorded about a finished call. */
export interface CallRecord {
  readonly facts: CallFacts
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  /** One for each attempt, in order. */
  readonly attemptSpanIds: readonly string[]
  readonly admitted: AdmittedFacts | null
  readonly charged: ChargedFacts | null
  readonly stages: Readonly<Record<string, number>>
  readonly status: number
  readonly errorType: string | undefined
  /** Monotonic milliseconds. */
  readonly endedAt: number
  /** The difference between the spans' clock and the monotonic one. */
  readonly epochMs: number
}

/** https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/ names the known ones; other modes keep their own names. */
const operations: Readonly<Record<string, string>> = { completions: 'text_completion' }

function operationOf({ dialect, mode, kind }: CallFacts): string {
  if (kind === 'count') return 'count_tokens'
  if (dialect === 'gemini') return 'generate_content'
  return operations[mode] ?? mode.replaceAll('-', '_')
}

/** Returns one span for the call, then one for each attempt at a channel. */
export function callSpans(record: CallRecord): Span[] {
  const attempts = record.admitted?.attempts ?? []
  return [serverSpan(record, attempts), ...attempts.map((attempt, index) => attemptSpan(record, attempt, index))]
}

function serverSpan(record: CallRecord, attempts: readonly AttemptFacts[]): Span {
  const { facts, admitted, charged, status, errorType } = record
  const operation = operationOf(facts)
  const { model, finishReasons } = readResponseFacts(charged?.responseBody)
  return {
    ...timesOf(record, facts.startedAt, record.endedAt),
    spanId: record.spanId,
    parentSpanId: record.parentSpanId,
    name: admitted ? `${operation} ${admitted.model}` : operation,
    kind: 'server',
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': providerName(attempts.at(-1)),
      'gen_ai.request.model': admitted?.model,
      'gen_ai.request.stream': admitted?.isStream,
      'gen_ai.response.model': model,
      'gen_ai.response.finish_reasons': finishReasons,
      'gen_ai.response.time_to_first_chunk': charged && admitted?.isStream ? charged.firstByteMs / 1000 : undefined,
      'gen_ai.usage.input_tokens': charged?.inputTokens,
      'gen_ai.usage.output_tokens': charged?.outputTokens,
      'gen_ai.usage.cache_read.input_tokens': charged?.cachedTokens || undefined,
      'http.request.method': facts.request.method,
      'http.response.status_code': status,
      'error.type': errorType,
      'tollgate.request_id': facts.requestId,
      'tollgate.dialect': facts.dialect,
      'tollgate.attempts': attempts.length,
      ...stageAttributes(record.stages),
    },
    isError: status >= 500 || charged?.ending === 'broken',
  }
}

/** Usage is only recorded on the call, so that a sum over spans counts it once. */
function attemptSpan(record: CallRecord, attempt: AttemptFacts, index: number): Span {
  const { facts, admitted, charged, attemptSpanIds } = record
  const operation = operationOf(facts)
  const isServing = attempt.fault === ''
  const model = isServing && charged ? charged.upstreamModel : attempt.model
  const isWhole = !isServing || !admitted?.isStream
  const errorType = isServing ? broken(charged) : attempt.fault
  return {
    ...timesOf(record, attempt.startedAt, isWhole ? attempt.startedAt + attempt.milliseconds : record.endedAt),
    spanId: attemptSpanIds[index] ?? '',
    parentSpanId: record.spanId,
    name: `${operation} ${model}`,
    kind: 'client',
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': providerName(attempt),
      'gen_ai.request.model': model,
      ...serverOf(attempt.channel.baseUrl),
      'http.response.status_code': attempt.status,
      'error.type': errorType,
      'tollgate.channel.id': attempt.channel.id,
      'tollgate.attempt': index + 1,
    },
    isError: errorType !== undefined,
  }
}

const broken = (charged: ChargedFacts | null) => (charged?.ending === 'broken' ? 'broken' : undefined)

const timesOf = ({ traceId, epochMs }: CallRecord, from: number, to: number) => ({
  traceId,
  startMs: epochMs + from,
  endMs: epochMs + to,
})

const providerName = (attempt: AttemptFacts | undefined) =>
  attempt && (attempt.channel.provider.traceName ?? attempt.channel.provider.id)

const stageAttributes = (stages: Readonly<Record<string, number>>): Attributes =>
  Object.fromEntries(
    Object.entries(stages).map(([name, milliseconds]) => [`tollgate.overhead.${name}_ms`, milliseconds]),
  )

/** Returns the host of a channel, without path, query or credentials of its address. */
function serverOf(baseUrl: string): Attributes {
  if (!URL.canParse(baseUrl)) return {}
  const { hostname, port, protocol } = new URL(baseUrl)
  return { 'server.address': hostname, 'server.port': Number(port) || (protocol === 'http:' ? 80 : 443) }
}

type Members = Readonly<Record<string, unknown>>

/** What a response of any dialect says about itself. */
interface ResponseFacts {
  readonly model?: string
  readonly finishReasons?: readonly string[]
}

const maxNameLength = 255

/** Returns the model that responded and the finish reason, where the response has them. No content is read. */
function readResponseFacts(responseBody: Members | undefined): ResponseFacts {
  if (!responseBody) return {}
  const reasons = [
    ...listOf(responseBody['choices']).map((choice) => choice['finish_reason']),
    ...listOf(responseBody['candidates']).map((candidate) => candidate['finishReason']),
    responseBody['stop_reason'],
  ].flatMap(nameIn)
  const [model] = [responseBody['model'], responseBody['modelVersion']].flatMap(nameIn)
  return { model, ...(reasons.length > 0 && { finishReasons: reasons }) }
}

const nameIn = (value: unknown): string[] =>
  typeof value === 'string' && value !== '' ? [value.slice(0, maxNameLength)] : []

const listOf = (value: unknown): Members[] => (Array.isArray(value) ? value.filter(isMembers) : [])

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null
