import { expect, test } from 'bun:test'

import { WorkQueue } from './work-queue'

const queue = () => new WorkQueue({ running: 2, perKey: 1, waiting: 2 })

test('a key has one piece of work at once, and the others wait in their order', async () => {
  const works = queue()
  const began: string[] = []
  const enter = async (name: string, key: number) => {
    const turn = await works.enter(key)
    began.push(name)
    return turn
  }
  const first = await enter('first', 1)
  const [second, third] = [enter('second', 1), enter('third', 2)]
  const fromOther = await third
  const fourth = enter('fourth', 3)
  expect(began).toEqual(['first', 'third'])
  first[Symbol.dispose]()
  first[Symbol.dispose]()
  const next = await second
  fromOther[Symbol.dispose]()
  await fourth
  expect(began).toEqual(['first', 'third', 'second', 'fourth'])
  next[Symbol.dispose]()
})

test('work is refused when as many wait as may', async () => {
  const works = queue()
  await works.enter(1)
  void works.enter(1)
  void works.enter(1)
  await works.enter(2)
  expect(await works.enter(3).catch((error: unknown) => error)).toMatchObject({
    code: 'gateway.busy',
    retryAfterSeconds: 5,
  })
})

test('work that fails leaves its place to the next', async () => {
  const works = new WorkQueue({ running: 1, perKey: 1, waiting: 1 })
  const failed = works.run(() => Promise.reject(new Error('no')))
  const next = works.run(() => Promise.resolve('yes'))
  expect(await failed.catch((error: unknown) => String(error))).toBe('Error: no')
  expect(await next).toBe('yes')
})
