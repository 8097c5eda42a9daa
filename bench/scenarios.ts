import type { FixedUpstream } from '@tollgate/simulator'

import { load, quantile } from './load'
import { cpuSecondsOf, memoryOf } from './processes'
import { benchModel, type Target } from './targets'

export interface Scenario {
  readonly name: string
  readonly connections: number
  readonly isStream: boolean
}

export const scenarios: readonly Scenario[] = [
  { name: 'small JSON, 1 connection', connections: 1, isStream: false },
  { name: 'small JSON, 32 connections', connections: 32, isStream: false },
  { name: 'streams, 32 at once', connections: 32, isStream: true },
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
    request: requestFor(target, scenario),
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

function requestFor(target: Target, scenario: Scenario): Buffer {
  const body = JSON.stringify({
    model: benchModel,
    messages: [{ role: 'user', content: 'What is the capital of France, and why?' }],
    max_tokens: 100,
    stream: scenario.isStream,
  })
  return Buffer.from(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:${target.port}\r\nAuthorization: Bearer ${target.key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
