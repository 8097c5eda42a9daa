import type { Measurement } from './measure'
import { meanOf } from './quantile'

/** The rounds of each target under each scenario as one, in the order they were first measured. */
export function meansOf(measurements: readonly Measurement[]): Measurement[] {
  const rounds = Map.groupBy(measurements, ({ scenario, target }) => `${scenario}\n${target}`)
  return [...rounds.values()].map(meanOfRounds)
}

function meanOfRounds(rounds: readonly Measurement[]): Measurement {
  const [first] = rounds
  if (!first) throw new Error('Nothing was measured')
  const values = (pick: (round: Measurement) => number | null) => rounds.map(pick).filter((value) => value !== null)
  const mean = (pick: (round: Measurement) => number) => meanOf(values(pick))
  const meanOrNull = (pick: (round: Measurement) => number | null) =>
    pick(first) === null ? null : meanOf(values(pick))
  const max = (pick: (round: Measurement) => number | null) => (pick(first) === null ? null : Math.max(...values(pick)))
  const sum = (pick: (round: Measurement) => number) => values(pick).reduce((total, value) => total + value, 0)
  return {
    target: first.target,
    scenario: first.scenario,
    calls: sum((round) => round.calls),
    failures: sum((round) => round.failures),
    callsPerSecond: mean((round) => round.callsPerSecond),
    p50: mean((round) => round.p50),
    p99: mean((round) => round.p99),
    firstTokenP50: mean((round) => round.firstTokenP50),
    firstTokenP99: mean((round) => round.firstTokenP99),
    lateP99: meanOrNull((round) => round.lateP99),
    maxLate: max((round) => round.maxLate),
    cpuPerCall: meanOrNull((round) => round.cpuPerCall),
    cpuPerFrame: meanOrNull((round) => round.cpuPerFrame),
    memory: max((round) => round.memory),
  }
}
