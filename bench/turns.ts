import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { recordCost, type CallCost } from './history'
import { Lab } from './lab'
import { load } from './load'
import { requestFor } from './measure'
import { shareCores, startCpuClock } from './processes'
import { medianOf, quantile } from './quantile'
import { table } from './tables'
import type { Target } from './targets'
import { startTollgate } from './tollgate'

/**
 * What a call costs several checkouts of the gateway, the first of which the others are compared with: `bun run bench:turns ../before .`.
 * All run at once on one core and are called in turns so short that whatever else slows the machine down slows them all. With `--objects`
 * the bytes of objects that a call makes, which other work on the machine does not change.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    turns: { type: 'string', default: '40' },
    /** Milliseconds of a turn. */
    length: { type: 'string', default: '250' },
    streams: { type: 'boolean', default: false },
    objects: { type: 'boolean', default: false },
    /** Adds a line to bench/history.csv for the last checkout. */
    record: { type: 'boolean', default: false },
  },
})

const connections = 32
/** Until all of their code is compiled, however slow the machine is. */
const warmUpCalls = 20_000
/** What is written a little later belongs to the turn. */
const pauseMs = 60
const objectCalls = 20_000
/** A gateway that uses less of that time has nothing left to do. */
const idleMs = 500
const idleMicroseconds = 20_000

const logs = mkdtempSync(join(tmpdir(), 'tollgate-turns-'))
process.once('exit', () => rmSync(logs, { recursive: true, force: true }))
const logOf = (name: string) => join(logs, `${name}.log`)

const build = "console.log(await (await import('./scripts/build-gateway.ts')).buildGateway())"

/** Builds a checkout by its own script. Resolves with the file to start. @throws Error with what the build printed. */
async function builtIn(folder: string): Promise<string> {
  const child = Bun.spawn([process.execPath, '-e', build], { cwd: folder, stderr: 'pipe' })
  const [file = '', errors = ''] = await Promise.all(
    [child.stdout, child.stderr].map((stream) => new Response(stream).text()),
  )
  if ((await child.exited) !== 0) throw new Error(`${folder} cannot be built: ${errors}`)
  return file.trim()
}

async function starterOf(folder: string, index: number) {
  const name = `${index + 1} ${basename(resolve(folder))}`
  const program = [process.execPath, await builtIn(folder)]
  if (!values.objects) return { name, program }
  return {
    name,
    program: ['sh', '-c', 'exec "$0" "$@" 2>"$LOG"', ...program],
    env: { BUN_JSC_logGC: '1', LOG: logOf(name) },
  }
}

if (positionals.length < 2) throw new Error('Name two or more folders with checkouts of the gateway')
const options = await Promise.all(positionals.map(starterOf))
await using lab = await Lab.open(
  shareCores(),
  options.map((each) => (ground) => startTollgate(ground, each)),
)
const drive = (target: Target, milliseconds: number, maxCalls = Infinity) => {
  const request = requestFor(target, { isStream: values.streams })
  return lab.count(target, () => load({ port: target.port, connections, request, milliseconds, maxCalls }))
}
for (const target of lab.targets) await drive(target, Infinity, warmUpCalls)
for (const target of lab.targets) await untilIdle(target)
const { text, cost } = values.objects ? await objects() : await turns()
console.log(text)
const { wrong } = await lab.close()
if (wrong.length > 0) throw new Error(`Void: ${wrong.join('; ')}`)
if (values.record) recordCost(positionals.at(-1) ?? '.', cost)
process.exit()

/** What the warm-up left behind would otherwise count for the target that was warmed up last. */
async function untilIdle(target: Target): Promise<void> {
  for (let used = Infinity; used > idleMicroseconds;) {
    const clock = startCpuClock(target.processIds())
    await Bun.sleep(idleMs)
    used = clock.microseconds
  }
}

interface Measured {
  readonly text: string
  /** What a call costs the last checkout. */
  readonly cost: CallCost
}

async function turns(): Promise<Measured> {
  const clocks = new Map(lab.targets.map((target) => [target, startCpuClock(target.processIds())]))
  const costs = new Map(lab.targets.map((target) => [target, new Array<number>()]))
  for (let turn = 0; turn < Number(values.turns); turn += 1)
    // Each is as often before the others as behind them.
    for (const target of turn % 2 === 0 ? lab.targets : lab.targets.toReversed()) {
      const { calls } = await drive(target, Number(values.length))
      await Bun.sleep(pauseMs)
      costs.get(target)?.push((clocks.get(target)?.microseconds ?? 0) / calls)
      clocks.set(target, startCpuClock(target.processIds()))
    }
  const [first = []] = costs.values()
  const last = [...costs.values()].at(-1) ?? []
  const tenth = (some: readonly number[]) => quantile(Float64Array.from(some).sort(), 0.1)
  const ratioToFirst = (all: readonly number[]) => medianOf(all.map((cost, turn) => cost / (first[turn] ?? cost)))
  const rows = [...costs].map(([{ name }, all]) => [
    name,
    tenth(all).toFixed(1),
    medianOf(all).toFixed(1),
    (tenth(all) / tenth(first)).toFixed(3),
    ratioToFirst(all).toFixed(3),
  ])
  return {
    text: table(['CPU µs/call', 'p10', 'p50', 'p10 to the first', 'p50 of the ratios'], rows),
    cost: { toLast: ratioToFirst(last), microseconds: medianOf(last) },
  }
}

/** By the collector, which tells what was allocated since it ran last. */
async function objects(): Promise<Measured> {
  const rows: string[][] = []
  let kilobytes = 0
  for (const target of lab.targets) {
    const before = readFileSync(logOf(target.name)).byteLength
    const { calls } = await drive(target, Infinity, objectCalls)
    const report = readFileSync(logOf(target.name)).subarray(before).toString()
    const cycles = [...report.matchAll(/bytes allocated this cycle: (\d+)/g)]
    kilobytes = cycles.reduce((sum, [, bytes]) => sum + Number(bytes), 0) / calls / 1000
    rows.push([target.name, kilobytes.toFixed(1)])
  }
  return { text: table(['objects', 'KB/call'], rows), cost: { kilobytes } }
}
