import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { FakeTime } from '../../../test/fake-time'
import { RunningAttempts, type RunningAttempt } from './running-attempts'

/** Stops when it is due. */
function anAttempt(running: RunningAttempts, dueAt: number): RunningAttempt & { stopped: string[] } {
  const stopped: string[] = []
  const attempt: RunningAttempt & { stopped: string[] } = {
    index: null,
    caller: null,
    dueAt,
    stopped,
    check: () => attempt.stop('total'),
    stop(reason) {
      stopped.push(reason)
      running.remove(attempt)
    },
  }
  running.add(attempt)
  return attempt
}

test('each attempt is checked when it is due, in any order of arrival and departure', () => {
  const step = fc.record({ waits: fc.integer({ min: 1, max: 50 }), ends: fc.option(fc.nat(20)), lasts: fc.nat(300) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const time = new FakeTime(0)
      const running = new RunningAttempts(time)
      const attempts: ReturnType<typeof anAttempt>[] = []
      const ended = new Set<number>()
      for (const { waits, ends, lasts } of steps) {
        attempts.push(anAttempt(running, time.now() + lasts))
        const attempt = ends === null ? undefined : attempts[ends]
        if (ends !== null && attempt?.stopped.length === 0) {
          ended.add(ends)
          running.remove(attempt)
          running.remove(attempt)
        }
        for (let passed = 0; passed < waits; passed += 1) time.advance(1)
        for (const [index, { dueAt, stopped }] of attempts.entries())
          // A timer is at least a millisecond long.
          if (ended.has(index) || dueAt > time.now()) expect(stopped).toEqual([])
          else if (dueAt < time.now()) expect(stopped).toEqual(['total'])
      }
    }),
    { numRuns: 50 },
  )
})

test('each attempt is stopped once, even when attempts leave while being stopped', () => {
  const time = new FakeTime(0)
  const running = new RunningAttempts(time)
  const attempts = [5, 50, 500].map((dueAt) => anAttempt(running, dueAt))
  running.stopAll('shutdown')
  running.stopAll('shutdown')
  time.advance(1000)
  expect(attempts.map(({ stopped }) => stopped)).toEqual([['shutdown'], ['shutdown'], ['shutdown']])
})
