import { buildConsole } from './build-console'
import { startPostgres, startRedis, type Service } from './test-services'

/**
 * Every test of the repository, with a PostgreSQL and a Redis of its own where the machine has them.
 * What is missing is skipped by name; with CI set nothing may be skipped. The last line says `N passed, N failed`.
 */
const inCi = Boolean(process.env['CI'])
const services: Service[] = []

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
  const counts = { pass: 0, fail: 0, skip: 0 }
  // Once, before two of them want it at the same time.
  await buildConsole()
  await Promise.all(lanesOf(process.argv.slice(2)).map((lane) => runLane(lane, environment, counts)))
  process.exitCode = conclude(counts)
} finally {
  for (const service of services) await service.stop()
}

interface Run {
  readonly cwd: string
  readonly args: readonly string[]
  /** It runs beside another one: what it prints is printed when it is over. */
  readonly isQuiet?: boolean
}

/** Runs one after the other. */
type Lane = readonly Run[]

interface Counts {
  pass: number
  fail: number
  skip: number
}

/**
 * The console's tests live in a browser's globals, so in a process of their own. Paths choose; without any all run, those of
 * real processes and those in a real browser beside the others: they mostly wait.
 */
function lanesOf(args: readonly string[]): Lane[] {
  const isOfConsole = (arg: string) => /^(\.\/)?console(\/|$)/.test(arg)
  const ofConsole = args.filter(isOfConsole).map((arg) => arg.replace(/^(\.\/)?console\/?/, './'))
  const ofOthers = args.filter((arg) => !isOfConsole(arg))
  const notOfConsole = ['--path-ignore-patterns', 'console/**']
  const others = { cwd: '.', args: [...notOfConsole, ...ofOthers] }
  const console = { cwd: 'console', args: ofConsole }
  if (args.length > 0) return [[...(ofOthers.length > 0 ? [others] : []), ...(ofConsole.length > 0 ? [console] : [])]]
  const inBrowser = { cwd: '.', args: ['e2e/browser'], isQuiet: true }
  const ofProcesses = { cwd: '.', args: ['--path-ignore-patterns', 'e2e/browser/**', 'e2e/'], isQuiet: true }
  const alone = { cwd: '.', args: [...notOfConsole, '--path-ignore-patterns', 'e2e/**'] }
  return [[alone, console], [ofProcesses], [inBrowser]]
}

async function runLane(lane: Lane, env: Record<string, string | undefined>, sum: Counts): Promise<void> {
  for (const run of lane) await runTests(run, env, sum)
}

async function runTests({ cwd, args, isQuiet }: Run, env: Record<string, string | undefined>, sum: Counts) {
  const run = Bun.spawn([process.execPath, 'test', '--timeout', '60000', ...args], {
    cwd,
    env,
    stdout: isQuiet ? 'ignore' : 'inherit',
    stderr: 'pipe',
  })
  const counts: Counts = { pass: 0, fail: 0, skip: 0 }
  const decoder = new TextDecoder()
  const printed: Uint8Array[] = []
  let rest = ''
  for await (const chunk of run.stderr) {
    if (isQuiet) printed.push(chunk)
    else process.stderr.write(chunk)
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) count(line, counts)
  }
  count(rest, counts)
  for (const chunk of printed) process.stderr.write(chunk)
  // A run that ends badly without naming a test has failed all the same.
  if ((await run.exited) !== 0 && counts.fail === 0) counts.fail = 1
  for (const outcome of ['pass', 'fail', 'skip'] as const) sum[outcome] += counts[outcome]
}

/** The last line; answers the exit code. */
function conclude({ pass, fail, skip }: Counts): number {
  const isSkipped = inCi && skip > 0
  if (isSkipped) console.log(`${skip} tests were skipped, which CI does not allow`)
  const failed = fail + (isSkipped ? skip : 0)
  console.log(`${pass} passed, ${failed} failed`)
  return failed > 0 || pass === 0 ? 1 : 0
}

/** The runner's closing lines: ` 12 pass`, ` 0 fail`, ` 3 skip`. */
function count(line: string, counts: Counts) {
  const match = /^\s*(\d+) (pass|fail|skip)$/.exec(Bun.stripANSI(line))
  if (!match) return
  counts[match[2] as keyof Counts] = Number(match[1])
}
