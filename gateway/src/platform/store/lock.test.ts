import { expect, test } from 'bun:test'

import { createClock } from '../time/clock'
import { onBothDatabases } from '../../../test/databases'
import { createLock } from './lock'

onBothDatabases('a lock', (world) => {
  let now = 1_700_000_000_000
  const clock = createClock(
    () => now,
    () => 0,
  )
  const lockOf = (holder: string, name: string) =>
    createLock({ database: world().database, clock, name, holder, seconds: 15 })

  test('a lock has one holder until it is released or expires', async () => {
    const [one, two] = [lockOf('one', 'a'), lockOf('two', 'a')]
    expect([await one.acquire(), await two.acquire(), await one.acquire()]).toEqual([true, false, true])
    now += 14_000
    expect([await one.acquire(), await two.acquire()]).toEqual([true, false])
    now += 15_000
    expect([await two.acquire(), await one.acquire()]).toEqual([true, false])
    await one.release()
    expect(await one.acquire()).toBe(false)
    await two.release()
    expect(await one.acquire()).toBe(true)
  })

  test('a lock goes to exactly one of many simultaneous attempts', async () => {
    const attempts = Array.from({ length: 20 }, (_, index) => lockOf(`h${index}`, 'b').acquire())
    expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1)
  })
})
