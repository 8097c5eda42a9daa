import { problemKinds, type Problem } from './problem'
import type { RoundResult } from './round'

/** Result of a run. */
export interface RunReport {
  readonly database: string
  readonly workers: number
  readonly gateways: number
  readonly seed: number
  /** Rounds without faults, before the others. */
  readonly quiet: readonly RoundResult[]
  readonly rounds: readonly RoundResult[]
  /** Problems found at the end of the run, when everything was stopped. */
  readonly atTheEnd: readonly Problem[]
  /** Faults that were unavailable, with the reason. */
  readonly missing: readonly { readonly name: string; readonly why: string }[]
}

/** Returns a line for the round and one for each problem. */
export function roundLines({ number, seed, faults, problems, ...figures }: RoundResult): string[] {
  const { calls, complete, charged, tasks, tasksCharged, kills, seconds, settleSeconds } = figures
  const verdict = problems.length === 0 ? 'ok' : `FAILED (${problems.length})`
  const head = `round ${String(number).padStart(3)}  seed ${seed}  ${faults.join(' + ')}`.padEnd(76)
  const tail = `${calls} calls, ${complete} complete, ${charged} charged, ${tasks} tasks, ${tasksCharged} charged, ${kills} kills, ${seconds.toFixed(1)} s (${settleSeconds.toFixed(1)} to settle)`
  return [`${head}  ${tail}  ${verdict}`, ...problemLines(problems)]
}

const maxLines = 8

export function problemLines(problems: readonly Problem[]): string[] {
  const lines = problems.slice(0, maxLines).map(({ kind, what }) => `  ${kind}: ${what}`)
  return problems.length > maxLines ? [...lines, `  and ${problems.length - maxLines} more`] : lines
}

/** Returns the closing table. */
export function summaryLines(report: RunReport): string[] {
  const { rounds, atTheEnd, missing } = report
  const total = (figure: (round: RoundResult) => number) => rounds.reduce((sum, round) => sum + figure(round), 0)
  const problems = problemsOf(report)
  const count = (kind: Problem['kind']) => problems.filter((problem) => problem.kind === kind).length
  const failed = rounds.filter((round) => round.problems.length > 0)
  const rows: [string, string | number][] = [
    ['configuration', `${report.database}, ${report.gateways} x ${report.workers} workers, seed ${report.seed}`],
    ['rounds', rounds.length],
    ['calls', total(({ calls }) => calls)],
    ['complete', total(({ complete }) => complete)],
    ['charged', total(({ charged }) => charged)],
    ['tasks', total(({ tasks }) => tasks)],
    ['tasks charged', total(({ tasksCharged }) => tasksCharged)],
    ['processes killed', total(({ kills }) => kills)],
    ['charges lost', count('lost')],
    ['charges doubled', count('doubled')],
    ['wrong amounts', count('amount')],
    ['overspend', count('overspend')],
    ['counters off', count('counters')],
    ['leases left', count('leases')],
    ['anything else', count('other')],
    ['failed rounds', failed.map(({ seed }) => `--seed ${seed} --rounds 1`).join(', ') || 'none'],
    ['p99', p99Text(report)],
    ['slowest to settle', `${Math.max(0, ...rounds.map(({ settleSeconds }) => settleSeconds)).toFixed(1)} s`],
    ['faults struck', struck(rounds)],
    ['faults not to be had here', missing.map(({ name, why }) => `${name} (${why})`).join(', ') || 'none'],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  return [...problemLines(atTheEnd), ...rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`)]
}

export const problemsOf = ({ quiet, rounds, atTheEnd }: RunReport): Problem[] =>
  [...[...quiet, ...rounds].flatMap(({ problems }) => problems), ...atTheEnd].toSorted(
    (one, other) => problemKinds.indexOf(one.kind) - problemKinds.indexOf(other.kind),
  )

/** What complete calls took, without faults and in the rounds of each scene that had no other. */
function p99Text({ quiet, rounds }: RunReport): string {
  const alone = rounds.filter(({ faults }) => faults.length === 1)
  const byFault = Map.groupBy(alone, ({ faults }) => faults[0] ?? '')
  const quietMs = quiet.at(-1)?.p99Ms ?? 0
  const parts = [...byFault].map(([name, list]) => {
    const worst = Math.max(...list.map(({ p99Ms }) => p99Ms))
    return `${name} ${worst.toFixed(0)} ms (${(worst / Math.max(quietMs, 1)).toFixed(1)} times)`
  })
  return [`${quietMs.toFixed(0)} ms without faults`, ...parts.toSorted()].join(', ')
}

function struck(rounds: readonly RoundResult[]): string {
  const times = Map.groupBy(
    rounds.flatMap(({ faults }) => faults),
    (name) => name,
  )
  return [...times]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, list]) => `${name} ${list.length}`)
    .join(', ')
}
