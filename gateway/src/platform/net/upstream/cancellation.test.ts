import { expect, test } from 'bun:test'

import { Cancellation } from './cancellation'

test('all listeners are called once; a late one at once, a forgotten one never', () => {
  const cancellation = new Cancellation()
  const told: string[] = []
  const forgotten = () => void told.push('forgotten')
  cancellation.onCancel(() => void told.push('first'))
  cancellation.onCancel(forgotten)
  cancellation.onCancel(() => void told.push('second'))
  cancellation.forget(forgotten)
  expect([cancellation.isCancelled, told]).toEqual([false, []])
  cancellation.cancel()
  cancellation.cancel()
  cancellation.onCancel(() => void told.push('late'))
  expect([cancellation.isCancelled, told]).toEqual([true, ['first', 'second', 'late']])
})

test('its signal aborts with it, whichever is used first', () => {
  const [before, after] = [new Cancellation(), new Cancellation()]
  const early = before.signal
  expect(early.aborted).toBe(false)
  before.cancel()
  after.cancel()
  expect([early.aborted, before.signal, after.signal.aborted]).toEqual([true, early, true])
})
