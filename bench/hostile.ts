import { hostileInputs, type HostileInput } from './hostile/inputs'

/**
 * Feeds what strangers and upstreams may send at a size and at twice that size. Fails where the processor time grows by more than 2.3, or
 * one turn of the event loop takes more than 50 ms of it at the larger size. The best of a few rounds counts: a machine that does other work
 * disturbs some.
 */
const maxGrowth = 2.3
const maxTurnMs = 50
const rounds = 5
/** Shorter work is repeated until it takes this long. */
const minMs = 30

interface Cost {
  /** Processor time of this process. */
  readonly cpuMs: number
  /** The longest turn of the event loop; of one of the repetitions. */
  readonly turnMs: number
}

const worst: Cost = { cpuMs: Infinity, turnMs: Infinity }

let hasFailed = false
for (const input of hostileInputs) {
  const repeats = await repeatsFor(input)
  const { small, large } = await bestOf(input, repeats)
  const growth = large.cpuMs / small.cpuMs
  const isBad = growth > maxGrowth || large.turnMs > maxTurnMs
  hasFailed ||= isBad
  const figures = [`${small.cpuMs.toFixed(1)} ms`, `${large.cpuMs.toFixed(1)} ms`, `${growth.toFixed(2)} times`]
  console.log(`${isBad ? 'FAIL' : 'ok  '} ${input.name}: ${figures.join(', ')}, turn ${large.turnMs.toFixed(1)} ms`)
}
process.exit(hasFailed ? 1 : 0)

async function repeatsFor(input: HostileInput): Promise<number> {
  // The first time compiles.
  for (let warm = 0; warm < 3; warm += 1) await cost(input, input.size, 1)
  const { cpuMs } = await cost(input, input.size, 1)
  return Math.max(1, Math.ceil(minMs / Math.max(cpuMs, 0.1)))
}

/** Both sizes are measured in turn, so that a slower minute of the machine meets both. */
async function bestOf(input: HostileInput, repeats: number): Promise<{ small: Cost; large: Cost }> {
  let [small, large] = [worst, worst]
  for (let round = 0; round < rounds; round += 1) {
    small = better(small, await cost(input, input.size, repeats))
    large = better(large, await cost(input, input.size * 2, repeats))
  }
  return { small, large }
}

function better(one: Cost, other: Cost): Cost {
  return { cpuMs: Math.min(one.cpuMs, other.cpuMs), turnMs: Math.min(one.turnMs, other.turnMs) }
}

async function cost({ make }: HostileInput, size: number, repeats: number): Promise<Cost> {
  const works = Array.from({ length: repeats }, () => make(size))
  Bun.gc(true)
  let turnMs = 0
  const before = process.cpuUsage()
  for (const work of works) turnMs = Math.max(turnMs, await maxTurn(work))
  const { user, system } = process.cpuUsage(before)
  return { cpuMs: (user + system) / 1000, turnMs }
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
