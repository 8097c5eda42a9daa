import { expect, test } from 'bun:test'

import { ByteBudget } from './byte-budget'

const budget = () => new ByteBudget({ total: 100, ofUser: 60 })

test('a user gets no more than a share, and all users together no more than the whole', () => {
  const bytes = budget()
  const [first, second, third] = [bytes.open(1), bytes.open(1), bytes.open(2)]
  first.take(50)
  expect(() => second.take(20)).toThrow(expect.objectContaining({ code: 'gateway.memory', retryAfterSeconds: 5 }))
  third.take(50)
  expect(() => bytes.open(3).take(1)).toThrow()
  expect(bytes.used).toBe(100)
})

test('what a call held is given back once, and can be taken again', () => {
  const bytes = budget()
  const room = bytes.open(1)
  room.take(30)
  room.take(30)
  room[Symbol.dispose]()
  room[Symbol.dispose]()
  expect(bytes.used).toBe(0)
  bytes.open(1).take(60)
})

test('a call larger than its share is let through when nothing else is held', () => {
  const bytes = budget()
  bytes.open(1).take(500)
  expect(() => bytes.open(2).take(1)).toThrow()
})

test('an answer is counted whatever is left, and others are refused for it', () => {
  const bytes = budget()
  const room = bytes.open(1)
  room.take(50)
  room.hold(200)
  expect(() => bytes.open(2).take(1)).toThrow()
  room[Symbol.dispose]()
  bytes.open(2).take(1)
})
