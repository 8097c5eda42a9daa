import { expect, test } from 'bun:test'

import { createClock } from '../../platform/time/clock'
import { Leader } from './jobs'
import type { Job } from './job'

function aLeader(isHolding: () => boolean = () => true) {
  let now = 0
  const runs: string[] = []
  const errors: string[] = []
  let finish = () => {}
  let released = 0
  const jobs: Job[] = [
    { name: 'quick', everyMs: 1000, run: async () => void runs.push('quick') },
    {
      name: 'long',
      everyMs: 1000,
      run: (signal) =>
        new Promise((resolve) => {
          runs.push('long')
          finish = resolve
          signal.addEventListener('abort', () => resolve())
        }),
    },
    { name: 'broken', everyMs: 5000, run: () => Promise.reject(new Error('no')) },
  ]
  const leader = new Leader({
    clock: createClock(() => now),
    lock: {
      acquire: () => Promise.resolve(isHolding()),
      release: () => {
        released += 1
        return Promise.resolve()
      },
    },
    jobs,
    onError: (_error, job) => errors.push(job),
  })
  const at = async (time: number) => {
    now = time
    await leader.tick()
    await Promise.resolve()
  }
  return { leader, runs, errors, at, finish: () => finish(), released: () => released }
}

test('due jobs run one at a time, and a failure stops nothing', async () => {
  const { leader, runs, errors, at, finish, released } = aLeader()
  await at(0)
  await at(500)
  expect(runs).toEqual(['quick', 'long'])
  await at(1000)
  expect(runs).toEqual(['quick', 'long', 'quick'])
  finish()
  await Bun.sleep(0)
  await at(2000)
  expect(runs).toEqual(['quick', 'long', 'quick', 'quick', 'long'])
  expect(errors).toEqual(['broken'])
  await leader.stop()
  await at(9000)
  expect([runs.length, released()]).toEqual([5, 1])
})

test('changes wake their jobs, once more when they are running already, and only at the holder of the lock', async () => {
  const runs: (() => void)[] = []
  let isHolding = true
  const leader = new Leader({
    clock: createClock(() => 0),
    lock: { acquire: () => Promise.resolve(isHolding), release: () => Promise.resolve() },
    jobs: [
      { name: 'mail', everyMs: 1000, wokenBy: 'mail', run: () => new Promise((resolve) => void runs.push(resolve)) },
    ],
    onError: () => {},
  })
  const mail = new Set(['mail'] as const)
  leader.wake(mail)
  expect(runs).toHaveLength(0)
  await leader.tick()
  expect(runs).toHaveLength(1)
  leader.wake(mail)
  leader.wake(mail)
  expect(runs).toHaveLength(1)
  runs[0]?.()
  await Bun.sleep(0)
  expect(runs).toHaveLength(2)
  runs[1]?.()
  await Bun.sleep(0)
  leader.wake(new Set(['user'] as const))
  expect(runs).toHaveLength(2)
  leader.wake(mail)
  expect(runs).toHaveLength(3)
  isHolding = false
  await leader.tick()
  runs[2]?.()
  await Bun.sleep(0)
  leader.wake(mail)
  expect(runs).toHaveLength(3)
})

test('only the holder of the lock runs jobs', async () => {
  let isHolding = false
  const { runs, at } = aLeader(() => isHolding)
  await at(0)
  expect(runs).toEqual([])
  isHolding = true
  await at(1)
  expect(runs).toEqual(['quick', 'long'])
})
