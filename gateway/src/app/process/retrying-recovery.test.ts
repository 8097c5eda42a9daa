import { expect, test } from 'bun:test'

import { RetryingRecovery } from './retrying-recovery'

function aRecovery(outcomes: boolean[]) {
  const pauses: number[] = []
  const done = Promise.withResolvers<void>()
  let isStopping = false
  const recovery = new RetryingRecovery({
    recover: () => {
      const isSettled = outcomes.shift() ?? true
      if (isSettled) done.resolve()
      return Promise.resolve(isSettled)
    },
    wait: (ms) => {
      pauses.push(ms)
      return Promise.resolve()
    },
    isStopping: () => isStopping,
  })
  return { recovery, pauses, done: done.promise, outcomes, stop: () => (isStopping = true) }
}

test('what could not be settled is retried with growing pauses until it is', async () => {
  const { recovery, pauses, done } = aRecovery([false, false, false, true])
  await recovery.begin()
  await done
  expect(pauses).toEqual([1000, 2000, 4000])
})

test('two simultaneous deaths are recovered by one loop', async () => {
  const { recovery, pauses, done } = aRecovery([false, false, false, true])
  await Promise.all([recovery.begin(), recovery.begin()])
  await done
  expect(pauses).toEqual([1000, 2000])
})

test('a gateway that stops does not retry', async () => {
  const { recovery, outcomes, stop } = aRecovery([false, false])
  const started = recovery.begin()
  stop()
  await started
  await Promise.resolve()
  expect(outcomes).toEqual([false])
})
