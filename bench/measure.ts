import type { Lab } from './lab'
import { load, type LoadResult } from './load'
import type { LoadOptions } from './load-run'
import { memoryOf, startCpuClock } from './processes'
import { quantile } from './quantile'
import { ownDialect, requestTo } from './requests'
import type { Pair, Scenario } from './scenarios'
import type { Target } from './targets'

/** One target under one scenario. Times in milliseconds, CPU in microseconds, memory in megabytes. */
export interface Measurement {
  readonly target: string
  readonly scenario: string
  readonly calls: number
  readonly failures: number
  readonly callsPerSecond: number
  readonly p50: number
  readonly p99: number
  readonly firstTokenP50: number
  readonly firstTokenP99: number
  /** Streams only: how late frames came against the upstream's pace. */
  readonly lateP99: number | null
  readonly maxLate: number | null
  /** Null where the target has no process of its own. */
  readonly cpuPerCall: number | null
  readonly cpuPerFrame: number | null
  readonly memory: number | null
}

const warmUpMs = 500
const firstWarmUpMs = 6000
const shortResponse = 40
const maxCalls = 2_000_000
const defaultGapMs = 4
const concurrentPauseMs = 200

/**
 * Let each target run long enough that its code is compiled: calls, and streams as each scenario asks for them. Answers are
 * short, so that they begin and end often.
 */
export async function warmUp(lab: Lab, scenarios: readonly Pair[] = [{}]): Promise<void> {
  const { tokens } = lab.upstream
  lab.upstream.tokens = Math.min(tokens, shortResponse)
  for (const target of lab.targets) {
    const streams = scenarios.map(({ client, upstream }) => requestFor(target, { client, upstream, isStream: true }))
    const all = [requestFor(target, { isStream: false }), ...streams]
    for (const request of new Map(all.map((one) => [one.toString('latin1'), one])).values()) {
      const options = {
        port: target.port,
        connections: 32,
        request,
        milliseconds: firstWarmUpMs / 2,
        maxCalls,
      }
      await lab.count(target, () => load(options))
    }
  }
  lab.upstream.tokens = tokens
}

/** Warm up, then measure. Every call counts for the ledger, warm-up included. */
export async function measure(
  lab: Lab,
  target: Target,
  scenario: Scenario,
  milliseconds: number,
): Promise<Measurement> {
  const gapMs = scenario.gapMs ?? defaultGapMs
  const { tokens, served } = lab.upstream
  const options = {
    port: target.port,
    connections: scenario.connections,
    request: requestFor(target, scenario),
    maxCalls,
    paceMs: scenario.isStream ? gapMs : undefined,
    spreadMs: scenario.isSpread ? gapMs * tokens : 0,
  }
  // A stream of the warm-up fits into it.
  lab.upstream.gapMs = Math.min(gapMs, Math.floor(warmUpMs / tokens))
  const before = await lab.count(target, () => load({ ...options, milliseconds: warmUpMs }))
  lab.upstream.gapMs = gapMs
  const framesBefore = served.frames
  const processIds = target.processIds()
  const clock = startCpuClock(processIds)
  const result = await lab.count(target, () => withCompany(target, scenario, { ...options, milliseconds }))
  const cpu = processIds.length === 0 ? null : clock.microseconds
  const frames = served.frames - framesBefore
  const cpuPerCall = cpu === null || scenario.concurrent ? null : cpu / result.calls
  return {
    target: target.name,
    scenario: scenario.name,
    calls: result.calls + before.calls,
    failures: result.failures + before.failures,
    callsPerSecond: result.calls / result.seconds,
    p50: quantile(result.latencies, 0.5),
    p99: quantile(result.latencies, 0.99),
    firstTokenP50: quantile(result.firstTokens, 0.5),
    firstTokenP99: quantile(result.firstTokens, 0.99),
    lateP99: scenario.isStream ? quantile(result.lateness, 0.99) : null,
    maxLate: scenario.isStream ? quantile(result.lateness, 1) : null,
    cpuPerCall,
    cpuPerFrame: frames === 0 || cpuPerCall === null ? null : (cpuPerCall * result.calls) / frames,
    memory: cpu === null ? null : memoryOf(processIds),
  }
}

/** What a client of this target sends. */
export const requestFor = (
  target: Target,
  { client = ownDialect, upstream = ownDialect, isStream, size }: Pair & Pick<Scenario, 'isStream' | 'size'>,
): Buffer => requestTo(target, { dialect: target.translates ? client : upstream, upstream, isStream, size })

/** The load, with large calls beside it where the scenario has them; their failures count, nothing else of them. */
async function withCompany(
  target: Target,
  { concurrent: concurrentSize }: Scenario,
  options: LoadOptions,
): Promise<LoadResult> {
  if (!concurrentSize) return load(options)
  const large = requestTo(target, { dialect: ownDialect, isStream: false, size: concurrentSize })
  const [result, company] = await Promise.all([
    load(options),
    load({ ...options, connections: 1, request: large, paceMs: undefined, pauseMs: concurrentPauseMs }),
  ])
  return { ...result, failures: result.failures + company.failures }
}
