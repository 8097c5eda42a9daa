import type { DialectId, Usage } from '@tollgate/dialects'
import { Counter, Histogram, Registry } from 'prom-client'

/** A part of the gateway's own work on a call, apart from what the upstream takes. */
export type Stage = 'admit' | 'prepare' | 'settle'

/** What a worker counts. Nothing is labelled by user, key, model or channel: such labels grow without bound. */
export interface Metrics {
  /** A call was answered, or its stream begun. */
  answered(dialect: DialectId, status: number, milliseconds: number): void
  /** The gateway's own time in a stage. */
  spent(stage: Stage, milliseconds: number): void
  /** How an attempt at a channel went: `served`, or what was wrong. */
  attempted(outcome: string): void
  /** From the call's arrival to the first byte of its answer. */
  firstByte(milliseconds: number): void
  charged(usage: Usage, quota: number): void
  readonly registry: Registry
}

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const calls = new Counter({
    name: 'tollgate_calls_total',
    help: 'Answered calls by the dialect of the caller and the class of the status.',
    labelNames: ['dialect', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'tollgate_call_seconds',
    help: 'From the arrival of a call to its whole answer, or to the first byte of its stream.',
    labelNames: ['dialect'],
    buckets: seconds,
    registers,
  })
  const stages = new Histogram({
    name: 'tollgate_overhead_seconds',
    help: 'The own time of the gateway by stage: admit (until the quota is reserved), prepare (until the upstream is asked), settle (charge).',
    labelNames: ['stage'],
    buckets: [0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, ...seconds],
    registers,
  })
  const attempts = new Counter({
    name: 'tollgate_upstream_attempts_total',
    help: 'Attempts at channels by how they went.',
    labelNames: ['outcome'],
    registers,
  })
  const firstBytes = new Histogram({
    name: 'tollgate_first_byte_seconds',
    help: 'From the arrival of a call to the first byte of its upstream’s answer.',
    buckets: seconds,
    registers,
  })
  const tokens = new Counter({
    name: 'tollgate_tokens_total',
    help: 'Charged tokens. Cached ones are part of the prompt, reasoning is part of the completion.',
    labelNames: ['kind'],
    registers,
  })
  const quota = new Counter({ name: 'tollgate_charged_quota_total', help: 'Charged quota.', registers })
  const charges = new Counter({ name: 'tollgate_charges_total', help: 'Charged calls.', registers })

  const callsOf = remembered((key: string) => {
    const [dialect = '', status = ''] = key.split(' ')
    return calls.labels(dialect, status)
  })
  const durationOf = remembered((dialect: string) => durations.labels(dialect))
  const stageOf = remembered((stage: string) => stages.labels(stage))
  const attemptsOf = remembered((outcome: string) => attempts.labels(outcome))
  const tokensOf = remembered((kind: string) => tokens.labels(kind))

  return {
    answered(dialect, status, milliseconds) {
      callsOf(`${dialect} ${Math.floor(status / 100)}xx`).inc()
      durationOf(dialect).observe(milliseconds / 1000)
    },
    spent: (stage, milliseconds) => stageOf(stage).observe(milliseconds / 1000),
    attempted: (outcome) => attemptsOf(outcome).inc(),
    firstByte: (milliseconds) => firstBytes.observe(milliseconds / 1000),
    charged(usage, cost) {
      charges.inc()
      quota.inc(cost)
      tokensOf('prompt').inc(usage.promptTokens)
      tokensOf('completion').inc(usage.completionTokens)
      if (usage.cachedTokens > 0) tokensOf('cached').inc(usage.cachedTokens)
      if (usage.reasoningTokens > 0) tokensOf('reasoning').inc(usage.reasoningTokens)
    },
    registry,
  }
}

/** The labelled child of a metric, looked up once: hashing labels costs more than counting. */
function remembered<Child>(make: (key: string) => Child): (key: string) => Child {
  const known = new Map<string, Child>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = make(key)
    known.set(key, made)
    return made
  }
}
