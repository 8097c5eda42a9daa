import { expect, test } from 'bun:test'

import { FakeTime } from '../../../test/fake-time'
import { WaitingList, type DropReason, type WaitingListOptions } from './waiting-list'

function aList(options: Partial<WaitingListOptions<string>> = {}) {
  const dropped: [DropReason, ...string[]][] = []
  const list = new WaitingList<string>({
    bytesOf: (text) => text.length,
    onDropped: (items, reason) => dropped.push([reason, ...items]),
    ...options,
  })
  return { list, dropped }
}

test('the oldest of too many items are dropped, but none that is being written', () => {
  const { list, dropped } = aList({ maxEntries: 3 })
  for (const item of ['a', 'b', 'c']) list.add(item)
  expect(list.take(2)).toEqual(['a', 'b'])
  list.add('d')
  expect(dropped).toEqual([['full', 'c']])
  list.onRefused()
  expect(list.take(9)).toEqual(['a', 'b', 'd'])
})

test('the oldest of too many bytes are dropped', () => {
  const { list, dropped } = aList({ maxBytes: 10 })
  for (const item of ['aaaa', 'bbbb', 'cccccc']) list.add(item)
  expect([dropped, list.bytes]).toEqual([[['full', 'aaaa']], 10])
  list.take(1)
  list.onWritten()
  expect([list.bytes, list.length]).toEqual([6, 1])
})

test('a batch is limited in bytes, and a larger item goes alone', () => {
  const { list } = aList({ batchBytes: 5 })
  for (const item of ['xxxxxxxxx', 'aa', 'bb', 'cc']) list.add(item)
  expect(list.take(9)).toEqual(['xxxxxxxxx'])
  list.onWritten()
  expect(list.take(9)).toEqual(['aa', 'bb'])
  list.onWritten()
  expect(list.take(9)).toEqual(['cc'])
})

test('an item that is refused alone goes last, and is given up when it has waited for too long', () => {
  const clock = new FakeTime()
  const { list, dropped } = aList({ age: { maxMs: 100, clock } })
  list.add('bad')
  clock.advance(60)
  list.add('good')
  list.take(1)
  list.onRefused()
  clock.advance(40)
  list.dropLate()
  expect([dropped, list.take(9)]).toEqual([[['late', 'bad']], ['good']])
})

test('a closed list drops what it has and takes nothing more', () => {
  const { list, dropped } = aList()
  list.add('a')
  list.add('b')
  list.take(1)
  list.dropAll()
  list.onWritten()
  list.add('c')
  expect([dropped, list.length, list.bytes]).toEqual([
    [
      ['closed', 'a', 'b'],
      ['closed', 'c'],
    ],
    0,
    0,
  ])
})
