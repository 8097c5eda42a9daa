import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a call cost at a commit; what a run did not measure is left out. */
export interface CallCost {
  /** Processor time against nginx, in the same run. */
  readonly toNginx?: number
  /** Against what was measured before: in turns with it, or the `toNginx` of the last line that has one. */
  readonly toLast?: number
  readonly microseconds?: number
  /** Objects allocated a call. */
  readonly kilobytes?: number
}

const columns = ['date', 'commit', 'to_nginx', 'to_last', 'cpu_us_per_call', 'object_kb_per_call'] as const

const historyFile = join(import.meta.dir, 'history.csv')

/** Appends a line to `bench/history.csv` for the commit of a checkout. */
export function recordCost(checkout: string, cost: CallCost): void {
  const history = existsSync(historyFile) ? readFileSync(historyFile, 'utf8') : `${columns.join(',')}\n`
  const date = new Date().toISOString().slice(0, 10)
  writeFileSync(historyFile, history + historyLine(history, { date, commit: commitOf(checkout) }, cost))
}

/** Returns the next line of a history. */
export function historyLine(
  history: string,
  { date, commit }: { date: string; commit: string },
  cost: CallCost,
): string {
  const { toNginx, toLast = toNginx && toNginx / lastToNginx(history), microseconds, kilobytes } = cost
  const text = (value: number | undefined, digits: number) =>
    value === undefined || Number.isNaN(value) ? '' : value.toFixed(digits)
  return `${[date, commit, text(toNginx, 3), text(toLast, 3), text(microseconds, 1), text(kilobytes, 1)].join(',')}\n`
}

function lastToNginx(history: string): number {
  const cells = history
    .split('\n')
    .slice(1)
    .map((line) => line.split(',')[columns.indexOf('to_nginx')] ?? '')
  return Number(cells.findLast((cell) => cell !== '') ?? NaN)
}

/** A checkout that differs from its commit says so. */
function commitOf(checkout: string): string {
  const git = (...words: string[]) =>
    Bun.spawnSync(['git', '-C', checkout, ...words])
      .stdout.toString()
      .trim()
  return `${git('rev-parse', '--short=8', 'HEAD')}${git('status', '--porcelain', '--', 'gateway/src') === '' ? '' : '+'}`
}
