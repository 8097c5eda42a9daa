/** How many tests ran, and the failed ones with what the runner printed about each. */
export interface Outcome {
  pass: number
  fail: number
  skip: number
  readonly failures: string[]
}

export const noOutcome = (): Outcome => ({ pass: 0, fail: 0, skip: 0, failures: [] })

/** Lines kept of what the runner says before it names a failed test. */
const linesKept = 60

/** What a run of the runner prints on its standard error, read as it comes. */
export function readOutput() {
  const outcome = noOutcome()
  const decoder = new TextDecoder()
  let unfinished = ''
  let file = ''
  let said: string[] = []
  /** The runner names the failed tests again at its end. */
  let isRepeating = false

  function readLine(line: string) {
    const text = Bun.stripANSI(line)
    const total = /^\s*(\d+) (pass|fail|skip)$/.exec(text)
    if (total) outcome[total[2] as 'pass' | 'fail' | 'skip'] = Number(total[1])
    if (/^\S+\.test\.tsx?:$/.test(text)) file = text
    if (/^\d+ tests? failed:$/.test(text)) isRepeating = true
    if (isRepeating) return
    // The reason of a time-out comes after the test's name.
    if (said.length === 0 && text.startsWith('  ^ ')) outcome.failures[outcome.failures.length - 1] += `\n${text}`
    else said.push(text)
    if (/^\((pass|fail|skip|todo)\) /.test(text)) {
      if (text.startsWith('(fail)')) outcome.failures.push([file, ...said.slice(-linesKept)].join('\n'))
      said = []
    }
  }

  return {
    read(chunk: Uint8Array) {
      const lines = (unfinished + decoder.decode(chunk, { stream: true })).split('\n')
      unfinished = lines.pop() ?? ''
      lines.forEach(readLine)
    },
    /** A run that ends badly without naming a test has failed all the same: its last words are the reason. */
    end(exitCode: number): Outcome {
      readLine(unfinished)
      if (exitCode !== 0 && outcome.fail === 0) {
        outcome.fail = 1
        outcome.failures.push([`The runner left with ${exitCode}:`, ...said.slice(-linesKept)].join('\n'))
      }
      return outcome
    },
  }
}
