import { expect, test } from 'bun:test'

import { startCpuClock } from './processes'

test('the clock counts the CPU of a process from its start on', () => {
  const clock = startCpuClock([process.pid])
  const before = clock.microseconds
  const used = process.cpuUsage()
  while (process.cpuUsage(used).user < 20_000);
  expect(clock.microseconds).toBeGreaterThan(before)
  expect(startCpuClock([process.pid]).microseconds).toBeLessThan(clock.microseconds)
  expect(startCpuClock([]).microseconds).toBe(0)
})
