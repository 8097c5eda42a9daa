import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { migratedSqlite } from '../gateway/test/databases'
import { childrenOf, freePort } from './gateway'
import { until } from './ledger-view'

setDefaultTimeout(180_000)

const root = join(import.meta.dir, '..')
const timeoutMs = 60_000
const buildTimeoutMs = 120_000

const npx = ['npx', '--offline', '-y', `bun@${Bun.version}`]
const hasNpx = Bun.which('npx') !== null && Bun.spawnSync([...npx, '--version'], { stderr: 'ignore' }).success
/** The same process chain without npm: a process of that name waits for a shell, which waits for `bun start`. */
const standInForNpx = ['bash', '-c', `exec -a npm sh -c "sh -c '$0 start; :'; :"`, process.execPath]
/** The README's command if npm's cache holds the program. npm itself takes as long to start as all that follows it. */
const readmeCommand = hasNpx ? [...npx, 'start'] : standInForNpx

/** Returns every process from the given command down to the workers, outermost first. */
function chainFrom(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(chainFrom)]
}

const isAlive = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Starts a command and finds every process it started. */
async function start(command: readonly string[]) {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-launchers-'))
  await migratedSqlite(join(dataDir, 'tollgate.sqlite'))
  const port = freePort()
  const env = { ...process.env, DATA_DIR: dataDir, PORT: String(port), DATABASE_URL: '', REDIS_URL: '' }
  const child = Bun.spawn([...command], { cwd: root, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const output = new Response(child.stdout).text()
  const responses = () =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  expect(await until(responses, Boolean, buildTimeoutMs)).toBe(true)
  const chain = chainFrom(child.pid)
  return {
    chain,
    output,
    answers: responses,
    [Symbol.dispose]() {
      for (const pid of chain.filter(isAlive)) process.kill(pid, 'SIGKILL')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Returns the processes of the chain that survive a grace period. */
const survivorsOf = ({ chain }: { readonly chain: readonly number[] }) =>
  until(
    async () => chain.filter(isAlive),
    (left) => left.length === 0,
    timeoutMs,
  )

test.if(process.platform === 'linux')('a signal to the command of the README stops the gateway in order', async () => {
  using gateway = await start(readmeCommand)
  const [outermost = 0] = gateway.chain
  process.kill(outermost, 'SIGTERM')
  expect(await survivorsOf(gateway)).toEqual([])
  expect(await gateway.answers()).toBe(false)
  expect(await gateway.output).toContain('Tollgate has stopped')
})

test.if(process.platform === 'linux')('whichever process of the chain is killed, nothing is left behind', async () => {
  // Every second one, as each takes a start. The last one is the worker, which the supervisor replaces.
  for (let index = 0, length = Infinity; index < length - 1; index += 2) {
    using gateway = await start(standInForNpx)
    length = gateway.chain.length
    expect(length).toBeGreaterThan(3)
    process.kill(gateway.chain[index] ?? 0, 'SIGKILL')
    expect(await survivorsOf(gateway)).toEqual([])
    expect(await gateway.answers()).toBe(false)
  }
})
