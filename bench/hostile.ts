import { nextTurn } from '../gateway/src/platform/time/timers'
import { hostileInputs } from './hostile/inputs'
import type { HostileInput } from './hostile/hostile-input'

/**
 * Feeds what strangers and upstreams may send at a size and at twice that size. Fails where the processor time grows by more than 2.3, or
 * one turn of the event loop takes more than 50 ms of it at the larger size. Only time in the program itself counts, and growth is the median
 * of pairs that are measured one after the other: a machine that does other work disturbs some of them, and both halves of a pair alike.
 */
const maxGrowth = 2.3
const maxTurnMs = 50
const pairs = 9
/** A median above the limit has to stand with this many more. */
const morePairs = 16
/** Shorter work is repeated until it takes this long. */
const minMs = 30
/** So many are made at once, and let go of in the turn after them: 300 of 8 MB, each refused at its beginning, took 19 GB of memory. */
const heldWorks = 16

interface Cost {
  /** Processor time of this process, without that of the system. */
  readonly cpuMs: number
  /** The longest turn of the event loop; of one of the repetitions. */
  readonly turnMs: number
}

interface Pair {
  readonly small: Cost
  readonly large: Cost
}

const only = valueOf('--only')
const chosen = hostileInputs.filter(({ name }) => only === undefined || name.includes(only))

let hasFailed = false
for (const input of chosen) {
  const repeats = await repeatsFor(input)
  const measured = await measurePairs(input, repeats, pairs)
  if (isBad(measured, input)) measured.push(...(await measurePairs(input, repeats, morePairs)))
  const hasFault = isBad(measured, input)
  hasFailed ||= hasFault
  const small = medianOf(measured.map((pair) => pair.small.cpuMs))
  const large = medianOf(measured.map((pair) => pair.large.cpuMs))
  const figures = [`${small.toFixed(1)} ms`, `${large.toFixed(1)} ms`, `${growthOf(measured).toFixed(2)} times`]
  const turn = `turn ${turnOf(measured).toFixed(1)} ms`
  console.log(`${hasFault ? 'FAIL' : 'ok  '} ${input.name}: ${figures.join(', ')}, ${turn}, ${measured.length} pairs`)
}
process.exit(hasFailed ? 1 : 0)

function valueOf(option: string): string | undefined {
  const at = process.argv.indexOf(option)
  return at < 0 ? undefined : process.argv[at + 1]
}

function isBad(measured: readonly Pair[], { isAtLimit }: HostileInput): boolean {
  return (!isAtLimit && growthOf(measured) > maxGrowth) || turnOf(measured) > maxTurnMs
}

function growthOf(measured: readonly Pair[]): number {
  return medianOf(measured.map(({ small, large }) => large.cpuMs / small.cpuMs))
}

/** The best counts: a turn is one moment, which anything on the machine can lengthen. */
function turnOf(measured: readonly Pair[]): number {
  return Math.min(...measured.map(({ large }) => large.turnMs))
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN
}

async function repeatsFor(input: HostileInput): Promise<number> {
  // The first time compiles.
  for (let warm = 0; warm < 3; warm += 1) await measureCost(input, input.size, 1)
  const { cpuMs } = await measureCost(input, input.size, 1)
  return Math.max(1, Math.ceil(minMs / Math.max(cpuMs, 0.1)))
}

async function measurePairs(input: HostileInput, repeats: number, count: number): Promise<Pair[]> {
  const measured: Pair[] = []
  for (let pair = 0; pair < count; pair += 1) {
    const small = await measureCost(input, input.size, repeats)
    measured.push({ small, large: await measureCost(input, input.size * 2, repeats) })
  }
  return measured
}

async function measureCost({ make }: HostileInput, size: number, repeats: number): Promise<Cost> {
  let [cpuMs, turnMs] = [0, 0]
  for (let done = 0; done < repeats; done += heldWorks) {
    const works: (() => unknown)[] = []
    while (works.length < Math.min(heldWorks, repeats - done)) works.push(await make(size))
    Bun.gc(true)
    const before = process.cpuUsage()
    for (const work of works) turnMs = Math.max(turnMs, await maxTurn(work))
    cpuMs += process.cpuUsage(before).user / 1000
    await nextTurn()
  }
  return { cpuMs, turnMs }
}

/** Resolves with the longest processor time for which this work held the event loop. */
async function maxTurn(work: () => unknown): Promise<number> {
  let max = 0
  let isOver = false
  let last = process.cpuUsage()
  const beat = () => {
    const { user, system } = process.cpuUsage(last)
    max = Math.max(max, (user + system) / 1000)
    last = process.cpuUsage()
    if (!isOver) setImmediate(beat)
  }
  setImmediate(beat)
  await work()
  isOver = true
  beat()
  return max
}
