import { expect, test } from 'bun:test'

import { Turns } from './timers'

test('each turn is handed out after the loop has served other work', async () => {
  const scheduled: (() => void)[] = []
  const turns = new Turns({ soon: (work) => void scheduled.push(work) })
  const served: string[] = []
  const slices = async (name: string) => {
    for (const slice of [1, 2]) {
      await turns.next()
      served.push(`${name}${slice}`)
    }
  }
  const all = Promise.all([slices('a'), slices('b'), slices('c')])
  const servedATurn: string[][] = []
  for (let work = scheduled.shift(); work; work = scheduled.shift()) {
    const before = served.length
    work()
    // What a turn resolves runs before the next one.
    for (let tick = 0; tick < 10; tick += 1) await Promise.resolve()
    servedATurn.push(served.slice(before))
  }
  await all
  expect(servedATurn).toEqual([['a1'], ['b1'], ['c1'], ['a2'], ['b2'], ['c2']])
})
