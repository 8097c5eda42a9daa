import type { Measurement } from './scenarios'

/** The rounds of one target under one scenario as their mean. */
export function meanOf(rounds: readonly Measurement[]): Measurement {
  const [first] = rounds
  if (!first) throw new Error('Nothing was measured')
  const mean = (pick: (round: Measurement) => number) =>
    rounds.reduce((sum, round) => sum + pick(round), 0) / rounds.length
  return {
    ...first,
    calls: rounds.reduce((sum, round) => sum + round.calls, 0),
    failures: rounds.reduce((sum, round) => sum + round.failures, 0),
    callsPerSecond: mean((round) => round.callsPerSecond),
    p50: mean((round) => round.p50),
    p99: mean((round) => round.p99),
    firstByteP50: mean((round) => round.firstByteP50),
    firstByteP99: mean((round) => round.firstByteP99),
    cpuPerCall: mean((round) => round.cpuPerCall),
    cpuPerFrame: first.cpuPerFrame === null ? null : mean((round) => round.cpuPerFrame ?? 0),
    memory: Math.max(...rounds.map((round) => round.memory)),
  }
}

/** The means as a table in Markdown, a block for each scenario. */
export function markdown(means: readonly Measurement[]): string {
  const head =
    '| | calls/s | p50 ms | p99 ms | first byte p50 | first byte p99 | CPU µs/call | CPU µs/frame | memory MB |\n' +
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|'
  const names = [...new Set(means.map((mean) => mean.scenario))]
  return names
    .map((name) => {
      const rows = means.filter((mean) => mean.scenario === name).map(rowOf)
      return `### ${name}\n\n${head}\n${rows.join('\n')}`
    })
    .join('\n\n')
}

function rowOf(mean: Measurement): string {
  const isMeasured = mean.memory > 0
  const cells = [
    mean.target,
    mean.callsPerSecond.toFixed(0),
    mean.p50.toFixed(3),
    mean.p99.toFixed(3),
    mean.firstByteP50.toFixed(3),
    mean.firstByteP99.toFixed(3),
    isMeasured ? mean.cpuPerCall.toFixed(1) : '–',
    isMeasured && mean.cpuPerFrame !== null ? mean.cpuPerFrame.toFixed(2) : '–',
    isMeasured ? mean.memory.toFixed(0) : '–',
  ]
  return `| ${cells.join(' | ')} |`
}
