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
  process.exitCode = await runTests(environment)
} finally {
  for (const service of services) await service.stop()
}

async function runTests(env: Record<string, string | undefined>): Promise<number> {
  const run = Bun.spawn([process.execPath, 'test', '--timeout', '60000', ...process.argv.slice(2)], {
    env,
    stdout: 'inherit',
    stderr: 'pipe',
  })
  const counts = { pass: 0, fail: 0, skip: 0 }
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of run.stderr) {
    process.stderr.write(chunk)
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) count(line, counts)
  }
  count(rest, counts)
  const code = await run.exited
  const isSkipped = inCi && counts.skip > 0
  if (isSkipped) console.log(`${counts.skip} tests were skipped, which CI does not allow`)
  const failed = counts.fail + (code !== 0 && counts.fail === 0 ? 1 : 0) + (isSkipped ? counts.skip : 0)
  console.log(`${counts.pass} passed, ${failed} failed`)
  return failed > 0 || counts.pass === 0 ? 1 : 0
}

/** The runner's closing lines: ` 12 pass`, ` 0 fail`, ` 3 skip`. */
function count(line: string, counts: { pass: number; fail: number; skip: number }) {
  const match = /^\s*(\d+) (pass|fail|skip)$/.exec(Bun.stripANSI(line))
  if (!match) return
  counts[match[2] as keyof typeof counts] = Number(match[1])
}
