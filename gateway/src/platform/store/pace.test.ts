import { expect, test } from 'bun:test'

import { FakeTime } from '../../../test/fake-time'
import { systemTimers } from '../time/timers'
import { YieldingPace } from './pace'

/** Runs parts that take this long, one after the other; `calls` arrive meanwhile. Returns the rows of each part and the rest after it. */
async function follow(kind: 'sqlite' | 'postgres', parts: readonly { takes: number; calls?: number }[]) {
  const time = new FakeTime()
  let calls = 0
  const rests: number[] = []
  const rows: number[] = []
  const pace = new YieldingPace({
    kind,
    clock: time,
    timers: { ...systemTimers, wait: async (ms) => void rests.push(ms) },
    calls: () => calls,
  })
  for (const part of parts) {
    rows.push(pace.rows)
    calls += part.calls ?? 0
    await pace.part(async () => time.advance(part.takes))
  }
  return { rows, rests }
}

test('a local database with calls works a three-hundredth of the time', async () => {
  const { rests } = await follow('sqlite', [{ takes: 2, calls: 1 }, { takes: 3, calls: 7 }, { takes: 4 }])
  expect(rests).toEqual([600, 900, 4])
})

test('a database server rests less, as its work is not done in this process', async () => {
  const { rests } = await follow('postgres', [{ takes: 20, calls: 1 }, { takes: 20 }])
  expect(rests).toEqual([2000, 20])
})

test('no rest is longer than ten seconds', async () => {
  expect((await follow('sqlite', [{ takes: 500, calls: 1 }])).rests).toEqual([10_000])
  expect((await follow('postgres', [{ takes: 500, calls: 1 }])).rests).toEqual([10_000])
})

test('parts grow while they are fast and shrink when they are slow, within bounds', async () => {
  const quick = Array.from({ length: 8 }, () => ({ takes: 1 }))
  expect((await follow('sqlite', quick)).rows).toEqual([25, 50, 100, 200, 400, 800, 1000, 1000])
  const slow = [{ takes: 1 }, { takes: 2 }, { takes: 9 }, { takes: 9 }]
  expect((await follow('sqlite', slow)).rows).toEqual([25, 50, 50, 25])
})

test('a rest ends with the signal', async () => {
  const stopping = new AbortController()
  const time = new FakeTime()
  const pace = new YieldingPace({ kind: 'sqlite', ...time.parts, calls: () => 0, signal: stopping.signal })
  const part = pace.part(async () => time.advance(50))
  await time.untilWaiting(50)
  stopping.abort()
  await part
})

test('an error of a part is passed on', async () => {
  const pace = new YieldingPace({ kind: 'sqlite', ...new FakeTime().parts, calls: () => 0 })
  expect(pace.part(() => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk')
})

test('a part begins once the database has kept up with those before it', async () => {
  const steps: string[] = []
  const timers = { ...systemTimers, wait: () => Promise.resolve() }
  const keepUp = () => Promise.resolve(void steps.push('kept up'))
  const pace = new YieldingPace({ kind: 'sqlite', clock: new FakeTime(), timers, calls: () => 0, keepUp })
  await pace.part(() => Promise.resolve(void steps.push('part')))
  expect(steps).toEqual(['kept up', 'part'])
})
