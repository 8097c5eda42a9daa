import { expect, setDefaultTimeout, test } from 'bun:test'

import { databaseKinds } from '../databases'
import { problemsOf } from './report'
import { run } from './run'

// above every time limit inside, so that the reason is told
setDefaultTimeout(200_000)

const rounds = 2
/** Their rounds kill, stop and pause what they can. */
const firstSeeds = { sqlite: 2, postgres: 13 }

for (const database of databaseKinds) {
  const workers = database === 'sqlite' ? 1 : 2
  test.concurrent(`${rounds} rounds of torture on ${database} with ${workers} workers lose and miscount nothing`, async () => {
    const lines: string[] = []
    const report = await run({
      database,
      workers,
      gateways: 1,
      seed: firstSeeds[database],
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
}
