/** What became of one test. */
export interface TestResult {
  readonly title: string
  readonly outcome: 'pass' | 'fail' | 'skip'
  readonly milliseconds: number
}

interface Failure {
  /** Undefined where it happened outside of any test. */
  readonly title?: string
  /** What the runner printed about it. */
  readonly message: string
}

/** What became of a test file. */
export interface Suite {
  readonly file: string
  readonly tests: readonly TestResult[]
  readonly failures: readonly Failure[]
  readonly seconds: number
  /** All that the runner printed. */
  readonly output: string
}

/** Lines kept of what the runner says before it names a failed test. */
const maxLines = 60
const outcome = /^\((pass|fail|skip|todo)\) (.*?)(?: \[([\d.]+)(ms|s)\])?$/
/** The runner repeats at its end what failed, and adds up; or says that no test has the name that was asked for. */
const conclusion = /^ +\d+ (?:pass|fail)$|^\d+ tests? (?:failed|skipped):$|^(error: regex ".*" matched 0 tests)/
const betweenTests = '# Unhandled error between tests'

interface OpenSuite {
  readonly file: string
  readonly startedAt: number
  readonly tests: TestResult[]
  readonly failures: { title?: string; message: string }[]
  readonly lines: string[]
  /** Since the last test. */
  output: string[]
}

export interface OutputOptions {
  /** By the paths that the runner prints. */
  readonly files: readonly string[]
  /** Milliseconds. */
  readonly now: () => number
  /** Called when a file is over. */
  readonly onSuite: (suite: Suite) => void
}

/** Reads what a run of the runner prints on its standard error, as it comes. */
export class OutputReader {
  readonly #options: OutputOptions
  readonly #waiting: Set<string>
  readonly #decoder = new TextDecoder()
  #unfinished = ''
  /** What was said outside of any file. */
  #strayLines: string[] = []
  #suite: OpenSuite | undefined
  #conclusion: 'none' | 'reached' | 'nothing asked for' = 'none'
  #hasFailed = false

  constructor(options: OutputOptions) {
    this.#options = options
    this.#waiting = new Set(options.files)
  }

  read(chunk: Uint8Array): void {
    const lines = (this.#unfinished + this.#decoder.decode(chunk, { stream: true })).split('\n')
    this.#unfinished = lines.pop() ?? ''
    for (const line of lines) this.#readLine(Bun.stripANSI(line))
  }

  /** A run that ends badly without naming a test has failed all the same: its last words say why. Returns the files that it did not get to. */
  end(exitCode: number): string[] {
    if (this.#unfinished !== '') this.#readLine(Bun.stripANSI(this.#unfinished))
    const isCrash = exitCode !== 0 && this.#conclusion === 'none'
    const isUnexplained = exitCode !== 0 && this.#conclusion === 'reached' && !this.#hasFailed
    if (isCrash || isUnexplained) this.#fail(`The runner left with ${exitCode}:`)
    this.#close()
    if (!isCrash) return []
    const left = [...this.#waiting]
    if (left.length < this.#options.files.length) return left
    // Before the first file: they will not get further a second time.
    for (const file of left) {
      this.#open(file)
      this.#fail([`The runner left with ${exitCode}:`, ...this.#strayLines].join('\n'))
      this.#close()
    }
    return []
  }

  #readLine(line: string): void {
    const [isConclusion, isEmpty] = conclusion.exec(line) ?? []
    if (isConclusion !== undefined) {
      this.#settle()
      this.#conclusion = isEmpty === undefined ? 'reached' : 'nothing asked for'
    } else if (this.#conclusion !== 'none') return
    else if (line.endsWith(':') && this.#waiting.delete(line.slice(0, -1))) {
      this.#close()
      this.#open(line.slice(0, -1))
    } else this.#readPrinted(line)
  }

  #readPrinted(line: string): void {
    const suite = this.#suite
    if (!suite) {
      this.#strayLines = [...this.#strayLines, line].slice(-maxLines)
      return
    }
    suite.lines.push(line)
    // The reason of a time-out comes after the test's name.
    const last = suite.failures.at(-1)
    if (last && suite.output.length === 0 && line.startsWith('  ^ ')) {
      last.message = messageOf([last.message, line])
      return
    }
    const [, result, title = '', time = '0', unit] = outcome.exec(line) ?? []
    if (result === undefined) {
      suite.output.push(line)
      return
    }
    if (result === 'fail') {
      suite.failures.push({ title, message: messageOf(suite.output) })
      this.#hasFailed = true
    }
    const milliseconds = Number(time) * (unit === 's' ? 1000 : 1)
    if (result === 'pass' || result === 'fail' || result === 'skip')
      suite.tests.push({ title, outcome: result, milliseconds })
    suite.output = []
  }

  #open(file: string): void {
    this.#suite = { file, startedAt: this.#options.now(), tests: [], failures: [], lines: [], output: [] }
  }

  #fail(reason: string): void {
    const suite = this.#suite
    if (!suite) return
    suite.failures.push({ message: messageOf([reason, messageOf(suite.output)]) })
    suite.output = []
    this.#hasFailed = true
  }

  /** What was said after the last test belongs to no test. */
  #settle(): void {
    if (this.#suite?.output.includes(betweenTests)) this.#fail('Outside of any test:')
  }

  #close(): void {
    const suite = this.#suite
    if (!suite) return
    this.#settle()
    const { file, tests, failures, startedAt, lines } = suite
    const seconds = (this.#options.now() - startedAt) / 1000
    this.#suite = undefined
    this.#options.onSuite({ file, tests, failures, seconds, output: lines.join('\n').trim() })
  }
}

const messageOf = (lines: readonly string[]): string =>
  lines
    .slice(-maxLines)
    .join('\n')
    .replaceAll(/^\n+|\n+$/g, '')
