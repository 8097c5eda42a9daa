import { expect, test } from 'bun:test'

import { systemTimers } from '../time/timers'
import { BatchQueue, type BatchQueueOptions } from './batch-queue'
import { WaitingList, type DropReason } from './waiting-list'

/** Lets every promise settle that does not wait for a timer. */
const settlePromises = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

/** A queue of texts. `pass` lets the pause or the gathering end for which it waits, and returns how long that was. */
function aQueue(options: Partial<BatchQueueOptions<string>> = {}) {
  const written: (readonly string[])[] = []
  const dropped: [DropReason, ...string[]][] = []
  const failures: number[] = []
  let waiting: { ms: number; work: () => void }[] = []
  const list = new WaitingList<string>({ onDropped: (items, reason) => dropped.push([reason, ...items]) })
  const queue = new BatchQueue<string>({
    source: list,
    write: (batch) => void written.push(batch),
    maxAtOnce: 8,
    backOff: { minMs: 100, maxMs: 300 },
    timers: {
      ...systemTimers,
      after(ms, work) {
        const one = { ms, work }
        waiting.push(one)
        return () => (waiting = waiting.filter((other) => other !== one))
      },
    },
    onFailure: (_, count) => failures.push(count),
    ...options,
  })
  return {
    queue,
    list,
    written,
    dropped,
    failures,
    add: (...items: string[]) => {
      for (const item of items) list.add(item)
      queue.wake()
    },
    pass: async () => {
      await settlePromises()
      const [first] = waiting
      waiting = waiting.slice(1)
      first?.work()
      await settlePromises()
      return first?.ms
    },
  }
}

const letters = (count: number) => Array.from({ length: count }, (_, index) => String.fromCharCode(97 + index))

test('a queue writes in order, one batch at a time, no larger than allowed', async () => {
  const gate = Promise.withResolvers<void>()
  const startedSizes: number[] = []
  const { add, queue } = aQueue({
    write: (batch) => {
      startedSizes.push(batch.length)
      return gate.promise
    },
  })
  add(...letters(20))
  await settlePromises()
  expect(startedSizes).toEqual([8])
  gate.resolve()
  await queue.whenIdle()
  expect(startedSizes).toEqual([8, 8, 4])
})

test('a queue that does not gather writes the first item before it returns', () => {
  const { add, written } = aQueue()
  add('a')
  expect(written).toEqual([['a']])
})

test('an item that is always refused holds up no other', async () => {
  const written: string[] = []
  const { add, pass, queue, failures } = aQueue({
    write: (batch) => {
      if (batch.includes('c')) throw new Error('refused')
      written.push(...batch)
    },
  })
  add(...letters(8))
  for (let round = 0; round < 6; round += 1) await pass()
  expect(written.toSorted()).toEqual(['a', 'b', 'd', 'e', 'f', 'g', 'h'])
  expect(queue.isFailing).toBe(true)
  expect(failures.length).toBeGreaterThan(2)
})

test('pauses grow up to a bound, and a success ends them', async () => {
  let isAway = true
  let recoveries = 0
  const { add, pass, queue, failures } = aQueue({
    write() {
      if (isAway) throw new Error('away')
    },
    onRecovered: () => (recoveries += 1),
  })
  add('a')
  expect([await pass(), await pass(), await pass(), await pass()]).toEqual([100, 200, 300, 300])
  isAway = false
  await pass()
  expect([queue.isFailing, recoveries, failures]).toEqual([false, 1, [1, 2, 3, 4, 5]])
  isAway = true
  add('b')
  expect(await pass()).toBe(100)
})

test('batches grow again after a failure', async () => {
  const sizes: number[] = []
  const { add, pass, queue } = aQueue({
    write(batch) {
      sizes.push(batch.length)
      if (sizes.length === 1) throw new Error('away')
    },
  })
  add(...letters(20))
  await pass()
  await queue.whenIdle()
  expect(sizes).toEqual([8, 2, 4, 8, 6])
})

test('items gather for a while, until there are enough, or until someone waits for them', async () => {
  const { add, pass, queue, written } = aQueue({ gatherMs: 25 })
  add('a')
  add('b')
  await settlePromises()
  expect(written).toEqual([])
  expect(await pass()).toBe(25)
  expect(written).toEqual([['a', 'b']])
  add('c')
  await settlePromises()
  add(...letters(7))
  await settlePromises()
  expect(written).toHaveLength(2)
  add('d')
  await settlePromises()
  queue.hurry()
  await settlePromises()
  expect(written).toHaveLength(3)
  add('e')
  await queue.whenIdle()
  expect(written).toHaveLength(4)
})

test('waiting for the end tries at once what was refused', async () => {
  let isAway = true
  const { add, queue, written } = aQueue({
    write(batch) {
      if (isAway) throw new Error('away')
      written.push(batch)
    },
  })
  add('a')
  await settlePromises()
  isAway = false
  await queue.whenIdle()
  expect(written).toEqual([['a']])
})

test('a queue that stops gives up what is left and resolves when no write is in progress', async () => {
  const gate = Promise.withResolvers<void>()
  const { add, queue, list, dropped } = aQueue({ write: () => gate.promise, maxAtOnce: 1 })
  add('a', 'b')
  const stopped = queue.stop()
  expect([dropped, list.length]).toEqual([[['closed', 'a', 'b']], 0])
  let isStopped = false
  const stopObserved = stopped.then(() => (isStopped = true))
  await settlePromises()
  expect(isStopped).toBe(false)
  gate.resolve()
  await stopObserved
  add('late')
  expect(dropped.at(-1)).toEqual(['closed', 'late'])
})

test('a queue probes while writes fail and nothing waits, until one succeeds', async () => {
  let probes = 0
  const { add, pass, list, queue } = aQueue({
    write() {
      throw new Error('full')
    },
    probe() {
      probes += 1
      if (probes < 3) throw new Error('full')
    },
  })
  add('a')
  await settlePromises()
  list.take(1)
  list.onWritten()
  while (queue.isFailing) await pass()
  expect(probes).toBe(3)
})
