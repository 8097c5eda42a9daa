import { expect, test } from 'bun:test'

import { FakeTime } from '../../../test/fake-time'
import { InFlight } from './in-flight'

test('the counter is idle once the last call has left, each call counted once', async () => {
  const inFlight = new InFlight(new FakeTime())
  expect(await inFlight.whenIdle(0)).toBe(true)
  const [first, second] = [inFlight.enter(), inFlight.enter()]
  const idle = inFlight.whenIdle(60_000)
  first()
  first()
  expect(inFlight.count).toBe(1)
  second()
  expect([await idle, inFlight.count]).toEqual([true, 0])
})

test('waiting for idle ends at its timeout', async () => {
  const time = new FakeTime()
  const inFlight = new InFlight(time)
  inFlight.enter()
  const idle = inFlight.whenIdle(5000)
  time.advance(5000)
  expect(await idle).toBe(false)
})
