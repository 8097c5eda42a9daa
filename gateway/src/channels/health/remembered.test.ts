import { expect, test } from 'bun:test'

import { FakeTime } from '../../../test/fake-time'
import { Remembered } from './remembered'

interface Fact {
  readonly one?: boolean
  readonly other?: boolean
}

test('what is remembered is forgotten after its time, and begins anew when something is added', () => {
  const time = new FakeTime()
  const facts = new Remembered<Fact>(time, 1000)
  facts.add('a', { one: true })
  time.advance(999)
  expect([facts.get('a'), facts.get('b'), facts.isEmpty]).toEqual([{ one: true }, undefined, false])
  facts.add('a', { other: false })
  time.advance(999)
  expect(facts.get('a')).toEqual({ one: true, other: false })
  time.advance(1)
  expect([facts.get('a'), facts.isEmpty]).toEqual([undefined, true])
})

test('a newer fact takes the place of an older one', () => {
  const facts = new Remembered<Fact>(new FakeTime(), 1000)
  facts.add('a', { one: true })
  facts.add('a', { one: false })
  expect(facts.get('a')).toEqual({ one: false })
})

test('a thousand remembered names push out the oldest when one more comes', () => {
  const facts = new Remembered<Fact>(new FakeTime(), 1000)
  for (let index = 0; index <= 1000; index += 1) facts.add(String(index), { one: true })
  expect([facts.get('0'), facts.get('1'), facts.get('1000')]).toEqual([undefined, { one: true }, { one: true }])
})
