import type { FixedUpstream } from '@tollgate/simulator'

import { load, quantile } from './load'
import { cpuSecondsOf, memoryOf } from './processes'
import { requestIn, type ClientDialect } from './requests'
import type { Target } from './targets'

export interface Scenario {
  readonly name: string
  readonly connections: number
  readonly isStream: boolean
  /** What the gateway's client speaks; everything else speaks chat completions, as the upstream does. Default: that too. */
  readonly client?: ClientDialect
}

export const scenarios: readonly Scenario[] = [
  { name: 'small JSON, 1 connection', connections: 1, isStream: false },
  { name: 'small JSON, 32 connections', connections: 32, isStream: false },
  { name: 'streams, 32 at once', connections: 32, isStream: true },
  { name: 'streams, Messages over chat', connections: 32, isStream: true, client: 'anthropic-messages' },
  { name: 'streams, Responses over chat', connections: 32, isStream: true, client: 'openai-responses' },
  { name: 'streams, Gemini over chat', connections: 32, isStream: true, client: 'gemini' },
]

/** One target under one scenario. Times in milliseconds, CPU in microseconds, memory in megabytes. */
export interface Measurement {
  readonly target: string
  readonly scenario: string
  readonly calls: number
  readonly failures: number
  readonly callsPerSecond: number
  readonly p50: number
  readonly p99: number
  readonly firstByteP50: number
  readonly firstByteP99: number
  readonly cpuPerCall: number
  /** Streams only. */
  readonly cpuPerFrame: number | null
  readonly memory: number
}

const warmUpMs = 500
const mostCalls = 2_000_000

/** Warm up, then measure. Every call counts for the ledger, warm-up included. */
export async function measure(
  target: Target,
  scenario: Scenario,
  upstream: FixedUpstream,
  milliseconds: number,
): Promise<Measurement> {
  const options = {
    port: target.port,
    connections: scenario.connections,
    request: requestIn(
      target.translates ? (scenario.client ?? 'openai-chat') : 'openai-chat',
      target,
      scenario.isStream,
    ),
    mostCalls,
  }
  const warmUp = await load({ ...options, milliseconds: warmUpMs })
  const processIds = target.processIds()
  const cpuBefore = cpuSecondsOf(processIds)
  const result = await load({ ...options, milliseconds })
  const cpuMicroseconds = (cpuSecondsOf(processIds) - cpuBefore) * 1e6
  return {
    target: target.name,
    scenario: scenario.name,
    calls: result.calls + warmUp.calls,
    failures: result.failures + warmUp.failures,
    callsPerSecond: result.calls / result.seconds,
    p50: quantile(result.latencies, 0.5),
    p99: quantile(result.latencies, 0.99),
    firstByteP50: quantile(result.firstBytes, 0.5),
    firstByteP99: quantile(result.firstBytes, 0.99),
    cpuPerCall: cpuMicroseconds / result.calls,
    cpuPerFrame: scenario.isStream ? cpuMicroseconds / result.calls / upstream.framesPerStream : null,
    memory: memoryOf(processIds),
  }
}
