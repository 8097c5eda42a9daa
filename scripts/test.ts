import { buildConsole } from './build-console'
import { buildGateway } from './build-gateway'
import { noOutcome, readOutput, type Outcome } from './test-output'
import { startPostgres, startRedis, type Service } from './test-services'

/**
 * Every test of the repository, with a PostgreSQL and a Redis of its own where the machine has them.
 * What is missing is skipped by name; with CI set nothing may be skipped. What failed is told once more at the end, whose
 * last line says `N passed, N failed`.
 */
const inCi = Boolean(process.env['CI'])
const services: Service[] = []
/** How long each run took: which lanes to split, and which tests to make cheaper. */
const times: string[] = []
/** Ends the runs; what follows stops the services, as after any other end. */
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort())

try {
  const environment = { ...process.env }
  for (const [variable, start] of [
    ['TEST_POSTGRES_URL', startPostgres],
    ['TEST_REDIS_URL', startRedis],
  ] as const) {
    if (environment[variable]) continue
    const service = await start()
    if (service) {
      services.push(service)
      environment[variable] = service.url
    } else {
      console.log(`${variable} is not set and no server is installed: scripts/install-services.sh installs one`)
    }
  }
  const sum = noOutcome()
  // Once, before two of them want it at the same time; the other lanes begin meanwhile.
  const builds = Promise.all([buildConsole(), buildGateway()])
  const lanes = lanesOf(process.argv.slice(2))
  await Promise.all([builds, ...lanes.map((lane) => runLane(lane, { environment, builds, sum }))])
  const code = conclude(sum)
  process.exitCode = interruption.signal.aborted ? 130 : code
} finally {
  for (const service of services) await service.stop()
}

interface Run {
  /** As the times at the end call it. */
  readonly name: string
  readonly cwd: string
  readonly args: readonly string[]
  /** It runs beside another one: what it prints is printed when it is over. */
  readonly isQuiet?: boolean
  /** It starts the gateway, with its console. */
  readonly needsBuilds?: boolean
  /** Beside the variables of every run. */
  readonly env?: Readonly<Record<string, string>>
}

/** Runs one after the other. */
type Lane = readonly Run[]

/**
 * The console's tests live in a browser's globals, so in a process of their own. Paths choose; without any all run, in lanes side
 * by side: most tests wait, for a database, a process or a page.
 */
function lanesOf(args: readonly string[]): Lane[] {
  const isOfConsole = (arg: string) => /^(\.\/)?console(\/|$)/.test(arg)
  const ofConsole = args.filter(isOfConsole).map((arg) => arg.replace(/^(\.\/)?console\/?/, './'))
  const ofOthers = args.filter((arg) => !isOfConsole(arg))
  // Components are drawn too few times for the optimizing compiler to pay: it takes a seventh of the time of their tests.
  const console: Run = { name: 'console', cwd: 'console', args: ofConsole, env: { BUN_JSC_useDFGJIT: '0' } }
  const others = (...ignored: string[]): Run => ({
    name: 'the rest',
    cwd: '.',
    args: [...without('console/**', ...ignored), ...ofOthers],
    needsBuilds: args.length > 0,
  })
  if (args.length > 0) return [[...(ofOthers.length > 0 ? [others()] : []), ...(ofConsole.length > 0 ? [console] : [])]]
  const quiet = (name: string, ...args: string[]): Run => ({ name, cwd: '.', args, isQuiet: true })
  const needsBuilds = (run: Run): Run => ({ ...run, needsBuilds: true })
  return [
    // What builds for itself comes after the builds here are done.
    [others('e2e/**', 'gateway/src/features/**', 'scripts/**'), needsBuilds(quiet('scripts', 'scripts/'))],
    [quiet('features', 'gateway/src/features/')],
    [{ ...console, isQuiet: true }],
    [needsBuilds(quiet('journeys', 'e2e/', ...without('e2e/browser/**')))],
    [needsBuilds(quiet('browser, a to g', 'e2e/browser/', ...without('e2e/browser/[h-z]*')))],
    [needsBuilds(quiet('browser, h to z', 'e2e/browser/', ...without('e2e/browser/[a-g]*')))],
  ]
}

function without(...patterns: string[]): string[] {
  return patterns.flatMap((pattern) => ['--path-ignore-patterns', pattern])
}

interface Whole {
  readonly environment: Record<string, string | undefined>
  readonly builds: Promise<unknown>
  readonly sum: Outcome
}

async function runLane(lane: Lane, { environment, builds, sum }: Whole): Promise<void> {
  for (const run of lane) {
    if (run.needsBuilds) await builds
    if (interruption.signal.aborted) return
    const outcome = await runTests(run, environment)
    for (const count of ['pass', 'fail', 'skip'] as const) sum[count] += outcome[count]
    sum.failures.push(...outcome.failures)
  }
}

async function runTests({ name, cwd, args, isQuiet, env }: Run, whole: Whole['environment']): Promise<Outcome> {
  const started = performance.now()
  const run = Bun.spawn([process.execPath, 'test', '--timeout', '120000', ...args], {
    cwd,
    env: { ...whole, ...env },
    stdout: isQuiet ? 'ignore' : 'inherit',
    stderr: 'pipe',
    signal: interruption.signal,
  })
  const output = readOutput()
  const printed: Uint8Array[] = []
  for await (const chunk of run.stderr) {
    if (isQuiet) printed.push(chunk)
    else process.stderr.write(chunk)
    output.read(chunk)
  }
  for (const chunk of printed) process.stderr.write(chunk)
  const outcome = output.end(await run.exited)
  const seconds = Math.round((performance.now() - started) / 1000)
  const cpuSeconds = Math.round(Number(run.resourceUsage()?.cpuTime.total ?? 0) / 1e6)
  times.push(`${name}: ${seconds} s, ${cpuSeconds} s of processor time`)
  return outcome
}

/** Prints the times, the failed tests and the last line. Returns the exit code. */
function conclude({ pass, fail, skip, failures }: Outcome): number {
  for (const time of times) console.log(time)
  for (const failure of failures) console.log(`\nFAILED: ${failure}\n`)
  const isSkipped = inCi && skip > 0
  if (isSkipped) console.log(`${skip} tests were skipped, which CI does not allow`)
  const failed = fail + (isSkipped ? skip : 0)
  console.log(`${pass} passed, ${failed} failed`)
  return failed > 0 || pass === 0 ? 1 : 0
}
