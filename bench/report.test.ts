import { expect, test } from 'bun:test'

import { barTable } from './bars'
import type { Measurement } from './measure'
import type { Part } from './parts/part'
import { reportOf } from './report'
import { translatedScenarios } from './scenarios'
import { tablesOf } from './tables'

const rowOf = (text: string, start: string) => text.split('\n').find((line) => line.startsWith(`| ${start}`))

test('a bar is met, not met or not measured', () => {
  const text = barTable({
    'calls-32/Tollgate/callsPerSecond': 12_000,
    'calls-32/Tollgate/cpuPerCall': 80,
    'calls-32/nginx/cpuPerCall': 20,
    'calls-1/Tollgate/p50': 0.25,
    'calls-1/direct/p50': 0.05,
  })
  expect(rowOf(text, 'calls a second on one core')).toEndWith('| at least 10,000 | 12000 | met |')
  expect(rowOf(text, 'CPU a call against nginx')).toEndWith('| at most 6x | 4.00x | met |')
  expect(rowOf(text, 'added p50')).toEndWith('| at most 0.3 ms | 0.200 ms | met |')
  expect(rowOf(text, 'calls a second against')).toEndWith('| at least 14x | – | not measured |')
})

test('the dearest translated pair speaks for all, once all were measured', () => {
  const costs = new Map(translatedScenarios.map(({ name }, index) => [name, 1 + index / 4]))
  const frames = Object.fromEntries(
    [...costs].flatMap(([name, cost]) => [
      [`${name}/nginx/cpuPerFrame`, 1],
      [`${name}/Tollgate/cpuPerFrame`, cost],
    ]),
  )
  expect(rowOf(barTable(frames), 'CPU a frame against nginx, translated')).toContain('3.75x | not met')
  const { 'long-chat-over-gemini/nginx/cpuPerFrame': _, ...fewer } = frames
  expect(rowOf(barTable(fewer), 'CPU a frame against nginx, translated')).toContain('not measured')
})

test('what is added is told against the upstream under the same load', () => {
  const aMeasurement = (target: string, p50: number): Measurement => ({
    target,
    scenario: 'calls-1',
    calls: 1,
    failures: 0,
    callsPerSecond: 1,
    p50,
    p99: p50 * 2,
    firstTokenP50: 0,
    firstTokenP99: 0,
    lateP99: null,
    maxLate: null,
    cpuPerCall: null,
    cpuPerFrame: null,
    memory: null,
  })
  const scenario = { name: 'calls-1', title: 'one', connections: 1, isStream: false }
  const text = tablesOf([scenario], [aMeasurement('direct', 0.1), aMeasurement('Tollgate', 0.3)])
  expect(rowOf(text, 'direct')).toBe('| direct | 1 | 0.100 | 0.200 | – | – | – | – |')
  expect(rowOf(text, 'Tollgate')).toBe('| Tollgate | 1 | 0.300 | 0.600 | 0.200 | 0.400 | – | – |')
})

test('one part whose books differ voids the run', () => {
  const part: Part = { name: 'calls', title: 'Calls', about: '', run: () => Promise.reject(new Error('not run')) }
  const outcome = (wrong: string[]) => [
    { part, findings: { text: 'the table', figures: {}, verdict: { calls: 5, wrong } } },
  ]
  expect(reportOf([], outcome([]))).not.toContain('VOID')
  expect(reportOf([], outcome(['Tollgate: charges: 4 instead of 5']))).toContain('**VOID**: Tollgate: charges: 4')
})
