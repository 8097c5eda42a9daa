import type { Measurement } from './measure'
import type { Scenario } from './scenarios'

/** A table in Markdown; the first column is text, the others are numbers. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, at) => (at === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n')
}

/** A dash where nothing was measured. */
export const cell = (value: number | null | undefined, digits: number): string =>
  value === null || value === undefined ? '–' : value.toFixed(digits)

interface Column {
  readonly title: string
  readonly digits: number
  readonly value: (mean: Measurement, direct: Measurement | undefined) => number | null
}

/** What the target adds to the upstream alone under the same load; nothing in the upstream's own row. */
const subtractDirect = (pick: (mean: Measurement) => number) => (mean: Measurement, direct: Measurement | undefined) =>
  direct && direct !== mean ? pick(mean) - pick(direct) : null

const calls: readonly Column[] = [
  { title: 'calls/s', digits: 0, value: (mean) => mean.callsPerSecond },
  { title: 'p50 ms', digits: 3, value: (mean) => mean.p50 },
  { title: 'p99 ms', digits: 3, value: (mean) => mean.p99 },
  { title: 'added p50', digits: 3, value: subtractDirect((mean) => mean.p50) },
  { title: 'added p99', digits: 3, value: subtractDirect((mean) => mean.p99) },
]

const streams: readonly Column[] = [
  { title: 'streams/s', digits: 0, value: (mean) => mean.callsPerSecond },
  { title: 'first p50 ms', digits: 3, value: (mean) => mean.firstTokenP50 },
  { title: 'first p99 ms', digits: 3, value: (mean) => mean.firstTokenP99 },
  { title: 'added first p50', digits: 3, value: subtractDirect((mean) => mean.firstTokenP50) },
  { title: 'added first p99', digits: 3, value: subtractDirect((mean) => mean.firstTokenP99) },
  { title: 'late p99 ms', digits: 2, value: (mean) => mean.lateP99 },
  { title: 'late most ms', digits: 1, value: (mean) => mean.maxLate },
  { title: 'CPU µs/frame', digits: 2, value: (mean) => mean.cpuPerFrame },
]

const both: readonly Column[] = [
  { title: 'CPU µs/call', digits: 1, value: (mean) => mean.cpuPerCall },
  { title: 'memory MB', digits: 0, value: (mean) => mean.memory },
]

/** A block for each scenario, a row for each target. */
export function tablesOf(scenarios: readonly Scenario[], means: readonly Measurement[]): string {
  return scenarios.map((scenario) => `### ${scenario.title}\n\n${tableOf(scenario, means)}`).join('\n\n')
}

function tableOf({ name, isStream }: Scenario, means: readonly Measurement[]): string {
  const rows = means.filter(({ scenario }) => scenario === name)
  const direct = rows.find(({ target }) => target === 'direct')
  const columns = [...(isStream ? streams : calls), ...both]
  return table(
    [`\`${name}\``, ...columns.map(({ title }) => title)],
    rows.map((mean) => [nameOf(mean), ...columns.map(({ value, digits }) => cell(value(mean, direct), digits))]),
  )
}

/** Figures of a target that failed are partly those of its errors. */
const nameOf = ({ target, failures }: Measurement): string =>
  failures === 0 ? target : `${target} (${failures} failed)`
