import { expect, test } from 'bun:test'

import { Cancellation } from './cancellation'

test('all listeners are called once; a late one at once, a forgotten one never', () => {
  const cancellation = new Cancellation()
  const notified: string[] = []
  const forgotten = () => void notified.push('forgotten')
  cancellation.onCancel(() => void notified.push('first'))
  cancellation.onCancel(forgotten)
  cancellation.onCancel(() => void notified.push('second'))
  cancellation.forget(forgotten)
  expect([cancellation.isCancelled, notified]).toEqual([false, []])
  cancellation.cancel()
  cancellation.cancel()
  cancellation.onCancel(() => void notified.push('late'))
  expect([cancellation.isCancelled, notified]).toEqual([true, ['first', 'second', 'late']])
})

test('its signal aborts with it, whichever is used first', () => {
  const [before, after] = [new Cancellation(), new Cancellation()]
  const early = before.signal
  expect(early.aborted).toBe(false)
  before.cancel()
  after.cancel()
  expect([early.aborted, before.signal, after.signal.aborted]).toEqual([true, early, true])
})
