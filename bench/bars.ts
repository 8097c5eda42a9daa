import { figureName, type Figures } from './parts/part'
import { passedScenarios, translatedScenarios, type Scenario } from './scenarios'
import { table } from './tables'

interface Bar {
  readonly what: string
  readonly limit: number
  readonly isMinimum?: boolean
  readonly unit: string
  readonly digits: number
  /** Null: not measured in this run. */
  readonly value: (lookUp: FigureSource) => number | null
}

/** A figure of a target under a scenario. */
type FigureSource = (scenario: string, target: string, what: string) => number | null

const ratio = (scenario: string, what: string, other: string) => (lookUp: FigureSource) => {
  const [ours, theirs] = [lookUp(scenario, 'Tollgate', what), lookUp(scenario, other, what)]
  return ours === null || !theirs ? null : ours / theirs
}

const subtractDirect = (scenario: string, what: string) => (lookUp: FigureSource) => {
  const [ours, bare] = [lookUp(scenario, 'Tollgate', what), lookUp(scenario, 'direct', what)]
  return ours === null || bare === null ? null : ours - bare
}

const own = (scenario: string, what: string, scale: number) => (lookUp: FigureSource) => {
  const value = lookUp(scenario, 'Tollgate', what)
  return value === null ? null : value * scale
}

/** Frames under the dearest of some scenarios, once all were measured. */
const highest = (scenarios: readonly string[]) => (lookUp: FigureSource) =>
  worst(scenarios.map((name) => ratio(name, 'cpuPerFrame', 'nginx')(lookUp)))

const namesOf = (scenarios: readonly Scenario[]): string[] => scenarios.map(({ name }) => name)

const worst = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length < values.length ? null : Math.max(...known)
}

/** What the product asks of itself, with billing, limits and logs on. */
const bars: readonly Bar[] = [
  {
    what: 'calls a second on one core, small JSON, charged durably',
    limit: 10_000,
    isMinimum: true,
    unit: '',
    digits: 0,
    value: own('calls-32', 'callsPerSecond', 1),
  },
  {
    what: 'calls a second against Portkey’s open gateway',
    limit: 14,
    isMinimum: true,
    unit: 'x',
    digits: 1,
    value: ratio('calls-32', 'callsPerSecond', 'Portkey'),
  },
  {
    what: 'CPU a call against nginx',
    limit: 6,
    unit: 'x',
    digits: 2,
    value: ratio('calls-32', 'cpuPerCall', 'nginx'),
  },
  {
    what: 'CPU a frame against nginx, passed through, the dearest dialect, long answers',
    limit: 1.5,
    unit: 'x',
    digits: 2,
    value: highest(namesOf(passedScenarios)),
  },
  {
    what: 'chat completions with short answers, the call’s own CPU in it',
    limit: 1.6,
    unit: 'x',
    digits: 2,
    value: ratio('streams-32', 'cpuPerFrame', 'nginx'),
  },
  {
    what: 'CPU a frame against nginx, translated, the dearest pair, long answers',
    limit: 1.9,
    unit: 'x',
    digits: 2,
    value: highest(namesOf(translatedScenarios)),
  },
  {
    what: 'over chat completions with short answers, the call’s own CPU in it',
    limit: 2.5,
    unit: 'x',
    digits: 2,
    value: highest(['streams-messages', 'streams-responses', 'streams-gemini']),
  },
  { what: 'p99 at 32 connections', limit: 5, unit: ' ms', digits: 2, value: own('calls-32', 'p99', 1) },
  { what: 'added p50 at one connection', limit: 0.3, unit: ' ms', digits: 3, value: subtractDirect('calls-1', 'p50') },
  {
    what: 'added time to first token, p99, 100 streams',
    limit: 3,
    unit: ' ms',
    digits: 2,
    value: subtractDirect('streams-100', 'firstTokenP99'),
  },
  {
    what: 'the same, 100 streams begun in one moment',
    limit: 8,
    unit: ' ms',
    digits: 2,
    value: subtractDirect('streams-100-at-once', 'firstTokenP99'),
  },
  {
    what: 'four limits of a key, processor time a call',
    limit: 3,
    unit: ' µs',
    digits: 1,
    value: own('windows', 'difference', 1),
  },
  {
    what: 'a swap of prices, 5,000 models and 2,000 channels, processor time',
    limit: 50,
    unit: ' ms',
    digits: 1,
    value: own('changes-prices', 'swap', 1),
  },
  {
    what: 'a swap of channels, the same site',
    limit: 50,
    unit: ' ms',
    digits: 1,
    value: own('changes-channels', 'swap', 1),
  },
  { what: 'memory idle', limit: 110, unit: ' MB', digits: 0, value: own('memory', 'idle', 1) },
  { what: 'memory at 400 streams', limit: 200, unit: ' MB', digits: 0, value: own('memory', 'streams', 1) },
  {
    what: 'memory of uploads of 20 MB beyond one copy',
    limit: 8,
    unit: ' MB',
    digits: 0,
    value: own('upload', 'beyondOneCopy', 1),
  },
  {
    what: 'memory while clients leave their streams: growth',
    limit: 5,
    unit: ' %',
    digits: 1,
    value: own('aborts', 'growth', 100),
  },
  {
    what: 'memory at 400 streams for minutes: growth',
    limit: 5,
    unit: ' %',
    digits: 1,
    value: own('minutes', 'growth', 100),
  },
  {
    what: 'start to first answer, empty data folder',
    limit: 0.6,
    unit: ' s',
    digits: 2,
    value: own('start', 'seconds', 1),
  },
]

/** The bars as a table: what is asked, what was measured, and whether it is met. */
export function barTable(figures: Figures): string {
  const lookUp: FigureSource = (...name) => figures[figureName(...name)] ?? null
  return table(
    ['Bar', 'asked', 'measured', ''],
    bars.map(({ what, limit, isMinimum = false, unit, digits, value }) => {
      const found = value(lookUp)
      const figure = `${isMinimum ? 'at least' : 'at most'} ${limit.toLocaleString('en')}${unit}`
      if (found === null) return [what, figure, '–', 'not measured']
      const isMet = isMinimum ? found >= limit : found <= limit
      return [what, figure, `${found.toFixed(digits)}${unit}`, isMet ? 'met' : 'not met']
    }),
  )
}
