import { expect, setDefaultTimeout, test } from 'bun:test'

import { databaseKinds } from '../databases'
import { problemsOf } from './report'
import { run } from './run'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(400_000)

const rounds = 2
const database = databaseKinds.at(-1) ?? 'sqlite'
/** The rounds of these seeds kill, stop and pause everything available. */
const firstSeeds = { sqlite: 2, postgres: 13 }

test(`${rounds} rounds of torture lose and miscount nothing`, async () => {
  const lines: string[] = []
  const report = await run({
    database,
    workers: 2,
    gateways: 1,
    seed: firstSeeds[database],
    quietRounds: 0,
    isEnough: (played) => played >= rounds,
    print: (line) => lines.push(line),
  })
  expect(problemsOf(report), lines.join('\n')).toEqual([])
  expect(report.rounds).toHaveLength(rounds)
  expect(
    report.rounds.some(({ complete }) => complete > 0),
    lines.join('\n'),
  ).toBe(true)
})
