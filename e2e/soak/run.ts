import { openArena, type Arena, type ArenaOptions } from './arena'
import { repertoireOf } from './faults'
import { auditLedger } from './audit-ledger'
import type { Problem } from './problem'
import { problemLines, roundLines, type RunReport } from './report'
import { playRound, type RoundResult } from './round'

export interface RunOptions extends ArenaOptions {
  /** Seed of the first round; each round uses the next number. */
  readonly seed: number
  /** Called before each round with the rounds and tasks so far and their duration. */
  readonly isEnough: (rounds: number, milliseconds: number, tasks: number) => boolean
  readonly print: (line: string) => void
  /** Rounds without faults, with which later ones are compared. Default: 2, of which the first one warms everything up. */
  readonly quietRounds?: number
  /** Names of the faults to choose from. Default: all. */
  readonly only?: readonly string[]
}

const maxLines = 25

/** Sets everything up, tortures it round by round, and stops it. */
export async function run(options: RunOptions): Promise<RunReport> {
  const { seed, print, isEnough } = options
  await using arena = await openArena(options)
  const repertoire = repertoireOf(arena)
  const { missing } = repertoire
  const faults = repertoire.faults.filter(({ name }) => options.only?.includes(name) ?? true)
  const quiet = await playQuietRounds(arena, options)
  const rounds: RoundResult[] = []
  const beganAt = performance.now()
  let tasks = 0
  while (!isEnough(rounds.length, performance.now() - beganAt, tasks)) {
    const result = await playRound(arena, { number: rounds.length + 1, seed: seed + rounds.length, faults })
    rounds.push(result)
    tasks += result.tasks
    for (const line of roundLines(result)) print(line)
    if (result.problems.length > 0) for (const gateway of arena.gateways) print(lastLinesOf(gateway.output()))
  }
  const atTheEnd = await stopAll(arena)
  for (const line of problemLines(atTheEnd)) print(line)
  const { database, workers, gateways } = options
  return { database, workers, gateways, seed, quiet, rounds, missing, atTheEnd }
}

async function playQuietRounds(arena: Arena, { seed, print, quietRounds = 2 }: RunOptions): Promise<RoundResult[]> {
  const rounds: RoundResult[] = []
  for (let number = 1 - quietRounds; number <= 0; number += 1) {
    const result = await playRound(arena, { number, seed: seed + number - 1, faults: [] })
    rounds.push(result)
    for (const line of roundLines(result)) print(line)
  }
  return rounds
}

const lastLinesOf = (output: string): string => output.trim().split('\n').slice(-maxLines).join('\n')

/** Stops everything gracefully and checks that nothing is left behind. */
async function stopAll(arena: Arena): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const gateway of arena.gateways) {
    const code = await gateway.stop()
    if (code !== 0) problems.push({ kind: 'other', what: `a gateway that was asked to stop ended with ${code}` })
  }
  await using queries = arena.queries()
  const workers = await queries.rows('select id from workers')
  if (workers.length > 0) problems.push({ kind: 'other', what: `${workers.length} workers are still listed` })
  return [...problems, ...(await auditLedger(arena, queries))]
}
