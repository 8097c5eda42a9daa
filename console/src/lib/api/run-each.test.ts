import { describe, expect, test } from 'bun:test'
import { ApiError } from '@tollgate/contract'

import { runEach } from './run-each'

const refusal = (status = 200) => new ApiError('no', status, 'token.none', undefined)

describe('items run one after the other', () => {
  test('a failure leaves the others alone, and progress is reported after each', async () => {
    const counts: number[] = []
    const progress = await runEach(
      [1, 2, 3],
      (item) => (item === 2 ? Promise.reject(refusal()) : Promise.resolve(item * 10)),
      { onProgress: ({ results, failures }) => counts.push(results.length + failures.length) },
    )
    expect(progress.results).toEqual([10, 30])
    expect(progress.failures.map(({ item }) => item)).toEqual([2])
    expect(progress.left).toEqual([])
    expect(counts).toEqual([1, 2, 3])
  })

  test.each([401, 429, 0])('nothing is tried after status %p', async (status) => {
    const tried: number[] = []
    const progress = await runEach([1, 2, 3], (item) => {
      tried.push(item)
      return Promise.reject(refusal(status))
    })
    expect(tried).toEqual([1])
    expect(progress.left).toEqual([2, 3])
  })

  test('a job that stops at its first failure keeps what it has done', async () => {
    const progress = await runEach(
      ['a', 'b', 'c'],
      (item) => (item === 'b' ? Promise.reject(refusal()) : Promise.resolve(item)),
      { stopsAtFailure: true },
    )
    expect([progress.results, progress.failures.map(({ item }) => item), progress.left]).toEqual([['a'], ['b'], ['c']])
  })
})
