import { expect, test } from 'bun:test'

import { FakeTime } from '../../../../test/fake-time'
import { GroupCommit } from './group-commit'
import { systemTimers } from '../../../platform/time/timers'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** A commit whose clock goes on only while it waits. */
function aCommit(commit: (batch: readonly string[]) => Promise<void> | void, probe: () => void = () => {}) {
  const failures: unknown[] = []
  const clock = new FakeTime()
  const commits = new GroupCommit<string>({
    commit,
    probe,
    clock,
    timers: {
      ...systemTimers,
      after(ms, work) {
        clock.advance(ms)
        setImmediate(work)
        return () => {}
      },
    },
    onFailure: (error) => failures.push(error),
  })
  return { commits, failures, clock }
}

test('what arrives while one commit runs goes together into the next', async () => {
  const batches: (readonly string[])[] = []
  const first = Promise.withResolvers<void>()
  const { commits } = aCommit((batch) => {
    batches.push(batch)
    return batches.length === 1 ? first.promise : undefined
  })
  const all = [commits.add('a')]
  await nextTurn()
  all.push(commits.add('b'), commits.add('c'))
  first.resolve()
  await Promise.all(all)
  await commits.whenIdle()
  expect(batches).toEqual([['a'], ['b', 'c']])
})

test('the first of a turn is committed at once, those behind it together, and a crowd waits for its like', async () => {
  const batches: (readonly string[])[] = []
  const { commits } = aCommit((batch) => void batches.push(batch))
  const first = commits.add('a')
  expect(batches).toEqual([['a']])
  await first
  await Promise.all([commits.add('b'), commits.add('c')])
  expect(batches).toEqual([['a'], ['b', 'c']])
  const crowd = [commits.add('d')]
  await Promise.resolve()
  crowd.push(commits.add('e'))
  expect(batches).toHaveLength(2)
  await Promise.all(crowd)
  await nextTurn()
  await commits.add('f')
  await nextTurn()
  void commits.add('g')
  expect(batches).toEqual([['a'], ['b', 'c'], ['d', 'e'], ['f'], ['g']])
})

test('one that is always refused is given up, and holds up no other', async () => {
  const durable: string[] = []
  const { commits, failures } = aCommit((batch) => {
    if (batch.includes('bad')) throw new Error('refused')
    durable.push(...batch)
  })
  const bad = commits.add('bad').catch((error: unknown) => String(error))
  await Promise.all(['a', 'b', 'c'].map((item) => commits.add(item)))
  expect(durable.toSorted()).toEqual(['a', 'b', 'c'])
  expect(await bad).toContain('ledger.unavailable')
  await commits.whenIdle()
  await nextTurn()
  expect(durable).not.toContain('bad')
  expect(commits.isFailing).toBe(false)
  expect(failures.length).toBeGreaterThan(2)
})

test.each([6, 60])('while nothing can be committed all %i that wait are given up within seconds', async (count) => {
  let isFull = true
  const durable: string[] = []
  const commit = (batch: readonly string[]) => {
    if (isFull) throw new Error('disk full')
    durable.push(...batch)
  }
  const { commits, clock } = aCommit(commit, () => commit([]))
  const beganAt = clock.monotonic()
  const waiting = Array.from({ length: count }, (_, index) => commits.add(`w${index}`))
  for (const one of await Promise.allSettled(waiting)) expect(one.status).toBe('rejected')
  expect(clock.monotonic() - beganAt).toBeLessThan(5000)
  expect(commits.length).toBe(0)
  expect(commits.isFailing).toBe(true)

  const late = commits.add('late').catch((error: unknown) => String(error))
  expect(await late).toContain('ledger.unavailable')
  isFull = false
  while (commits.isFailing) await nextTurn()
  await commits.add('after')
  expect(durable).toEqual(['after'])
})

test('one that waits when there is room again is committed', async () => {
  let attempts = 0
  const { commits } = aCommit(() => {
    attempts += 1
    if (attempts < 4) throw new Error('disk full')
  })
  await commits.add('a')
  expect(commits.isFailing).toBe(false)
})

test('one that is stopped while it fails does not probe', async () => {
  const full = () => {
    throw new Error('disk full')
  }
  const { commits, failures } = aCommit(full, full)
  await commits.add('a').catch(() => {})
  await commits.whenIdle()
  commits.stop()
  await nextTurn()
  await nextTurn()
  const reportedCount = failures.length
  await nextTurn()
  expect(failures).toHaveLength(reportedCount)
})
