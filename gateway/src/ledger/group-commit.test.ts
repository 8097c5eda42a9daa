import { expect, test } from 'bun:test'

import { GroupCommit } from './group-commit'
import { systemTimers } from './timers'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

function aCommit(commit: (batch: readonly string[]) => Promise<void> | void) {
  const failures: unknown[] = []
  const commits = new GroupCommit<string>({
    commit,
    timers: { ...systemTimers, wait: async () => void (await nextTurn()) },
    onFailure: (error) => failures.push(error),
  })
  return { commits, failures }
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

test('one that is always refused is told so, and holds up no other', async () => {
  const durable: string[] = []
  let isCured = false
  const { commits, failures } = aCommit((batch) => {
    if (batch.includes('bad') && !isCured) throw new Error('refused')
    durable.push(...batch)
  })
  const bad = commits.add('bad').catch((error: unknown) => String(error))
  await Promise.all(['a', 'b', 'c'].map((item) => commits.add(item)))
  expect(durable.toSorted()).toEqual(['a', 'b', 'c'])
  expect(await bad).toContain('ledger.unavailable')
  expect(commits.isFailing).toBe(true)
  isCured = true
  await commits.whenIdle()
  expect(durable).toContain('bad')
  expect(commits.isFailing).toBe(false)
  expect(failures.length).toBeGreaterThan(2)
})
