import { expect, test } from 'bun:test'

import { FakeTime } from '../../../test/fake-time'
import { Remembered } from './remembered'

test('a remembered name is forgotten after its time, and begins anew when it is added again', () => {
  const time = new FakeTime()
  const names = new Remembered(time, 1000)
  names.add('a')
  time.advance(999)
  expect([names.has('a'), names.has('b'), names.isEmpty]).toEqual([true, false, false])
  names.add('a')
  time.advance(999)
  expect(names.has('a')).toBe(true)
  time.advance(1)
  expect([names.has('a'), names.isEmpty]).toEqual([false, true])
})

test('a thousand remembered names push out the oldest when one more comes', () => {
  const names = new Remembered(new FakeTime(), 1000)
  for (let index = 0; index <= 1000; index += 1) names.add(String(index))
  expect([names.has('0'), names.has('1'), names.has('1000')]).toEqual([false, true, true])
})
