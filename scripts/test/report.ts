import type { Suite, TestResult } from './read-output'

/** What a kind of tests cost. */
export interface Cost {
  files: number
  seconds: number
  cpuSeconds: number
}

export interface Outcome {
  readonly suites: readonly Suite[]
  readonly costs: ReadonlyMap<string, Cost>
  /** Files that failed and then passed twice, as they failed. */
  readonly flaky: readonly Suite[]
  /** A skipped test has failed. */
  readonly mayNotSkip: boolean
  /** Seconds from the start of the run to its end. */
  readonly seconds: number
}

export interface Conclusion {
  readonly lines: readonly string[]
  readonly exitCode: number
}

/** Colours where a person looks. */
export type Paint = (color: 'red' | 'green' | 'yellow' | 'dim', text: string) => string

const codes = { red: 31, green: 32, yellow: 33, dim: 2 }
export const paintAnsi: Paint = (color, text) => `\u001B[${codes[color]}m${text}\u001B[0m`
export const plain: Paint = (_, text) => text

const slowestShown = 10
const slowMs = 100

const isFailed = ({ failures }: Suite) => failures.length > 0
const countOf = ({ tests }: Suite, outcome: TestResult['outcome']) =>
  tests.filter((test) => test.outcome === outcome).length

/** Returns the line of a test file that is over, and below it the titles of what failed in it. */
export function suiteLines(suite: Suite, paint: Paint): string[] {
  const { file, tests, failures, seconds } = suite
  const skipped = countOf(suite, 'skip')
  const counts = [
    isFailed(suite)
      ? `${failures.length} of ${tests.length} failed`
      : `${tests.length} ${tests.length === 1 ? 'test' : 'tests'}`,
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ]
  const [word, color] = isFailed(suite)
    ? (['FAIL', 'red'] as const)
    : skipped > 0
      ? (['skip', 'yellow'] as const)
      : (['ok  ', 'green'] as const)
  const line = `${paint(color, word)}  ${file}  ${paint('dim', `${counts.join(', ')}, ${seconds.toFixed(1)} s`)}`
  return [line, ...failures.map(({ title }) => `      ${paint('red', title ?? 'outside of any test')}`)]
}

/** Returns what a run says at its end, whose last line is `N passed, N failed`. */
export function conclude(outcome: Outcome, paint: Paint): Conclusion {
  const { suites, flaky, mayNotSkip } = outcome
  const sum = (result: TestResult['outcome']) => suites.reduce((total, suite) => total + countOf(suite, result), 0)
  const passed = sum('pass')
  const skipped = sum('skip')
  const failed = suites.reduce((total, { failures }) => total + failures.length, 0) + (mayNotSkip ? skipped : 0)
  const lines = [
    ...slowest(suites),
    ...costLines(outcome),
    ...skippedLines(suites),
    ...flaky.flatMap((suite) => failureLines(suite, paint('yellow', 'FAILED ONCE'))),
    ...suites.filter(isFailed).flatMap((suite) => failureLines(suite, paint('red', 'FAILED'))),
    ...(mayNotSkip && skipped > 0 ? [`Skipped tests, which CI does not allow: ${skipped}`] : []),
    ...flaky.flatMap(namesOfFailed).map((name) => `${paint('yellow', 'FLAKY')}  ${name}`),
    `${passed} passed, ${failed} failed`,
  ]
  return { lines, exitCode: failed > 0 || passed === 0 ? 1 : 0 }
}

function slowest(suites: readonly Suite[]): string[] {
  const tests = suites
    .flatMap(({ file, tests }) => tests.map((test) => ({ ...test, file })))
    .filter(({ milliseconds }) => milliseconds >= slowMs)
  const slowestTests = tests.sort((one, other) => other.milliseconds - one.milliseconds).slice(0, slowestShown)
  const lines = slowestTests.map(
    ({ file, title, milliseconds }) => `${seconds(milliseconds / 1000)}  ${file} > ${title}`,
  )
  return lines.length > 0 ? ['', 'Slowest tests', ...lines] : []
}

function costLines({ costs, seconds: whole }: Outcome): string[] {
  const lines = [...costs].map(
    ([name, cost]) => `${seconds(cost.seconds)}  ${seconds(cost.cpuSeconds)}  ${name}, ${cost.files} files`,
  )
  return ['', `Time, and processor time; ${Math.round(whole)} s in all`, ...lines]
}

/** A missing server skips hundreds of tests for one reason. */
function skippedLines(suites: readonly Suite[]): string[] {
  const files = new Map<string, string[]>()
  for (const { file, tests } of suites)
    for (const { title, outcome } of tests)
      if (outcome === 'skip') {
        // Suites differ, the reason does not.
        const reason = title.split(' > ').at(-1) ?? title
        files.set(reason, [...(files.get(reason) ?? []), file])
      }
  const lines = [...files].map(([title, [first, ...others]]) => {
    const more = others.length > 0 ? ` and ${others.length} more` : ''
    return `  ${title}: ${first}${more}`
  })
  return lines.length > 0 ? ['', 'Skipped', ...lines] : []
}

function failureLines(suite: Suite, word: string): string[] {
  const names = namesOfFailed(suite)
  return suite.failures.flatMap(({ message }, index) => ['', `${word}  ${names[index]}`, message, ''])
}

const namesOfFailed = ({ file, failures }: Suite): string[] =>
  failures.map(({ title }) => (title === undefined ? file : `${file} > ${title}`))

const seconds = (value: number) => `${value.toFixed(1).padStart(7)} s`
